import StateMachines
import System
import Testing
import Turnstile

@testable import Bus
@testable import GateClient

/// What the client calls is what the service takes.
@Suite struct CallTests {
    private static let now = Instant(nanoseconds: 7_000_000_000)
    private static let noon = TimeOfDay(minute: 720)!
    private static let requests: [Request] = [
        .grant(.entry), .withdraw(.exit), .setMode(.entry, .free, until: nil),
        .setMode(.exit, nil, until: now + .seconds(60)), .setEnforcement(.weak, until: nil),
        .setEnforcement(nil, until: now + .seconds(3_600)), .setModeUntil(.entry, .locked, noon),
        .setEnforcementUntil(.weak, noon), .confirmRepair, .acknowledgeAlarms,
        .resetEmergency, .beginService, .endService, .selfTest, .test(.alarm),
        .test(.lampGo, for: .milliseconds(1_500)),
        .collectCoins(counted: nil), .collectCoins(counted: 1_250), .adopt(.blank),
    ]

    @Test(arguments: requests) func `a request arrives as it was meant`(request: Request) throws {
        let call = GateCall(request, at: Self.now)
        let method = try #require(GateMethod.all.first { $0.name == call.member })
        var matter = Question.Matter.request(request)
        if case .adopt(let policy) = request { matter = .adopt(policy.fields) }
        #expect(try method.wish(call.arguments, at: Self.now) == .ask(matter))
        #expect(call.kind == request.kind)
    }

    @Test func `every request can be called`() {
        #expect(Set(Self.requests.map(\.kind)) == Set(Request.Kind.allCases))
    }

    /// On the bus 0 µs is for good.
    @Test func `what is for less than a microsecond is not for good`() {
        let short = GateCall.setMode(.entry, .free, for: .nanoseconds(1))
        #expect(short.arguments.last == .uint64(1))
        #expect(GateCall.setEnforcement(.weak).arguments.last == .uint64(0))
    }

    @Test func `the gate has the same names for both`() {
        #expect(GateNames.service == GateInterface.service)
        #expect(GateNames.path == GateInterface.path)
        #expect(GateNames.interface == GateInterface.name)
    }
}
