/// A fact that decides between rows of a table: an enum such as
/// `enum Enforcement { weak, strong }`.
///
/// A table names its predicates in ``TableSyntax/Predicates``, so that an event without a value for
/// each of them, or with one too many, does not compile. Two types of the same short name stay two.
public protocol Predicate: Enumerated, PredicateSet {}

/// The values of all predicates of a table at one moment.
public protocol PredicateSet: Sendable {
    /// The place of these values among all combinations, from 0.
    var combination: Int { get }
    /// How many combinations of values there are.
    static var combinationCount: Int { get }
    #if !hasFeature(Embedded)
        /// The predicates, the one that changes slowest along the combinations first.
        static var dimensions: [PredicateDimension] { get }
    #endif
}

/// One predicate type of a table. Types are told apart by their identity, never by name.
public struct PredicateDimension: Sendable {
    /// How many values the predicate has.
    let count: Int
    #if !hasFeature(Embedded)
        let type: any Predicate.Type
        /// Whether the values' places are their raw values, where they have some.
        let isCounted: Bool

        init<P: Predicate>(_ type: P.Type) {
            self.type = type
            count = P.count
            isCounted = countsFromZero(type)
        }
    #endif
}

/// Whether each value of a type has its place in `allCases` for its ordinal.
func countsFromZero<Value: Enumerated>(_ type: Value.Type) -> Bool {
    var place = 0
    for value in type.allCases {
        if value.ordinal != place { return false }
        place += 1
    }
    return true
}

extension Predicate {
    /// The value's place among the cases.
    @inlinable public var combination: Int { ordinal }
    /// How many cases there are.
    @inlinable public static var combinationCount: Int { count }
    #if !hasFeature(Embedded)
        /// This predicate alone.
        public static var dimensions: [PredicateDimension] { [PredicateDimension(Self.self)] }
    #endif
}

/// The predicates of a table that has none.
@frozen
public struct NoPredicates: PredicateSet, Hashable {
    /// The one combination there is.
    @inlinable
    public init() {}
    /// The one combination there is.
    @inlinable public var combination: Int { 0 }
    /// One.
    @inlinable public static var combinationCount: Int { 1 }
    #if !hasFeature(Embedded)
        /// None.
        public static var dimensions: [PredicateDimension] { [] }
    #endif
}

#if !hasFeature(Embedded)
    extension NoPredicates: Codable {}
#endif

/// Two predicates at once. More nest: `Both<Enforcement, Both<Reward, Season>>`.
@frozen
public struct Both<First: PredicateSet, Second: PredicateSet>: PredicateSet {
    /// The value of the first.
    public var first: First
    /// The value of the second.
    public var second: Second

    /// A value for each.
    @inlinable
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// The place of the pair among all pairs.
    @inlinable public var combination: Int {
        first.combination &* Second.combinationCount &+ second.combination
    }

    /// How many pairs there are.
    @inlinable public static var combinationCount: Int {
        First.combinationCount * Second.combinationCount
    }

    #if !hasFeature(Embedded)
        /// Those of both.
        public static var dimensions: [PredicateDimension] { First.dimensions + Second.dimensions }
    #endif
}

extension Both: Equatable where First: Equatable, Second: Equatable {}
extension Both: Hashable where First: Hashable, Second: Hashable {}
#if !hasFeature(Embedded)
    extension Both: Encodable where First: Encodable, Second: Encodable {}
    extension Both: Decodable where First: Decodable, Second: Decodable {}
#endif

/// What a row asks of one predicate: to have one of these values.
struct Clause: Sendable {
    #if !hasFeature(Embedded)
        let type: any Predicate.Type
    #endif
    /// The places of the values named, in the order of writing; nil where a value has none.
    let places: [Int?]
    let location: SourceLocation

    #if !hasFeature(Embedded)
        init<P: Predicate>(_ values: [P], at location: SourceLocation) {
            type = P.self
            let all = Array(P.allCases)
            places = values.map { all.firstIndex(of: $0) }
            self.location = location
        }

        func hasSameType(as other: Clause) -> Bool { type == other.type }
    #else
        func hasSameType(as other: Clause) -> Bool { false }
    #endif

    /// The values as bits.
    var mask: UInt64 {
        var bits: UInt64 = 0
        for case let place? in places { bits |= 1 &<< UInt64(place) }
        return bits
    }
}

/// Where in the source a statement of a table stands.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    init(_ file: StaticString, _ line: UInt, _ column: UInt) {
        self.file = file.description
        self.line = line
        self.column = column
    }

    /// By file, then from top to bottom.
    public static func < (a: SourceLocation, b: SourceLocation) -> Bool {
        (a.file, a.line, a.column) < (b.file, b.line, b.column)
    }

    /// `file:line`.
    public var description: String { "\(file):\(line)" }
}
