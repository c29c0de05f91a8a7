public import StateMachines
public import Turnstile

/// One value that a method takes or answers with, or that a signal tells.
public struct BusArgument: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its type, as D-Bus spells it.
    public let signature: String
    /// The field that it is of a request; nil where it is none.
    private let field: Shape.Field?

    /// A value of this name and type.
    init(_ name: String, _ signature: String) {
        (self.name, self.signature, field) = (name, signature, nil)
    }

    /// The argument that is this field of a request. Whoever asks from afar does not know our
    /// clock: a time is one from now on. A length is told as such a time.
    init(_ field: Shape.Field, of entry: Request.Entry) {
        self.field = field
        switch field.type {
        case .nanoseconds, .microseconds: (name, signature) = (FieldName.duration.rawValue, "t")
        case .boolean, .integer, .amount, .text, .word, .fields, .list:
            name = field.name == .value ? entry.value : field.name.rawValue
            signature = field.type.busSignature
        }
    }
}

// D-Bus has nothing for what is left out, so a value stands for that.
extension BusArgument {
    /// The longest time that can be asked for, in µs: about a hundred years.
    private static let longestTime: UInt64 = 100 * 366 * 86_400 * 1_000_000

    private var isTime: Bool { field != nil && signature == "t" }

    /// What says the argument's field of these, for whoever takes it at `now`. A time that is
    /// shorter than a microsecond is one, since 0 is for good.
    public func value(of fields: Fields, at now: Instant) -> BusValue {
        guard let field else { preconditionFailure("\(name) is no field") }
        guard let value = fields[field.name] else {
            return isTime ? .uint64(0) : signature == "x" ? .int64(-1) : .absent(field.type)
        }
        guard isTime, case .integer(let time) = value else {
            return BusValue(value, as: field.type)
        }
        let length =
            field.type == .microseconds
            ? time : (Instant(nanoseconds: time) - now).wholeMicroseconds
        return .uint64(UInt64(max(1, length)))
    }

    /// The field that a value says at `now`; nil where the value stands for none. Throws for what
    /// makes no sense.
    public func field(
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
                throw ArgumentError("\(name): an amount, or -1 where nobody has counted")
            }
            return nil
        }
        if field.isOptional, value.text == "" { return nil }
        guard let known = value.fieldValue else {
            throw ArgumentError("\(name): \(value.whyNoField)")
        }
        return Fields.Field(field.name, known)
    }
}

/// What is wrong with what somebody asked for: a sentence.
public struct ArgumentError: Error, Hashable, Sendable {
    /// The sentence.
    public let text: String

    /// This is wrong.
    public init(_ text: String) { self.text = text }

    /// The sentence for whoever asked, whose own words in it may be long, or steer a terminal.
    public var shown: String {
        let scalars = text.unicodeScalars.prefix(500).map { scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Spelling {
    /// What was probably meant: `; did you mean 'Grant'?`.
    public static func question(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
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
                    return "no field is called '\(key)'" + Spelling.question(for: key, among: names)
                }
                if let unknown = value.unknownKey { return unknown }
            }
            let keys = pairs.map(\.key)
            return Set(keys).count < keys.count ? "a key comes twice" : nil
        }
        return elements?.lazy.compactMap(\.unknownKey).first
    }
}
