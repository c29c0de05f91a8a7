public import StateMachines
public import System
public import Turnstile

/// An argument or a result of a method, or an argument of a signal.
public struct BusArgument: Hashable, Sendable {
    public let name: String
    /// The D-Bus signature of its value.
    public let signature: String
    /// The request's field that it carries; nil if it carries none.
    package let field: Shape.Field?

    init(_ name: String, _ signature: String) {
        (self.name, self.signature, field) = (name, signature, nil)
    }

    /// The argument for this field of a request. An instant is passed as a time from now on, since
    /// callers do not know our clock; a duration looks the same.
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

// D-Bus has no optional values, so a value stands for an absent field.
extension BusArgument {
    /// Whether it is a time from now on, or a duration.
    package var isTime: Bool { field != nil && signature == "t" }

    /// The argument's value for these fields, if it is received at `now`. A time below a
    /// microsecond becomes one, since 0 means for good.
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
}
