import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// What a call becomes, for each method.
@Suite struct MethodTests {
    /// Good arguments of every request's method, and the request that they are.
    static let requests: [(method: String, body: [BusValue], request: Request)] = [
        ("Grant", [.string("entry")], .grant(.entry)),
        ("GrantGroup", [.string("exit"), .int64(4)], .grantGroup(.exit, count: 4)),
        ("Withdraw", [.string("exit")], .withdraw(.exit)),
        (
            "SetMode", [.string("entry"), .string("free"), .uint64(0)],
            .setMode(.entry, .free, until: nil)
        ),
        (
            "SetMode", [.string("exit"), .string(""), .uint64(2)],
            .setMode(.exit, nil, until: Instant(nanoseconds: 1_000_002_000))
        ),
        ("SetEnforcement", [.string("weak"), .uint64(0)], .setEnforcement(.weak, until: nil)),
        ("SetEnforcement", [.string(""), .uint64(0)], .setEnforcement(nil, until: nil)),
        (
            "SetModeUntil", [.string("entry"), .string("locked"), .int64(1080)],
            .setModeUntil(.entry, .locked, TimeOfDay(minute: 1080)!)
        ),
        (
            "SetEnforcementUntil", [.string("weak"), .int64(0)],
            .setEnforcementUntil(.weak, TimeOfDay(minute: 0)!)
        ),
        ("ConfirmRepair", [], .confirmRepair), ("AcknowledgeAlarms", [], .acknowledgeAlarms),
        ("ResetEmergency", [], .resetEmergency), ("BeginService", [], .beginService),
        ("EndService", [], .endService), ("SelfTest", [], .selfTest),
        ("TestOutput", [.string("lock_entry"), .uint64(0)], .test(.lockEntry)),
        (
            "TestOutput", [.string("lamp_go"), .uint64(1_500_000)],
            .test(.lampGo, for: .milliseconds(1_500))
        ),
        ("CollectCoins", [.int64(-1)], .collectCoins(counted: nil)),
        ("CollectCoins", [.int64(1_250)], .collectCoins(counted: 1_250)),
        ("AdoptPolicy", [BusValue(Policy.blank.fields)], .adopt(.blank)),
    ]

    /// Good arguments of every method that asks the gate, and what they mean.
    static let good: [(method: String, body: [BusValue], operation: Question.Operation)] =
        requests.map { ($0, $1, .asked($2)) } + [
            ("Reload", [], .reload), ("ReloadSettings", [], .reload),
            ("Simulate", [.string("coin 50")], .extra(.simulate, [.string("coin 50")])),
        ]

    /// What is no question for the gate.
    private static let following = (GateMethod.followEdges.name, [BusValue.uint64(0)])

    @Test(arguments: good.indices) func `asks for what it says`(index: Int) throws {
        let (name, body, operation) = Self.good[index]
        let talk = Talk.withRoot()
        let question = try #require(talk.call(name, body).question)
        #expect(question.operation == operation)
        #expect(question.person == Talk.root.person)
    }

    @Test func `there is one for every request, and few for the service`() {
        let asked = Set(Self.requests.map(\.request.kind))
        #expect(asked == Set(Request.Kind.allCases))
        let known = Self.good.map(\.method) + [Self.following.0]
        #expect(Set(known) == Set(Talk.facts.methods.map(\.name)))
        #expect(GateMethod.all.count == Request.Kind.allCases.count + 3)
    }

    /// What an earlier client does not say stays as it is: the loop knows what is in force.
    @Test func `hands on of a policy what was said of it`() throws {
        let fields = Policy(price: 150, coinUnit: 50).fields
        let talk = Talk.withRoot()
        let question = try #require(talk.call("AdoptPolicy", [BusValue(fields)]).question)
        #expect(question.operation == .adopt(fields))
    }

    /// What makes no sense, and a word of why.
    static let bad: [(method: String, body: [BusValue], word: String)] = [
        ("Grant", [.string("entri")], "did you mean 'entry'?"),
        ("Grant", [.string("")], "is not one of entry, exit"),
        ("Grant", [], "takes 's' (direction), and this is ''"),
        ("Grant", [.string("entry"), .string("exit")], "and this is 'ss'"),
        ("ConfirmRepair", [.byte(1)], "takes nothing, and this is 'y'"),
        ("SetMode", [.string("entry"), .string("freee"), .uint64(0)], "did you mean 'free'?"),
        ("SetMode", [.string("entry"), .string("free"), .uint64(.max)], "duration_usec: at most"),
        ("SetMode", [.string("entry"), .string("free"), .int64(1)], "takes 'sst'"),
        ("SetEnforcement", [.string("stron"), .uint64(0)], "did you mean 'strong'?"),
        ("TestOutput", [.string("lock"), .uint64(0)], "is not one of lock_entry"),
        ("TestOutput", [.string("alarm")], "takes 'st' (output, duration_usec), and this is 's'"),
        ("TestOutput", [.string("alarm"), .int64(-1)], "and this is 'sx'"),
        (
            "TestOutput", [.string("alarm"), .uint64(.max)],
            "duration_usec: at most 3162240000000000, or 0 for the usual time"
        ),
        ("CollectCoins", [.int64(-2)], "counted: an amount, or -1"),
        ("CollectCoins", [.int64(.min)], "counted: an amount, or -1"),
        ("AdoptPolicy", [.dictionary([])], "policy.price: the field is missing"),
        ("AdoptPolicy", [.dictionary([("prize", .int64(1))])], "did you mean 'price'?"),
        (
            "AdoptPolicy", [.dictionary([("regime", .dictionary([("entri", .string("free"))]))])],
            "no field is called 'entri'; did you mean 'entry'?"
        ),
        ("AdoptPolicy", [.dictionary([("price", .double(1))])], "a value of an unknown type"),
        (
            "AdoptPolicy", [.dictionary([("price", .int64(1)), ("price", .int64(2))])],
            "duplicate key"
        ),
        ("Reload", [.string("now")], "takes nothing"),
    ]

    @Test(arguments: bad.indices) func `refuses what makes no sense, and says what does`(
        index: Int
    ) {
        let (name, body, word) = Self.bad[index]
        let talk = Talk.withRoot()
        let effects = talk.call(name, body)
        #expect(effects.error == "org.freedesktop.DBus.Error.InvalidArgs")
        #expect(effects.errorText.contains(word), "\(effects.errorText)")
        #expect(effects.count == 1)
    }

    /// A value of every type of D-Bus.
    static let types: [BusValue] = [
        .boolean(true), .byte(1), .int16(1), .uint16(1), .int32(1), .uint32(1), .int64(1),
        .uint64(1), .double(1), .string("a"), .objectPath("/"), .signature("s"), .strings([]),
        .dictionary([]), .dictionary(of: "b", []), .structure([.byte(1)]), .variant(.byte(1)),
        .descriptor,
    ]

    @Test(arguments: Talk.facts.methods.indices) func `refuses every other type in every place`(
        index: Int
    ) throws {
        let method = Talk.facts.methods[index]
        let known = Self.good.map { ($0.method, $0.body) } + [Self.following]
        let good = try #require(known.first { $0.0 == method.name }).1
        for place in good.indices {
            for value in Self.types where value.signature != method.arguments[place].signature {
                var body = good
                body[place] = value
                let talk = Talk.withRoot()
                let effects = talk.call(method.name, body)
                #expect(effects.error == "org.freedesktop.DBus.Error.InvalidArgs")
            }
        }
    }

    @Test func `whatever a policy is made of, there is an answer`() {
        for value in Self.types {
            for body in [
                BusValue.dictionary([("price", value)]), .dictionary([("acceptors", value)]),
                .dictionary([("schedule", .array(of: value.signature, [value]))]),
                .dictionary([("regime", .dictionary([("entry", value)]))]),
            ] {
                let talk = Talk.withRoot()
                let effects = talk.call("AdoptPolicy", [body])
                #expect(effects.error == "org.freedesktop.DBus.Error.InvalidArgs")
            }
        }
    }

    @Test func `names are those of the vocabulary`() {
        #expect(GateInterface.member("service_requester") == "ServiceRequester")
        #expect(GateInterface.member("time_nsec") == "TimeNsec")
        let setMode = GateMethod.all.first { $0.name == "SetMode" }
        #expect(setMode?.arguments.map(\.name) == ["direction", "mode", "duration_usec"])
        #expect(setMode?.signature == "sst")
    }
}

extension Question.Operation {
    /// What it is to ask for this.
    static func asked(_ request: Request) -> Question.Operation {
        if case .adopt(let policy) = request { .adopt(policy.fields) } else { .request(request) }
    }
}
