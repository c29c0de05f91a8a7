public import StateMachines
public import System
public import Turnstile

/// One value that a method takes or answers with, or that a signal tells.
public struct BusArgument: Hashable, Sendable {
    public let name: String
    /// Its type, as D-Bus spells it.
    public let signature: String
    /// The field that it is of a request; nil where it is none.
    package let field: Shape.Field?

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
    /// Whether it is a time from now on, or a length.
    package var isTime: Bool { field != nil && signature == "t" }

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
}
