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
    /// How many predicates there are.
    static var dimensionCount: Int { get }
    /// The value of the predicate at this place of the dimensions, by its place among the cases.
    func value(of dimension: Int) -> Int
    /// The predicates, the one that changes slowest along the combinations first.
    ///
    /// - Parameter whole: The set that these are a part of, or these themselves.
    static func dimensions<Whole: PredicateSet>(in whole: Whole.Type) -> [PredicateDimension]
    /// The index of a predicate among the dimensions, the first if it comes twice; nil if it is
    /// missing.
    static func place<P: Predicate>(of predicate: P.Type) -> Int?
}

/// One predicate of a table.
public struct PredicateDimension: Sendable {
    let type: PredicateType
    /// How many values the predicate has.
    let count: Int
    /// Whether the values' places are their raw values, where they have some.
    let isCounted: Bool
    /// Whether it is looked at only where a row asks for it.
    var isLazy = false

    init<P: Predicate, Whole: PredicateSet>(_ type: P.Type, in whole: Whole.Type) {
        self.type = PredicateType(type, place: whole.place(of: type))
        count = P.count
        isCounted = countsFromZero(type)
    }
}

/// The type of a predicate. Types are told apart by their identity, never by name.
struct PredicateType: Sendable {
    #if hasFeature(Embedded)
        // A type cannot be kept as a value there.
        private let place: Int?
    #else
        let type: any Predicate.Type
    #endif

    /// A type, and its place among the predicates of a table; nil for none of them.
    init<P: Predicate>(_ type: P.Type, place: @autoclosure () -> Int?) {
        #if hasFeature(Embedded)
            self.place = place()
        #else
            self.type = type
        #endif
    }
}

extension PredicateType: Hashable {
    static func == (a: PredicateType, b: PredicateType) -> Bool {
        #if hasFeature(Embedded)
            a.place == b.place
        #else
            a.type == b.type
        #endif
    }

    func hash(into hasher: inout Hasher) {
        #if hasFeature(Embedded)
            hasher.combine(place)
        #else
            hasher.combine(ObjectIdentifier(type))
        #endif
    }
}

/// Whether each value of a type has its place in `allCases` for its ordinal.
package func countsFromZero<Value: Enumerated>(_ type: Value.Type) -> Bool {
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
    /// One.
    @inlinable public static var dimensionCount: Int { 1 }
    /// The value's place among the cases.
    @inlinable
    public func value(of dimension: Int) -> Int { ordinal }
    /// This predicate alone.
    public static func dimensions<Whole: PredicateSet>(
        in whole: Whole.Type
    ) -> [PredicateDimension] { [PredicateDimension(Self.self, in: whole)] }
    /// The first place for this predicate, none for another.
    public static func place<P: Predicate>(of predicate: P.Type) -> Int? {
        predicate == Self.self ? 0 : nil
    }
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
    /// None.
    @inlinable public static var dimensionCount: Int { 0 }
    /// Never asked for.
    @inlinable
    public func value(of dimension: Int) -> Int { 0 }
    /// None.
    public static func dimensions<Whole: PredicateSet>(
        in whole: Whole.Type
    ) -> [PredicateDimension] { [] }
    /// None.
    public static func place<P: Predicate>(of predicate: P.Type) -> Int? { nil }
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

    /// Those of both.
    @inlinable public static var dimensionCount: Int {
        First.dimensionCount + Second.dimensionCount
    }
    /// The first's, else the second's.
    @inlinable
    public func value(of dimension: Int) -> Int {
        dimension < First.dimensionCount
            ? first.value(of: dimension) : second.value(of: dimension - First.dimensionCount)
    }

    /// Those of both.
    public static func dimensions<Whole: PredicateSet>(
        in whole: Whole.Type
    ) -> [PredicateDimension] {
        First.dimensions(in: whole) + Second.dimensions(in: whole)
    }
    /// Among the first's, else after them.
    public static func place<P: Predicate>(of predicate: P.Type) -> Int? {
        if let place = First.place(of: predicate) { return place }
        return Second.place(of: predicate).map { First.dimensionCount + $0 }
    }
}

extension Both: Equatable where First: Equatable, Second: Equatable {}
extension Both: Hashable where First: Hashable, Second: Hashable {}
#if !hasFeature(Embedded)
    extension Both: Encodable where First: Encodable, Second: Encodable {}
    extension Both: Decodable where First: Decodable, Second: Decodable {}
#endif

/// Predicates that are looked at only where a row asks for them.
///
/// A table holds a cell for every combination of its predicates; for lazy ones it holds, at each
/// pair of state and event, those that its rows tell apart. So there may be so many of them that
/// their combinations are not to be counted, and what asks for none of them costs nothing more.
///
///     typealias Predicates = Both<Enforcement, Lazily<Both<Season, Both<Weekday, Tariff>>>>
@frozen
public struct Lazily<Values: PredicateSet>: PredicateSet {
    /// The values.
    public var values: Values

    /// These values.
    @inlinable
    public init(_ values: Values) {
        self.values = values
    }

    /// The one combination that a table has cells for.
    @inlinable public var combination: Int { 0 }
    /// One.
    @inlinable public static var combinationCount: Int { 1 }
    /// How many predicates there are.
    @inlinable public static var dimensionCount: Int { Values.dimensionCount }
    /// The value of the predicate at this place.
    @inlinable
    public func value(of dimension: Int) -> Int { values.value(of: dimension) }
    /// The predicates, as lazy ones.
    public static func dimensions<Whole: PredicateSet>(
        in whole: Whole.Type
    ) -> [PredicateDimension] {
        Values.dimensions(in: whole).map { dimension in
            var dimension = dimension
            dimension.isLazy = true
            return dimension
        }
    }
    /// The same as without this.
    public static func place<P: Predicate>(of predicate: P.Type) -> Int? {
        Values.place(of: predicate)
    }
}

extension Lazily: Equatable where Values: Equatable {}
extension Lazily: Hashable where Values: Hashable {}
#if !hasFeature(Embedded)
    extension Lazily: Encodable where Values: Encodable {}
    extension Lazily: Decodable where Values: Decodable {}
#endif

/// What a row asks of one predicate: to have one of these values.
struct Clause: Sendable {
    let type: PredicateType
    /// The places of the values named, in the order of writing; nil where a value has none.
    let places: [Int?]
    let location: SourceLocation

    init<P: Predicate>(_ values: [P], of type: PredicateType, at location: SourceLocation) {
        self.type = type
        let all = Array(P.allCases)
        places = values.map { all.firstIndex(of: $0) }
        self.location = location
    }

    /// The values as bits.
    var mask: UInt64 {
        var bits: UInt64 = 0
        for case let place? in places { bits |= 1 &<< UInt64(place) }
        return bits
    }
}
