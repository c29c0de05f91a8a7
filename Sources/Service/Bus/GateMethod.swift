import StateMachines
import System
import Turnstile

/// A method of the gate: one for each request that the domain knows, and those that ask something
/// of the service.
public struct GateMethod: Sendable {
    /// The name: `SetMode`.
    public var name: String
    /// What it takes.
    public var arguments: [BusArgument]
    /// What it answers with.
    public var results: [BusArgument]
    /// What it is for.
    private var purpose: Purpose

    private enum Purpose: Sendable {
        case request(Request.Kind)
        case reload, simulate, followEdges
    }

    /// All methods, in the order of the vocabulary.
    public static let all: [GateMethod] = {
        let forms = Shape(of: Request.self).forms
        return zip(Request.Kind.allCases, forms).map { GateMethod($0, $1.fields) }
            + [reload, reloadSettings, simulate, followEdges]
    }()

    /// Has the settings read again, as `SIGHUP` does.
    static let reload = GateMethod(
        name: "Reload", arguments: [], results: [BusArgument("changes", "as")], purpose: .reload)

    /// The same, answered as a request is: ``reload`` does not tell what waits.
    static let reloadSettings = GateMethod(
        name: "ReloadSettings", arguments: [],
        results: results + [BusArgument("changes", "as"), BusArgument("warnings", "as")],
        purpose: .reload)

    /// What a request is answered with.
    private static let results = [
        BusArgument("result", "s"), BusArgument("refusal", "s"), BusArgument("durable", "b"),
    ]

    /// Does something to a simulated gate, by the words of docs/scenarios.md.
    static let simulate = GateMethod(
        name: "Simulate", arguments: [BusArgument("move", "s")], results: [], purpose: .simulate)

    /// Has whoever asks hear of each edge of a line.
    static let followEdges = GateMethod(
        name: "FollowEdges", arguments: [BusArgument("lease_usec", "t")], results: [],
        purpose: .followEdges)

    /// The types of all arguments: `sst`.
    var signature: String { arguments.map(\.signature).joined() }

    private init(
        name: String, arguments: [BusArgument], results: [BusArgument], purpose: Purpose
    ) {
        self.name = name
        self.arguments = arguments
        self.results = results
        self.purpose = purpose
    }

    private init(_ kind: Request.Kind, _ fields: [Shape.Field]) {
        // A method of this name would say that it does nothing.
        name = kind == .test ? "TestOutput" : GateInterface.member(kind.rawValue)
        purpose = .request(kind)
        arguments = fields.map { BusArgument($0) }
        results = Self.results
    }
}

extension BusArgument {
    /// The argument that is this field of a request. Whoever asks from afar knows neither our clock
    /// nor can he leave anything out: a time is one from now on, and what is left out has a value.
    /// A length is what it is in any case, and is told as such a time.
    fileprivate init(_ shape: Shape.Field) {
        let field = Field(name: shape.name, isOptional: shape.isOptional)
        if shape.name == .until || shape.name == .duration {
            self.init("duration_usec", "t", field)
        } else if shape.name == .value {
            self.init("counted", "x", field)
        } else {
            self.init(shape.name.rawValue, shape.type.busSignature, field)
        }
    }
}

/// What is wrong with what somebody asked for: a sentence.
struct ArgumentError: Error, Equatable {
    var text: String

    init(_ text: String) { self.text = text }

    /// The sentence for whoever asked, whose own words in it may be long, or steer a terminal.
    var shown: String {
        let scalars = text.unicodeScalars.prefix(500).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

// From what was said to what is wanted.
extension GateMethod {
    /// The longest time that can be asked for: about a hundred years.
    static let longestTime: UInt64 = 100 * 366 * 86_400 * 1_000_000
    /// How long the words of a move may be, in bytes.
    static let longestMove = 200

    /// What a call wants.
    enum Wish: Equatable {
        /// To ask the gate.
        case ask(Question.Matter)
        /// To hear of each edge for so long, or no longer.
        case followEdges(Duration)
    }

    /// What a call with these values wants at `now`. Throws for what makes no sense.
    func wish(_ body: [BusValue], at now: Instant) throws(ArgumentError) -> Wish {
        let given = body.map(\.signature).joined()
        guard given == signature else {
            throw ArgumentError("\(name) takes \(described), and this is '\(given)'")
        }
        switch purpose {
        case .request(let kind): return .ask(try request(kind, body, at: now))
        case .reload: return .ask(.reload)
        case .simulate:
            guard let move = body[0].text, move.utf8.count <= Self.longestMove else {
                throw ArgumentError("move: at most \(Self.longestMove) bytes")
            }
            return .ask(.simulate(move))
        case .followEdges:
            let longest = UInt64(Followers.longestLease.wholeMicroseconds)
            guard case .uint64(let lease) = body[0], lease <= longest else {
                throw ArgumentError("lease_usec: at most \(longest), or 0 to hear no more")
            }
            return .followEdges(.microseconds(Int64(lease)))
        }
    }

    private func request(
        _ kind: Request.Kind, _ body: [BusValue], at now: Instant
    ) throws(ArgumentError) -> Question.Matter {
        var fields = Fields()
        for (argument, value) in zip(arguments, body) {
            guard let field = argument.field, let value = try argument.value(value, at: now) else {
                continue
            }
            fields.all.append(Fields.Field(field.name, value))
        }
        do throws(FieldError) {
            let request = try Request(kind.rawValue, fields)
            guard case .adopt = request, case .fields(let policy)? = fields[.policy] else {
                return .request(request)
            }
            return .adopt(policy)
        } catch {
            throw ArgumentError(error.description)
        }
    }

    /// The arguments for people: `'ss' (direction, mode)`.
    private var described: String {
        arguments.isEmpty
            ? "nothing" : "'\(signature)' (\(arguments.map(\.name).joined(separator: ", ")))"
    }
}

extension BusArgument {
    /// The value of the field that this is; nil where it stands for none.
    fileprivate func value(
        _ value: BusValue, at now: Instant
    ) throws(ArgumentError) -> FieldValue? {
        if signature == "t", let field {
            let isLength = field.name == .duration
            guard case .uint64(let time) = value, time <= GateMethod.longestTime else {
                let none = isLength ? "the usual time" : "good"
                throw ArgumentError("\(name): at most \(GateMethod.longestTime), or 0 for \(none)")
            }
            if time == 0 { return nil }
            return .integer(
                isLength ? Int64(time) : (now + .microseconds(Int64(time))).nanoseconds)
        }
        if signature == "x", field?.isOptional == true, let number = value.integer, number < 0 {
            guard number == -1 else {
                throw ArgumentError("\(name): an amount, or -1 where nobody has counted")
            }
            return nil
        }
        if field?.isOptional == true, value.text == "" { return nil }
        if let known = value.fieldValue { return known }
        throw ArgumentError("\(name): \(value.whyNoField)")
    }
}

extension BusValue {
    /// What is in it that the vocabulary has no word for.
    fileprivate var whyNoField: String { unknownKey ?? "it holds a value of a type of no field" }

    private var unknownKey: String? {
        if let pairs {
            for (key, value) in pairs {
                guard FieldName(rawValue: key) != nil else {
                    let names = FieldName.allCases.map(\.rawValue)
                    return "no field is called '\(key)'" + suggestion(for: key, among: names)
                }
                if let unknown = value.unknownKey { return unknown }
            }
            let keys = pairs.map(\.key)
            return Set(keys).count < keys.count ? "a key comes twice" : nil
        }
        return elements?.lazy.compactMap(\.unknownKey).first
    }
}
