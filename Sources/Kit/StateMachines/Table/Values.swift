/// A type of which a table names values: text, numbers, an enum with payloads.
///
///     enum Vending: TableSyntax {
///         typealias State = String
///         enum Event: Valued { case coin(Int), button(String) }
///         enum Command { case drop, giveBack }
///     }
///
/// Its rows say so: `defineValue("paid")`, `whenValue(.coin(20), or: .coin(50))`, `finalValue`.
/// Text and `Int` are such types; any other that is `Hashable` needs no more than the name of this
/// protocol.
///
/// All values are of one kind, ``AnyValue/any``, unless the type has a ``Kinded/Kind`` of its own.
/// What is said of a kind, `when(.any)` or `when(.coin)`, holds for each of its values; what is
/// said of a value is the more specific, as if it asked for one predicate more.
///
/// Where a table names values they are looked up in a dictionary. What it says by kinds alone costs
/// what it always does.
public protocol Valued: Kinded, Hashable, Sendable {
    /// The values without their payloads: there is one kind unless stated.
    associatedtype Kind = AnyValue
}

extension Valued where Kind == AnyValue {
    /// The one kind there is.
    @inlinable public var kind: AnyValue { .any }
}

/// The kind of all values of a ``Valued`` type that has no kinds of its own.
@frozen
public enum AnyValue: UInt8, Enumerated {
    /// Any value: in a table any that has no row of its own.
    case any
}

extension String: Valued {}
extension Int: Valued {}

/// What a statement or a row is about: all values of a kind, or one value.
@usableFromInline
enum Named<Value: Kinded & Sendable>: Sendable {
    /// Finds the place of a value among those that it was made of.
    @usableFromInline typealias Index = @Sendable (Value) -> Int?
    /// Makes an index of values, and leaves out repeated ones.
    @usableFromInline typealias Indexing = @Sendable ([Value]) -> (values: [Value], find: Index)

    case kind(Value.Kind)
    case value(Value, Indexing)

    var kind: Value.Kind {
        switch self {
        case .kind(let kind): kind
        case .value(let value, _): value.kind
        }
    }

    var isValue: Bool {
        switch self {
        case .kind: false
        case .value: true
        }
    }
}

extension Named where Value: Hashable {
    /// One value.
    static func value(_ value: Value) -> Named {
        .value(value) { named in
            var values: [Value] = []
            var places: [Value: Int] = [:]
            for value in named where places[value] == nil {
                places[value] = values.count
                values.append(value)
            }
            return (values, { [places] in places[$0] })
        }
    }
}

/// The places of a table's states, or of its events: the kinds in their order, behind them the
/// values named.
@usableFromInline
struct Places<Value: Kinded & Sendable>: Sendable {
    private let values: [Value]
    @usableFromInline let find: Named<Value>.Index?
    /// For each kind its own place, and those of its values.
    let covered: [[Int]]
    @usableFromInline let kindCount: Int

    init(_ named: [Named<Value>]) {
        var all: [Value] = []
        var indexing: Named<Value>.Indexing?
        for case .value(let value, let itsIndexing) in named {
            all.append(value)
            indexing = itsIndexing
        }
        (values, find) = indexing?(all) ?? ([], nil)
        kindCount = Value.Kind.count
        var covered = (0..<kindCount).map { [$0] }
        for (place, value) in values.enumerated() {
            covered[value.kind.ordinal].append(kindCount + place)
        }
        self.covered = covered
    }

    var count: Int { kindCount + values.count }

    /// The place of a value, its kind's unless the table names it.
    @inlinable
    func place(of value: Value) -> Int {
        if let place = find?(value) { return kindCount + place }
        return value.kind.ordinal
    }

    func place(of named: Named<Value>) -> Int {
        switch named {
        case .kind(let kind): kind.ordinal
        case .value(let value, _): place(of: value)
        }
    }

    func kind(of place: Int) -> Int {
        place < kindCount ? place : values[place - kindCount].kind.ordinal
    }

    /// The value at a place; nil at a kind's.
    func value(at place: Int) -> Value? { place < kindCount ? nil : values[place - kindCount] }

    /// Whether this is a kind of which the table names values.
    func hasValues(_ place: Int) -> Bool { place < kindCount && covered[place].count > 1 }

    func name(of place: Int) -> String {
        place < kindCount
            ? StateMachines.name(of: Value.Kind(ordinal: place))
            : StateMachines.name(of: values[place - kindCount])
    }

    /// What is left of a place when the values named are taken out.
    func nameOfRest(of place: Int) -> String {
        if !hasValues(place) { return name(of: place) }
        return kindCount == 1 ? "any other value" : "any other \(name(of: place))"
    }

    /// The value's name where its kind's would not do.
    func name(of value: Value) -> String {
        hasValues(value.kind.ordinal)
            ? StateMachines.name(of: value) : StateMachines.name(of: value.kind)
    }
}
