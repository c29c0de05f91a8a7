public import StateMachines

/// What a value of the domain may be as a field, in all that writes fields down.
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

/// What a field can tell: a value, and how it is written down and read.
public protocol FieldConvertible: Hashable, Sendable {
    /// What it is as a field.
    static var fieldType: FieldType { get }
    /// The value of the field.
    var fieldValue: FieldValue { get }
    /// What this value stands for.
    init(_ value: FieldValue) throws(FieldError)
}

extension FieldConvertible {
    /// The field's value is none of these.
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
    /// What the value says.
    public init(_ value: FieldValue) throws(FieldError) {
        guard let isSo = value.boolean else { throw Self.mismatch(value) }
        self = isSo
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
    /// A list of what its elements are.
    public static var fieldType: FieldType { .list(of: Element.fieldType) }
    /// A list of what its elements are.
    @_semantics("optimize.sil.specialize.generic.never")
    public var fieldValue: FieldValue { .list(map { $0.fieldValue }) }
    /// The elements that the values stand for.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ value: FieldValue) throws(FieldError) {
        guard case .list(let values) = value else { throw Self.mismatch(value) }
        self = []
        for (index, value) in values.enumerated() {
            do throws(FieldError) {
                append(try Element(value))
            } catch {
                throw error.below("\(index)")
            }
        }
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

/// A time that may be left out, in whole microseconds; what is finer is left out.
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
