public import StateMachines
public import System
public import Turnstile

/// Something that the gate told without being asked.
public enum GateEvent: Hashable, Sendable {
    /// Something was recorded.
    case recorded(GateRecord)
    /// So many records were not told.
    case recordsLost(UInt64)
    /// A line has changed: told to whoever has asked to ``GateConnection/followEdges(for:)``.
    case line(LineNews)
    /// What the gate tells of itself is no longer what it was.
    case changed
    /// The service has gone away, or there is another.
    case ownerChanged(isThere: Bool)
}

/// What the gate tells of its lines.
public enum LineNews: Hashable, Sendable {
    /// A line is active, or energised, or no longer, since then in the gate's monotonic time.
    case edge(Line, isOn: Bool, at: Instant)
    /// So many edges, or more, were not told; 0 where nobody knows whether there were any.
    case lost(UInt64)

    /// The news of a signal; nil for a signal of other types, and for lines that this version does
    /// not know.
    init?(_ signal: BusMessage) {
        switch (signal.member, signal.signature) {
        case ("Edge", "tsb"):
            guard let time = signal.body[0].integer, let isOn = signal.body[2].boolean,
                let line = Line.words.first(where: { $0.name == signal.body[1].text })
            else { return nil }
            self = .edge(line, isOn: isOn, at: Instant(nanoseconds: time))
        case ("EdgesLost", "t"):
            self = .lost(UInt64(clamping: signal.body[0].integer ?? 0))
        case (.some, _), (nil, _): return nil
        }
    }
}

/// A record, as the bus tells it.
public struct GateRecord: Hashable, Sendable {
    /// Its number in the ledger; 0 where there is none, or it is not known yet.
    public let sequence: UInt64
    /// When it was made, in the gate's monotonic time.
    public let time: Instant
    /// What it says; nil for one that this version does not know.
    public let record: Record?
    /// Its name.
    public let name: String
    /// Its fields.
    public let fields: BusValue

    /// The record of a signal; nil for a signal of other types.
    init?(_ signal: BusMessage) {
        guard signal.body.count >= 4, let sequence = signal.body[0].integer,
            let time = signal.body[1].integer, let name = signal.body[2].text
        else { return nil }
        self.sequence = UInt64(clamping: sequence)
        self.time = Instant(nanoseconds: time)
        self.name = name
        fields = signal.body[3]
        record = fields.fields.flatMap { try? Record(name, $0) }
    }

    /// For people.
    public var sentence: String {
        record.map { JournalEntry($0, state: "", credit: 0).message } ?? "\(name) \(fields.json)"
    }

    /// How much it matters.
    public var priority: Priority {
        record.map { JournalEntry($0, state: "", credit: 0).priority } ?? .notice
    }

    /// The record by the bus's names.
    public var values: [(String, BusValue)] {
        [
            ("sequence", .uint64(sequence)), ("time_nsec", .int64(time.nanoseconds)),
            ("name", .string(name)), ("fields", fields),
        ]
    }
}

extension GateEvent {
    /// What a message of the bus tells; nil for nothing about the gate.
    init?(_ message: BusMessage) {
        guard message.kind == .signal else { return nil }
        switch (message.interface, message.member) {
        case (GateNames.interface, "Record"):
            guard let record = GateRecord(message) else { return nil }
            self = .recorded(record)
        case (GateNames.interface, "RecordsLost"):
            self = .recordsLost(UInt64(clamping: message.body.first?.integer ?? 0))
        case (GateNames.interface, "Edge"), (GateNames.interface, "EdgesLost"):
            guard let news = LineNews(message) else { return nil }
            self = .line(news)
        case (GateNames.properties, "PropertiesChanged"): self = .changed
        case ("org.freedesktop.DBus", "NameOwnerChanged"):
            guard message.body.count >= 3, message.body[0].text == GateNames.service else {
                return nil
            }
            self = .ownerChanged(isThere: message.body[2].text != "")
        case (.some, .some), (.none, .some), (.some, .none), (.none, .none): return nil
        }
    }
}
