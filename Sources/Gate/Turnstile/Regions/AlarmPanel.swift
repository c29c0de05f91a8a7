public import StateMachines

/// The alarms that are up, and for how long.
public struct AlarmPanel: TimedMachine, Sendable {
    /// The events of the panel.
    public enum Event: Hashable, Sendable {
        case raised(Alarm, Lasting)
        /// The cause of the alarm has ended.
        case over(Alarm)
        /// The mechanic turned the key, or an operator acknowledged the alarms.
        case acknowledged
        case timePassed(Instant)
    }

    /// How long an alarm lasts.
    public enum Lasting: Hashable, Sendable {
        /// Until this instant.
        case until(Instant)
        /// Until its cause has ended.
        case whileItLasts
        /// Until the mechanic's key is turned.
        case latched
    }

    /// The commands of the panel.
    public enum Command: Hashable, Sendable {
        /// An alarm that was not up is up.
        case reportRaised(Alarm)
        /// An alarm is no longer up.
        case reportCleared(Alarm)
    }

    /// The alarms that are up.
    public private(set) var up = AlarmSet()
    private var lasting = PerAlarm<Lasting?>(repeating: nil)
    /// When the next alarm times out.
    public private(set) var deadline: Instant?

    /// A panel on which only these alarms are up, latched.
    public init(_ latched: AlarmSet = []) {
        precondition(
            Alarm.ordered.allSatisfy { $0.index < PerAlarm<Lasting?>.count },
            "there are more alarms than there is room for: write so in PerAlarm, Alarms.swift")
        for alarm in Alarm.ordered where latched[alarm] { put(alarm, .latched) }
    }

    /// The alarms that are up until the key is turned.
    public var latched: AlarmSet {
        up.isEmpty ? [] : Alarm.ordered.reduce(into: []) { $0[$1] = self[$1] == .latched }
    }

    /// How long `alarm` stays up; nil if it is not up.
    public subscript(alarm: Alarm) -> Lasting? { lasting[alarm.index] }

    /// Puts an alarm up, or takes it down.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .raised(let alarm, let lasting):
            let isNew = !up[alarm]
            if self[alarm] != .latched { put(alarm, lasting) }
            return isNew ? .handled(.reportRaised(alarm)) : .handled
        case .over(let alarm):
            guard self[alarm] == .whileItLasts else { return .ignored("the alarm has its own end") }
            put(alarm, nil)
            return .handled(.reportCleared(alarm))
        case .acknowledged:
            guard !up.isEmpty else { return .ignored("no alarm is up") }
            return clear { $0 != .whileItLasts }
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return clear { lasting in lasting.end.map { $0 <= now } ?? false }
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        for alarm in Alarm.ordered {
            if case .until(let end) = self[alarm] { put(alarm, .until(end + duration)) }
        }
    }

    private mutating func put(_ alarm: Alarm, _ lasting: Lasting?) {
        self.lasting[alarm.index] = lasting
        up[alarm] = lasting != nil
        deadline = nil
        let span = self.lasting.span
        for index in span.indices { deadline = .earliest(deadline, span[index]?.end) }
    }

    private mutating func clear(where isOver: (Lasting) -> Bool) -> Outcome<Command> {
        var commands = Commands<Command>()
        for alarm in Alarm.ordered {
            guard let lasting = self[alarm], isOver(lasting) else { continue }
            put(alarm, nil)
            commands.append(.reportCleared(alarm))
        }
        return commands.isEmpty
            ? .ignored("what the alarms are about goes on") : .handled(commands)
    }
}

extension AlarmPanel: Hashable {
    /// Whether the same alarms are up for the same time.
    public static func == (a: AlarmPanel, b: AlarmPanel) -> Bool {
        a.up == b.up && Alarm.ordered.allSatisfy { a[$0] == b[$0] }
    }

    /// Feeds the alarms that are up.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(up)
        for alarm in Alarm.ordered where up[alarm] { hasher.combine(self[alarm]) }
    }
}

extension AlarmPanel.Lasting {
    var end: Instant? {
        switch self {
        case .until(let end): end
        case .whileItLasts, .latched: nil
        }
    }
}

extension AlarmPanel: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "alarm_panel" }
    /// One on which no alarm is up.
    public static var blank: AlarmPanel { AlarmPanel() }

    /// The alarms that are up, and for how long.
    public func visit(_ fields: inout some FieldVisitor) -> AlarmPanel {
        let raised = Alarm.ordered.compactMap { alarm in
            self[alarm].map { Raised(alarm: alarm, lasting: $0) }
        }
        var panel = AlarmPanel()
        for alarm in fields.field(.up, raised) {
            if panel.up[alarm.alarm] { fields.reject(.up) }
            panel.put(alarm.alarm, alarm.lasting)
        }
        return panel
    }

    /// An alarm that is up.
    struct Raised: Composite {
        var alarm: Alarm
        var lasting: Lasting

        static var title: String { "lasting_alarm" }
        static let blank = Raised(alarm: .forcedPassage, lasting: .latched)

        func visit(_ fields: inout some FieldVisitor) -> Raised {
            let alarm = fields.field(.alarm, alarm)
            return Raised(alarm: alarm, lasting: fields.inline(lasting, as: .end))
        }
    }
}
