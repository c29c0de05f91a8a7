import BusInterface
import StateMachines
import System
import Turnstile

struct ArgumentError: Error, Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// For the caller, whose own words in it may be long, or contain control characters.
    var shown: String {
        let scalars = text.unicodeScalars.prefix(500).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

// D-Bus has no optional values, so a value stands for an absent field.
extension BusArgument {
    /// The longest time in a request, in µs: about a hundred years.
    private static let longestTime: UInt64 = 100 * 366 * 86_400 * 1_000_000

    /// The field's value at `now`; nil if it stands for an absent one. Throws for an invalid value.
    func field(
        of value: BusValue, at now: Instant
    ) throws(ArgumentError) -> Fields.Field? {
        guard let field else { return nil }
        if isTime {
            let isLength = field.type == .microseconds
            guard case .uint64(let time) = value, time <= Self.longestTime else {
                let none = isLength ? "the usual time" : "good"
                throw ArgumentError("\(name): at most \(Self.longestTime), or 0 for \(none)")
            }
            if time == 0 { return nil }
            let end = now + .microseconds(Int64(time))
            return Fields.Field(
                field.name, .integer(isLength ? Int64(time) : end.nanoseconds))
        }
        if signature == "x", field.isOptional, let number = value.integer, number < 0 {
            guard number == -1 else {
                throw ArgumentError("\(name): an amount, or -1 if it was not counted")
            }
            return nil
        }
        if field.isOptional, value.text == "" { return nil }
        guard let known = value.fieldValue else {
            throw ArgumentError("\(name): \(value.problem)")
        }
        return Fields.Field(field.name, known)
    }
}

extension BusValue {
    /// Why the value cannot be parsed as a field's.
    fileprivate var problem: String { unknownKey ?? "it holds a value of an unknown type" }

    private var unknownKey: String? {
        if let pairs {
            for (key, value) in pairs {
                guard FieldName(rawValue: key) != nil else {
                    let names = FieldName.allCases.map(\.rawValue)
                    return "no field is called '\(key)'" + Spelling.question(for: key, among: names)
                }
                if let unknown = value.unknownKey { return unknown }
            }
            let keys = pairs.map(\.key)
            return Set(keys).count < keys.count ? "duplicate key" : nil
        }
        return elements?.lazy.compactMap(\.unknownKey).first
    }
}

extension Spelling {
    /// The nearest known name: `; did you mean 'Grant'?`.
    static func question(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    }
}
