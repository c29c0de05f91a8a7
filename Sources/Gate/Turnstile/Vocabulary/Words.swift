/// A name of a list: a field's value in one word.
public protocol Word: FieldConvertible {
    /// The name of the type in the vocabulary: `direction`.
    static var list: String { get }
    /// All that are in it.
    static var words: [Self] { get }
    /// The name, which never changes: `entry`.
    var name: String { get }
}

extension Word {
    /// A name of the list.
    public static var fieldType: FieldType { .word(of: list) }
    /// The name.
    public var fieldValue: FieldValue { .text(name) }

    /// The value of this name.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ value: FieldValue) throws(FieldError) {
        guard let name = value.text else { throw Self.mismatch(value) }
        guard let word = Self.words.first(where: { $0.name == name }) else {
            throw FieldError(.name(Self.words.map { $0.name }), found: name)
        }
        self = word
    }
}

extension Word where Self: CaseIterable {
    /// All cases.
    public static var words: [Self] { Array(allCases) }
}

extension Word where Self: RawRepresentable, RawValue == String {
    /// The name, which never changes.
    public var name: String { rawValue }
}

extension Direction: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "direction" }
}

extension Mode: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "mode" }
}

extension Enforcement: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "enforcement" }
}

extension CoinFate: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "coin_fate" }
}

extension LineFailure: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "line_failure" }
}

extension Input: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "input" }
}

extension Output: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "output" }
}

extension Line: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "line" }
    /// All lines.
    public static var words: [Line] { all }
    /// The role's name.
    public var name: String { description }
}

extension Weekday: Word {
    /// The name of the type in the vocabulary.
    public static var list: String { "weekday" }
    /// The day's name.
    public var name: String {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }
}
