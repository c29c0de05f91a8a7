/// A type whose values can be told apart by their kind: an enum, with its payloads left out.
///
///     enum Event: Kinded {
///         case coin(value: Int), pass
///         enum Kind: UInt8, Enumerated { case coin, pass }
///         var kind: Kind {
///             switch self {
///             case .coin: .coin
///             case .pass: .pass
///             }
///         }
///     }
///
/// An enum without payloads is its own kind: it conforms to ``Enumerated``.
public protocol Kinded {
    /// The values without their payloads.
    associatedtype Kind: Enumerated
    /// Which kind of value this is.
    var kind: Kind { get }
    /// All values in the order of their kinds, when there are no payloads, else none.
    static var fixedValues: [Self] { get }
    /// Makes `value` the one at this place of `values`, which begin with ``fixedValues``.
    ///
    /// When the move does not apply, the value stays. Where there are no payloads the place is then
    /// the value's own, and nobody needs to look.
    static func move(_ value: inout Self, to place: Int, of values: [Self], if applies: Bool)
}

extension Kinded {
    /// None: there are payloads.
    @inlinable public static var fixedValues: [Self] { [] }
    /// Looks the value up.
    @inlinable
    public static func move(
        _ value: inout Self, to place: Int, of values: [Self], if applies: Bool
    ) {
        if applies { value = values[place] }
    }
}

/// A type with few values, all known: an enum without payloads.
///
/// Give the enum a raw type, `enum Event: UInt8, Enumerated`, and its ``ordinal`` costs nothing;
/// without one it is searched for among the cases.
public protocol Enumerated: Kinded, Hashable, CaseIterable, Sendable where Kind == Self {
    /// The value's place in `allCases`, from 0.
    var ordinal: Int { get }
    /// The value at this place in `allCases`.
    init(ordinal: Int)
    /// How many values there are.
    static var count: Int { get }
}

extension Enumerated {
    /// The value itself.
    @inlinable public var kind: Self { self }

    /// The value's place in `allCases`, found by a search.
    @inlinable public var ordinal: Int {
        var place = 0
        for value in Self.allCases {
            if value == self { return place }
            place += 1
        }
        preconditionFailure("a value is missing from allCases")
    }

    /// The value at this place in `allCases`.
    @inlinable
    public init(ordinal: Int) {
        self = Self.allCases[Self.allCases.index(Self.allCases.startIndex, offsetBy: ordinal)]
    }

    /// How many values there are.
    @inlinable public static var count: Int { allCases.count }

    /// All of them.
    @inlinable public static var fixedValues: [Self] { Array(allCases) }
    /// Works the value out from its place.
    @inlinable
    public static func move(
        _ value: inout Self, to place: Int, of values: [Self], if applies: Bool
    ) {
        value = Self(ordinal: place)
    }
}

extension Enumerated where Self: RawRepresentable, RawValue: FixedWidthInteger {
    /// The raw value, which counts from 0 as Swift numbers the cases of an enum.
    @inlinable public var ordinal: Int { Int(truncatingIfNeeded: rawValue) }

    /// The value with this raw value.
    @inlinable
    public init(ordinal: Int) {
        guard let value = Self(rawValue: RawValue(truncatingIfNeeded: ordinal)) else {
            preconditionFailure("raw values do not count from 0")
        }
        self = value
    }
}

/// A set of kinds, at most 64 of them, in one machine word.
@frozen
public struct KindSet<Kind: Enumerated>: Hashable, Sendable {
    @usableFromInline var bits: UInt64

    @inlinable
    init(bits: UInt64) {
        self.bits = bits
    }

    /// No kinds.
    @inlinable
    public init() {
        self.init(bits: 0)
    }

    /// Every kind there is.
    @inlinable public static var all: KindSet { KindSet(Kind.allCases) }

    /// These kinds.
    @inlinable
    public init(_ kinds: some Sequence<Kind>) {
        self.init()
        for kind in kinds { insert(kind) }
    }

    /// Adds a kind.
    @inlinable
    public mutating func insert(_ kind: Kind) {
        precondition(kind.ordinal < 64, "a kind set holds at most 64 kinds")
        bits |= 1 &<< UInt64(kind.ordinal)
    }

    /// Whether the kind is one of the set.
    @inlinable
    public func contains(_ kind: Kind) -> Bool {
        // A shift that gives 0 beyond the last bit, where no kind can be.
        bits & 1 << kind.ordinal != 0
    }

    /// The kinds of both sets.
    @inlinable
    public func union(_ other: KindSet) -> KindSet { KindSet(bits: bits | other.bits) }

    /// The kinds of this set that the other lacks: after an event, what to switch on or off.
    @inlinable
    public func subtracting(_ other: KindSet) -> KindSet { KindSet(bits: bits & ~other.bits) }

    /// Whether there is no kind in the set.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// The kinds, in the order of their declaration.
    @inlinable public var kinds: [Kind] { Kind.allCases.filter(contains) }
}

extension KindSet: ExpressibleByArrayLiteral {
    /// These kinds.
    @inlinable
    public init(arrayLiteral kinds: Kind...) {
        self.init(kinds)
    }
}

extension KindSet: CustomStringConvertible {
    /// Like an array's.
    public var description: String {
        "[" + kinds.map { name(of: $0) }.joined(separator: ", ") + "]"
    }
}
