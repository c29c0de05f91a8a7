public import StateMachines

/// The vocabulary of a chart, and with it the words in which the chart is written.
///
///     enum Door: ChartSyntax {
///         enum State: UInt8, Enumerated { case shut, open, ajar, wide }
///         enum Event: UInt8, Enumerated { case push, pull, close }
///         enum Command: Equatable { case lightOn, lightOff, report(ChartLoss<Event>) }
///         static func command(for loss: ChartLoss<Event>) -> Command? { .report(loss) }
///
///         static let chart = Result(catching: {
///             try Chart<Door>(tolerating: .undecidedPairs) {
///                 initial(.shut)
///                 state(.shut) { when(.pull).then(.open) }
///                 state(.open) {
///                     initial(.ajar)
///                     onEntry(.lightOn)
///                     onExit(.lightOff)
///                     when(.close).then(.shut)
///                     state(.ajar) { when(.push).then(.wide) }
///                     state(.wide) { when(.pull).then(.ajar) }
///                 }
///             }
///         })
///     }
public protocol ChartSyntax {
    /// The states of all levels, at most 63.
    associatedtype State: Enumerated
    /// The events, with payloads or without.
    associatedtype Event: Kinded, Sendable
    /// The commands.
    associatedtype Command: Sendable
    /// What a machine remembers beside its states, such as a sum: ``NoContext`` unless stated.
    associatedtype Context: Sendable = NoContext

    /// What is to be done about an event of the chart's own that came to nothing, or about a chart
    /// that runs in circles; nil for nothing.
    static func command(for loss: ChartLoss<Event>) -> Command?

    /// Where the events tell the time: of a ``TimedEvent`` it does, and of others there is none.
    static var clock: ChartClock<Event>? { get }
}

extension ChartSyntax {
    /// None.
    public static var clock: ChartClock<Event>? { nil }
}

extension ChartSyntax where Event: TimedEvent {
    /// The instants of the events.
    public static var clock: ChartClock<Event>? {
        ChartClock(instant: { $0.instant }, timePassed: Event.timePassed)
    }
}

/// A vocabulary with one chart, which all its machines share: then a machine is put away without
/// it.
public protocol SharedChart: ChartSyntax {
    /// The chart.
    static var chart: Chart<Self> { get }
}

/// Events that say when they happened: a chart of these may have `after`.
///
///     struct Event: TimedEvent {
///         enum Kind: UInt8, Enumerated { case pressed, timePassed }
///         let kind: Kind, instant: Instant
///         static let timePassed = Kind.timePassed
///     }
public protocol TimedEvent: Kinded {
    /// When the event happened.
    var instant: Instant { get }
    /// The kind that says that time has passed, and nothing else. No row is about it.
    static var timePassed: Kind { get }
}

/// Nothing to remember beside the states.
public struct NoContext: Hashable, Sendable, Restorable {
    /// The only value.
    public init() {}
    /// Always 1.
    public static var snapshotVersion: Int { 1 }
    /// Does nothing.
    public mutating func shiftInstants(by duration: Duration) {}
}

#if !hasFeature(Embedded)
    extension NoContext: Codable {}
#endif

/// What a chart did for itself that came to nothing.
public enum ChartLoss<Event> {
    /// A raised event that no row took; or one from outside that only fired timeouts by its time.
    case unhandled(Event)
    /// An event that was not looked at, since the limit was reached or the chart has ended.
    case dropped(Event)
    /// One event from outside led to more steps than the chart's limit: it runs in circles.
    case endless
}

extension ChartLoss: Equatable where Event: Equatable {}
extension ChartLoss: Hashable where Event: Hashable {}
extension ChartLoss: Sendable where Event: Sendable {}

/// How much a state remembers of what was active in it when it was left.
public enum ChartHistory: Hashable, Sendable {
    /// Which of its states was active. That one is entered as if it had no history.
    case shallow
    /// Which states were active on all levels.
    case deep
}

/// What conditions and computed commands can see: the chart as it is at that moment, between two
/// exits or entries too.
public struct Situation<Syntax: ChartSyntax> {
    /// What the machine remembers.
    public let context: Syntax.Context
    /// The event that is being handled: nil at the start, on a timeout and when a state is done.
    /// Rows that need no event see the last one.
    public let event: Syntax.Event?
    let instant: Instant
    let configuration: ChartPlaces
    let chart: Chart<Syntax>

    @usableFromInline
    init(
        _ context: Syntax.Context, _ event: Syntax.Event?, _ instant: Instant,
        _ configuration: ChartPlaces, _ chart: Chart<Syntax>
    ) {
        self.context = context
        self.event = event
        self.instant = instant
        self.configuration = configuration
        self.chart = chart
    }

    /// Whether the state is active.
    public func isIn(_ state: Syntax.State) -> Bool { chart.isActive(state, in: configuration) }
}

extension Situation where Syntax.Event: TimedEvent {
    /// The time of the event from outside, or the time at which a timeout was due.
    public var now: Instant { instant }
}
