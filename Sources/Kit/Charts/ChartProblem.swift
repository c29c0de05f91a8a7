public import StateMachines

/// All that is wrong with a chart, found in one go.
public struct ChartError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The mistakes, from the top of the source to the bottom.
    public let problems: [ChartProblem]

    init(_ problems: [ChartProblem]) {
        self.problems = problems.sorted {
            ($0.locations[0], $0.message) < ($1.locations[0], $1.message)
        }
    }

    /// One line for each mistake.
    public var description: String {
        problems.map { $0.description }.joined(separator: "\n")
    }
}

/// One mistake in a chart.
public struct ChartProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistake.
    public enum Kind: Hashable, Sendable {
        /// A chart without states, braces with nothing between them, or a parallel state without
        /// regions.
        case emptyBlock
        /// A state that is declared twice.
        case repeatedState
        /// A case of the enum that is no state of the chart, or a state that a line names and the
        /// chart lacks.
        case undeclaredState
        /// Several states without an `initial` that says which one is entered.
        case missingInitial
        /// A second `initial`, or a second `history` of one depth, in one state.
        case repeatedLine
        /// An `initial` or `history` where there are no states to enter or that leads out of its
        /// state, or a line other than `onEntry` in a final state.
        case misplacedLine
        /// Targets that cannot be active together.
        case conflictingTargets
        /// A row that leads to the history of a state without states inside it, or an `initial`
        /// that leads to its own history while that leads to it.
        case noHistory
        /// A row that says nothing.
        case emptyRow
        /// A row that ignores an event and does something about it.
        case contradictoryRow
        /// A row without event and condition that leads nowhere.
        case endlessRow
        /// `internally` in a row that leads nowhere, out of its state, or into regions.
        case outwardInternal
        /// A row behind others that leave nothing to it, or for a state that is never done.
        case rowNeverTaken
        /// A row for the event that says that time has passed.
        case timeAsEvent
        /// A state that nothing leads to.
        case unreachableState
        /// A state and an event for which there is no row, in the state or round it.
        case undecidedPair
        /// An enum whose raw values do not count from 0, or with too many cases for a chart.
        case unsuitableType
    }

    /// What kind of mistake it is.
    public let kind: Kind
    /// The mistake in words, without the place.
    public let message: String
    /// The places concerned, at least one, from the top of the source to the bottom.
    public let locations: [SourceLocation]

    init(_ kind: Kind, _ message: String, at locations: SourceLocation...) {
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

/// What a chart may leave open. By default it may leave nothing open.
public struct ChartTolerance: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// A tolerance of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The enum may have cases that are no states of the chart.
    public static let undeclaredStates = ChartTolerance(rawValue: 1)
    /// States need not be reachable.
    public static let unreachableStates = ChartTolerance(rawValue: 2)
    /// A state need not have a row for each event: the event is then unhandled.
    public static let undecidedPairs = ChartTolerance(rawValue: 4)
    /// Rows may stand behind others that leave nothing to them, or be for what is never done.
    public static let rowsNeverTaken = ChartTolerance(rawValue: 8)
    /// Rows may say `internally` and lead outwards: as in SCXML they are then like any other.
    public static let outwardInternals = ChartTolerance(rawValue: 16)
    /// All of these: good for a sketch.
    public static let everything: ChartTolerance = [
        .undeclaredStates, .unreachableStates, .undecidedPairs, .rowsNeverTaken, .outwardInternals,
    ]
}
