/// All that is wrong with a table, found in one go.
public struct TableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The mistakes, from the top of the source to the bottom.
    public let problems: [TableProblem]

    init(_ problems: [TableProblem]) {
        var seen: Set<TableProblem> = []
        self.problems = problems.filter { seen.insert($0).inserted }.sorted {
            ($0.locations[0], $0.message) < ($1.locations[0], $1.message)
        }
    }

    /// One line for each mistake.
    public var description: String {
        problems.map { $0.description }.joined(separator: "\n")
    }
}

/// One mistake in a table.
public struct TableProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistake.
    public enum Kind: Hashable, Sendable {
        /// A table without a single statement.
        case emptyTable
        /// Braces with no row between them, or a statement that says nothing.
        case emptyBlock
        /// Two rows for the same state and event that lead to the same state.
        case duplicateRows
        /// Two rows for the same state and event that lead to different states.
        case clash
        /// Two rows that ask for different predicates, of which neither is the more specific, and
        /// that both hold for some combination of values.
        case implicitClash
        /// A row that asks for two values of one predicate at the same time.
        case contradictoryMatching
        /// A row that asks for the same value twice.
        case duplicatePredicate
        /// A row that asks for a predicate that the table does not declare.
        case unknownPredicate
        /// A predicate that the table declares and no row asks for.
        case unusedPredicate
        /// A predicate that the table declares twice.
        case repeatedPredicate
        /// A statement that adopts the same super state twice.
        case repeatedAdoption
        /// An override of nothing.
        case nothingToOverride
        /// An override in the super state of a row that it could only be overridden by.
        case overrideOutOfOrder
        /// A row that is never taken, since more specific rows leave nothing to it.
        case rowNeverTaken
        /// A row that ignores its event, and so cannot enter its state anew.
        case ignoredReentry
        /// A row that works with the payload of a state or event that it is not about.
        case wrongCase
        /// A row that leads to a state without a `define`.
        case undefinedTarget
        /// A state without a `define` that no row leads to, or that a machine starts in.
        case undefinedState
        /// A state that is declared `final` and has a `define` as well.
        case finalAndDefined
        /// A state that nothing leads to.
        case unreachableState
        /// A state that nothing leads out of and that is not declared `final`.
        case stateWithoutExit
        /// A pair of state and event that no row decides, at least for some predicates.
        case undecidedPair
        /// An enum whose raw values do not count from 0, that lacks a case among `allCases`, or
        /// with too many cases for a table; or rows that ask for too many predicates.
        case unsuitableType
    }

    /// What kind of mistake it is.
    public let kind: Kind
    /// The mistake in words, without the place.
    public let message: String
    /// The places concerned, at least one, from the top of the source to the bottom.
    public let locations: [SourceLocation]

    init(_ kind: Kind, _ message: String, at locations: [SourceLocation]) {
        self.kind = kind
        self.message = message
        self.locations = locations.sorted()
    }

    /// `file:line:column: message`, and the other places.
    public var description: String {
        let others = locations.dropFirst().map { $0.description }
        return "\(locations[0]): \(message)"
            + (others.isEmpty ? "" : " (see \(others.joined(separator: ", ")))")
    }
}

/// What a table may leave open. By default it may leave nothing open.
public struct TableTolerance: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// A tolerance of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// States need no `define`: in one without, every event is unhandled.
    public static let undefinedStates = TableTolerance(rawValue: 1)
    /// States need not be reachable.
    public static let unreachableStates = TableTolerance(rawValue: 2)
    /// States need no exit.
    public static let statesWithoutExit = TableTolerance(rawValue: 4)
    /// Pairs of state and event may be undecided: the event is then unhandled.
    public static let undecidedPairs = TableTolerance(rawValue: 8)
    /// Values of events that no row names may be undecided.
    public static let otherValues = TableTolerance(rawValue: 16)
    /// All of these: good for a sketch.
    public static let everything: TableTolerance = [
        .undefinedStates, .unreachableStates, .statesWithoutExit, .undecidedPairs, .otherValues,
    ]
}
