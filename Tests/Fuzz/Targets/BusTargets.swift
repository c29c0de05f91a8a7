import BusInterface
import StateMachines
import Turnstile

@testable import Bus
@testable import GateClient
@testable import System

/// A call of one of the gate's methods.
enum CallTarget: FuzzTarget {
    static let name = "call"

    static func take(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let methods = GateMethod.all + [.simulate]
        let method = methods[source.index(below: methods.count)]
        // As a rule of the right types, so that the values are looked at.
        let types = source.oneIn(4) ? nil : method.arguments.map(\.signature)
        let body =
            types.map { $0.map { source.value(of: $0) } }
            ?? (0..<source.index(below: 4)).map { _ in source.value(depth: 3) }
        do throws(ArgumentError) {
            _ = try method.parse(body, at: .zero)
        } catch {
            if error.shown.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                fail("an error that cannot be shown: \(error.shown)")
            }
        }
    }
}

/// What a gate tells `turnstilectl` of itself.
enum GateStateTarget: FuzzTarget {
    static let name = "gate-state"

    static func take(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        var properties: [(key: String, value: BusValue)] = []
        for property in GateProperty.all {
            if source.oneIn(8) { continue }
            properties.append(
                (
                    property.name,
                    source.oneIn(2) ? source.value(depth: 4) : source.value(of: property.signature)
                ))
        }
        JSONCheck.check(BusValue.json(properties))
        guard let state = try? GateState(properties) else { return }
        JSONCheck.check(BusValue.json(state.values.map { (key: $0.name, value: $0.value) }))
    }
}

/// What a gate tells `turnstilectl` without being asked.
enum GateEventTarget: FuzzTarget {
    static let name = "gate-event"

    private static let signals: [(interface: String, member: String, types: [String])] =
        GateInterface.signals.map { (GateInterface.name, $0.name, $0.arguments.map(\.signature)) }
        + [
            (GateInterface.properties, "PropertiesChanged", ["s", "a{sv}", "as"]),
            (BusMessage.bus, "NameOwnerChanged", ["s", "s", "s"]),
        ]

    static func take(_ bytes: [UInt8]) {
        var source = ByteSource(bytes)
        let (interface, member, types) = signals[source.index(below: signals.count)]
        // As a rule of the right types, so that the values are looked at.
        let body =
            source.oneIn(4)
            ? (0..<source.index(below: 5)).map { _ in source.value(depth: 3) }
            : types.map { source.value(of: $0) }
        let signal = BusMessage.signal(member, on: interface, at: GateInterface.path, body)
        guard case .recorded(let told) = GateEvent(signal) else { return }
        JSONCheck.check(BusValue.json(told.values.map { (key: $0.0, value: $0.1) }))
        if told.sentence.isEmpty { fail("a record without words: \(told)") }
    }
}

/// Values, one after the other, from bytes that may be any; zeroes where these are at their end.
struct ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func index(below count: Int) -> Int { Int(byte()) % max(1, count) }

    mutating func oneIn(_ count: Int) -> Bool { index(below: count) == 1 }

    mutating func number() -> Int64 {
        switch byte() % 5 {
        case 0: Int64(byte())
        case 1: -Int64(byte())
        case 2: .max
        case 3: .min
        default: (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
        }
    }

    /// A text: a word of the vocabulary as a rule, or any.
    mutating func text() -> String {
        guard oneIn(3) else {
            return Self.words[(Int(byte()) << 8 | Int(byte())) % Self.words.count]
        }
        let count = Int(byte())
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    private static let words: [String] =
        Direction.allCases.map(\.name) + Input.allCases.map(\.name) + Output.allCases.map(\.name)
        + Record.forms.map(\.name) + Request.Kind.allCases.map(\.rawValue)
        + FieldName.allCases.map(\.rawValue)
        + ["", "locked", "free", "controlled", "strong", "weak", "coin 100", "contact fire on"]

    /// A value of any type.
    mutating func value(depth: Int) -> BusValue {
        let simple = ["b", "y", "i", "u", "x", "t", "d", "s", "o"]
        switch index(below: depth > 0 ? 12 : simple.count) {
        case 9: return .variant(value(depth: depth - 1))
        case 10:
            return .dictionary((0..<index(below: 6)).map { _ in (text(), value(depth: depth - 1)) })
        case 11:
            return .array(
                of: "v", (0..<index(below: 6)).map { _ in .variant(value(depth: depth - 1)) })
        case let kind: return value(of: simple[kind])
        }
    }

    /// A value of a type, where it is one that is simple; one of another type elsewhere.
    mutating func value(of signature: String) -> BusValue {
        switch signature {
        case "b": .boolean(byte() % 2 == 1)
        case "y": .byte(byte())
        case "i": .int32(Int32(truncatingIfNeeded: number()))
        case "u": .uint32(UInt32(truncatingIfNeeded: number()))
        case "x": .int64(number())
        case "t": .uint64(UInt64(bitPattern: number()))
        case "d": .double(Double(number()))
        case "s": .string(text())
        case "o": .objectPath("/" + text())
        case "as": .strings((0..<index(below: 6)).map { _ in text() })
        case "a{sv}":
            .dictionary((0..<index(below: 8)).map { _ in (text(), value(depth: 2)) })
        default: value(depth: 3)
        }
    }
}
