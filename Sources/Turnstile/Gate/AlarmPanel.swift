public import StateMachines

/// Which alarms are up, and whether the siren sounds.
public struct AlarmPanel: StateMachine, Hashable, Sendable {
    /// What may happen to the panel.
    public enum Event: Hashable, Sendable {
        /// Something happened that people should look at.
        case raised(Alarm, Lasting)
        /// What an alarm was about is over.
        case over(Alarm)
        /// The mechanic's key was turned.
        case acknowledged
        /// Time passed.
        case timePassed(Instant)
    }

    /// How long an alarm lasts.
    public enum Lasting: Hashable, Sendable {
        /// Until this instant.
        case until(Instant)
        /// Until what it is about is over.
        case whileItLasts
        /// Until the mechanic's key is turned.
        case latched
    }

    /// What the panel says.
    public enum Command: Hashable, Sendable {
        /// An alarm that was not up is up.
        case reportRaised(Alarm)
        /// An alarm is no longer up.
        case reportCleared(Alarm)
    }

    private var forced: Lasting?
    private var reverse: Lasting?
    private var delayed: Lasting?

    /// A silent panel.
    public init() {}

    /// How long `alarm` will be up, or nil when it is not.
    public private(set) subscript(alarm: Alarm) -> Lasting? {
        get {
            switch alarm {
            case .forcedPassage: forced
            case .reversePassage: reverse
            case .passageDelayed: delayed
            case _: nil
            }
        }
        set {
            switch alarm {
            case .forcedPassage: forced = newValue
            case .reversePassage: reverse = newValue
            case .passageDelayed: delayed = newValue
            case _: break
            }
        }
    }

    /// Whether the siren sounds.
    public var isSounding: Bool { forced != nil || reverse != nil || delayed != nil }

    /// When the next alarm that ends by itself does so.
    public var deadline: Instant? {
        .earliest(forced?.end, .earliest(reverse?.end, delayed?.end))
    }

    /// Puts an alarm up, or takes it down.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .raised(let alarm, let lasting):
            let isNew = self[alarm] == nil
            if self[alarm] != .latched { self[alarm] = lasting }
            return isNew ? .handled(.reportRaised(alarm)) : .handled
        case .over(let alarm):
            guard self[alarm] == .whileItLasts else { return .ignored("the alarm has its own end") }
            self[alarm] = nil
            return .handled(.reportCleared(alarm))
        case .acknowledged:
            guard isSounding else { return .ignored("no alarm is up") }
            return clear { _ in true }
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return clear { lasting in lasting.end.map { $0 <= now } ?? false }
        }
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        for alarm in Alarm.allCases {
            if case .until(let end) = self[alarm] { self[alarm] = .until(end + duration) }
        }
    }

    private mutating func clear(where isOver: (Lasting) -> Bool) -> Outcome<Command> {
        var commands = Commands<Command>()
        for alarm in Alarm.allCases {
            guard let lasting = self[alarm], isOver(lasting) else { continue }
            self[alarm] = nil
            commands.append(.reportCleared(alarm))
        }
        return .handled(commands)
    }
}

extension AlarmPanel.Lasting {
    /// When the alarm ends by itself, or nil.
    var end: Instant? {
        switch self {
        case .until(let end): end
        case .whileItLasts, .latched: nil
        }
    }
}
