import BusInterface
public import StateMachines
public import System
public import Turnstile

public enum GateEvent: Hashable, Sendable {
    case recorded(GateRecord)
    case recordsLost(UInt64)
    /// A line has changed, after ``GateConnection/followEdges(for:)``.
    case line(LineNews)
    /// The properties have changed.
    case changed
    /// The service has gone away, or there is another.
    case ownerChanged(isThere: Bool)
}

public enum LineNews: Hashable, Sendable {
    /// A line is active, or energised, or no longer, since then in the gate's monotonic time.
    case edge(Line, isOn: Bool, at: Instant)
    /// So many edges, or more, are missing; 0 if that is unknown.
    case lost(UInt64)

    /// The edge of a signal's values; nil for a line that this version does not know.
    fileprivate init?(edge values: [BusValue]) {
        guard let time = values[0].integer, let isOn = values[2].boolean,
            let line = Line.words.first(where: { $0.name == values[1].text })
        else { return nil }
        self = .edge(line, isOn: isOn, at: Instant(nanoseconds: time))
    }
}

public struct GateRecord: Hashable, Sendable {
    /// Its number in the ledger; 0 without a ledger, or while it is unknown.
    public let sequence: UInt64
    /// When it was made, in the gate's monotonic time.
    public let time: Instant
    /// Nil for a record that this version does not know.
    public let record: Record?
    public let name: String
    public let fields: BusValue

    /// The record of a signal's values; nil if they are invalid.
    fileprivate init?(_ values: [BusValue]) {
        guard let sequence = values[0].integer, let time = values[1].integer,
            let name = values[2].text
        else { return nil }
        self.sequence = UInt64(clamping: sequence)
        self.time = Instant(nanoseconds: time)
        self.name = name
        fields = values[3]
        record = fields.fields.flatMap { try? Record(name, $0) }
    }

    public var sentence: String {
        record?.entry.sentence ?? "\(name) \(fields.json)"
    }

    public var priority: Priority {
        record?.entry.kind.priority ?? .notice
    }

    public var values: [(String, BusValue)] {
        let values: [BusValue] = [
            .uint64(sequence), .int64(time.nanoseconds), .string(name), fields,
        ]
        return Array(zip(GateInterface.record.arguments.map(\.name), values))
    }
}

extension GateEvent {
    /// The event of a bus message; nil for messages not about the gate.
    init?(_ message: BusMessage) {
        guard message.kind == .signal else { return nil }
        if let values = GateInterface.record.values(of: message) {
            guard let record = GateRecord(values) else { return nil }
            self = .recorded(record)
        } else if let values = GateInterface.recordsLost.values(of: message) {
            self = .recordsLost(UInt64(clamping: values[0].integer ?? 0))
        } else if let values = GateInterface.edge.values(of: message) {
            guard let news = LineNews(edge: values) else { return nil }
            self = .line(news)
        } else if let values = GateInterface.edgesLost.values(of: message) {
            self = .line(.lost(UInt64(clamping: values[0].integer ?? 0)))
        } else if message.interface == GateInterface.properties,
            message.member == "PropertiesChanged"
        {
            self = .changed
        } else if message.interface == BusMessage.bus, message.member == "NameOwnerChanged",
            message.body.count >= 3, message.body[0].text == GateInterface.service
        {
            self = .ownerChanged(isThere: message.body[2].text != "")
        } else {
            return nil
        }
    }
}
