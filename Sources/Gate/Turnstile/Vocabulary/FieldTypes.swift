public import StateMachines

/// The type of a field's value, for all notations.
public indirect enum FieldType: Hashable, Sendable {
    /// Yes or no.
    case boolean
    /// A whole number within these bounds.
    case integer(ClosedRange<Int64>)
    /// Minor units of the currency.
    case amount
    /// A time, in whole microseconds.
    case microseconds
    /// A time, in nanoseconds.
    case nanoseconds
    /// Any text.
    case text
    /// One of the names of a list.
    case word(of: String)
    /// The fields of a composite, by its title.
    case fields(of: String)
    /// Several of them.
    case list(of: FieldType)
}

extension FieldType {
    /// The type in a few words.
    public var words: String {
        switch self {
        case .boolean: "true or false"
        case .integer(0...Int64.max): "a number"
        case .integer(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .amount: "an amount"
        case .microseconds: "a time in µs"
        case .nanoseconds: "a time in ns"
        case .text: "a text"
        case .word(let list): "a name of \(list)"
        case .fields(let title): "the fields of \(title)"
        case .list(let type): "a list, each \(type.words)"
        }
    }
}

/// A value that a field can have, and its conversion.
public protocol FieldConvertible: Hashable, Sendable {
    /// The field's type.
    static var fieldType: FieldType { get }
    /// The value of the field.
    var fieldValue: FieldValue { get }
    /// The value of `value`.
    init(_ value: FieldValue) throws(FieldError)
    /// The same in place of `former`: later fields that are missing keep its values.
    init(_ value: FieldValue, over former: Self?) throws(FieldError)
    /// Whether the owner could have written all that it says, where it is theirs to say.
    var isPossible: Bool { get }
}

extension FieldConvertible {
    /// A value without fields is always possible.
    public var isPossible: Bool { true }

    /// The value of `value`: without fields nothing can be missing.
    public init(_ value: FieldValue, over former: Self?) throws(FieldError) {
        try self.init(value)
    }

    /// The field's value is not one of these.
    @_semantics("optimize.sil.specialize.generic.never")
    static func mismatch(_ value: FieldValue) -> FieldError {
        FieldError(.type(fieldType), found: value.line ?? "\(value)")
    }
}

extension Bool: FieldConvertible {
    /// Yes or no.
    public static var fieldType: FieldType { .boolean }
    /// Yes or no.
    public var fieldValue: FieldValue { .boolean(self) }
    /// The value of `value`.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let isSo = value.boolean else { throw Self.mismatch(value) }
        self = isSo
    }
}

extension UInt32: FieldConvertible {
    /// A number within its bounds.
    public static var fieldType: FieldType { .integer(0...Int64(UInt32.max)) }
    /// The number.
    public var fieldValue: FieldValue { .integer(Int64(self)) }
    /// The number that the value is.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer.flatMap({ UInt32(exactly: $0) }) else {
            throw Self.mismatch(value)
        }
        self = number
    }
}

extension String: FieldConvertible {
    /// Any text.
    public static var fieldType: FieldType { .text }
    /// The text.
    public var fieldValue: FieldValue { .text(self) }
    /// The text that the value is.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let text = value.text else { throw Self.mismatch(value) }
        self = text
    }
}

extension Array: FieldConvertible where Element: FieldConvertible {
    /// A list of the elements' type.
    public static var fieldType: FieldType { .list(of: Element.fieldType) }
    /// A list of the elements' values.
    @_semantics("optimize.sil.specialize.generic.never")
    public var fieldValue: FieldValue { .list(map { $0.fieldValue }) }
    /// Whether the owner could have written all that they say.
    public var isPossible: Bool { allSatisfy { $0.isPossible } }
    /// The elements that the values stand for.
    public init(_ value: FieldValue) throws(FieldError) { try self.init(value, over: nil) }

    /// The elements of the values. An element equal to the former one in its place, except for
    /// later fields, keeps those; any other is a new one without former values.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ value: FieldValue, over former: [Element]?) throws(FieldError) {
        guard case .list(let values) = value else { throw Self.mismatch(value) }
        self = []
        for (index, value) in values.enumerated() {
            do throws(FieldError) {
                append(try Element(value))
                guard let former, former.indices.contains(index) else { continue }
                let kept = try Element(value, over: former[index])
                if kept == former[index] { self[index] = kept }
            } catch {
                throw error.below("\(index)")
            }
        }
    }
}

extension PerAcceptor: FieldConvertible where Value: FieldConvertible {
    /// A list of the acceptors' type.
    public static var fieldType: FieldType { .list(of: Value.fieldType) }
    /// The acceptors' values, in their order.
    public var fieldValue: FieldValue { .list(Acceptor.ordered.map { self[$0].fieldValue }) }
    /// Whether the owner could have written all that they say.
    public var isPossible: Bool { Acceptor.ordered.allSatisfy { self[$0].isPossible } }
    /// The acceptors' values.
    public init(_ value: FieldValue) throws(FieldError) { try self.init(value, over: nil) }

    /// The acceptors' values. Later fields that are missing keep the same acceptor's former values.
    public init(_ value: FieldValue, over former: PerAcceptor?) throws(FieldError) {
        guard case .list(let values) = value, values.count == Acceptor.ordered.count else {
            throw Self.mismatch(value)
        }
        var read: [Value] = []
        for (index, acceptor) in Acceptor.ordered.enumerated() {
            do throws(FieldError) {
                read.append(try Value(values[index], over: former?[acceptor]))
            } catch {
                throw error.below("\(index)")
            }
        }
        self.init { read[$0.index] }
    }
}

/// An amount that may be left out, in minor units of the currency.
struct Amount: FieldConvertible {
    var value: Int

    static var fieldType: FieldType { .amount }
    var fieldValue: FieldValue { .integer(Int64(value)) }

    init(_ value: Int) { self.value = value }
    init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer, let exact = Int(exactly: number) else {
            throw Self.mismatch(value)
        }
        self.value = exact
    }
}

extension TimeOfDay: FieldConvertible {
    /// Midnight.
    static let blank: TimeOfDay = {
        guard let midnight = TimeOfDay(minute: 0) else { preconditionFailure("it is a time") }
        return midnight
    }()

    /// The minutes since midnight.
    public static var fieldType: FieldType { .integer(0...1439) }
    /// The minutes since midnight.
    public var fieldValue: FieldValue { .integer(Int64(minute)) }
    /// The time that the value says.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let minute = value.integer, let time = TimeOfDay(minute: Int(clamping: minute)) else {
            throw Self.mismatch(value)
        }
        self = time
    }
}

/// An optional time in whole microseconds; fractions are dropped.
struct Microseconds: FieldConvertible {
    var value: Duration

    static var fieldType: FieldType { .microseconds }
    var fieldValue: FieldValue { .integer(value.wholeMicroseconds) }

    init(_ value: Duration) { self.value = value }
    init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer, Self.fieldType.holds(number) else {
            throw Self.mismatch(value)
        }
        self.value = .microseconds(number)
    }
}

/// A time that may be left out, in nanoseconds.
struct Nanoseconds: FieldConvertible {
    var value: Duration

    static var fieldType: FieldType { .nanoseconds }
    var fieldValue: FieldValue { .integer(value.wholeNanoseconds) }

    init(_ value: Duration) { self.value = value }
    init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer else { throw Self.mismatch(value) }
        self.value = .nanoseconds(number)
    }
}

extension Instant: FieldConvertible {
    /// A time, in nanoseconds.
    public static var fieldType: FieldType { .nanoseconds }
    /// Nanoseconds of monotonic time.
    public var fieldValue: FieldValue { .integer(nanoseconds) }
    /// The moment that the value is.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer else { throw Self.mismatch(value) }
        self.init(nanoseconds: number)
    }
}
