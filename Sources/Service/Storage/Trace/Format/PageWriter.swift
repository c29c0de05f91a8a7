import Controller
import StateMachines
import Turnstile

/// Writes the steps of one page: a repeated event is spelled once, and has a number from then on.
struct PageWriter {
    private var texts = TextTable()
    /// The numbers of values without moments.
    private var events: [KnownEvent: UInt64] = [:]
    private var commands: [Command: UInt64] = [:]
    private var records: [Record: UInt64] = [:]
    /// The numbers of all values, moments taken out.
    private var entries: [Entry: UInt64] = [:]
    private var next = PageFormat.firstNumber
    /// The time of the last step, to which the next is relative.
    private var time = Instant.zero
    private var start = Instant.zero
    /// The time of the last step before the frame.
    private var frameStart = Instant.zero
    private var frame = ByteWriter()

    /// An event without its time, and its verdict.
    private struct KnownEvent: Hashable {
        var kind: Event.Kind
        var verdict: RecordedVerdict
    }

    var entryCount: Int { entries.count }

    /// The content of a page's first frame: the state at this moment.
    mutating func state(_ state: PageState) -> [UInt8] {
        (start, time) = (state.time, state.time)
        frame.clear()
        frame.append(state, &texts)
        return frame.bytes
    }

    mutating func beginFrame() {
        frame.clear()
        frameStart = time
    }

    /// The content of the present frame: its times, and its steps.
    var content: [UInt8] {
        var content = ByteWriter()
        content.append(signed: frameStart.nanoseconds &- start.nanoseconds)
        content.append(signed: time.nanoseconds &- frameStart.nanoseconds)
        content.append(frame.bytes)
        return content.bytes
    }

    /// About how many bytes the frame has so far.
    var frameSize: Int { frame.bytes.count }

    /// Whether the frame is full: 64 KiB, or a second. Damage costs the rest of one.
    func isFrameFull(at time: Instant) -> Bool {
        frameSize >= 65_536 || frameSize > 0 && time - frameStart >= .seconds(1)
    }

    mutating func append(_ item: TraceItem) {
        switch item {
        case .event(let event, let verdict): append(event, verdict)
        case .command(let command):
            if let number = commands[command] { return frame.append(varint: number) }
            let (number, holdsMoment) = append(Entry(.command, command))
            if !holdsMoment, let own = command.remade { commands[own] = number }
        case .record(let record):
            if let number = records[record] { return frame.append(varint: number) }
            let (number, holdsMoment) = append(Entry(.record, record))
            if !holdsMoment, let own = record.remade { records[own] = number }
        case .postponed(let duration):
            frame.append(varint: PageFormat.postponed)
            frame.append(signed: duration.wholeNanoseconds)
        case .shell(let event, let time): append(Entry(.shellEvent, event), at: time)
        case .shellCommand(let command): append(Entry(.shellCommand, command))
        case .lost(let count):
            frame.append(varint: PageFormat.lost)
            frame.append(varint: count)
        case .unknown: break
        }
    }

    private mutating func append(_ event: Event, _ verdict: RecordedVerdict) {
        let known = KnownEvent(kind: event.kind, verdict: verdict)
        if let number = events[known] {
            frame.append(varint: number)
            return move(to: event.time)
        }
        var entry = Entry(.event, event.kind)
        entry.verdict = verdict
        let (number, holdsMoment) = append(entry, at: event.time)
        if !holdsMoment, let own = event.kind.remade {
            events[KnownEvent(kind: own, verdict: verdict)] = number
        }
    }

    /// Returns the value's number, and whether it has a moment.
    @discardableResult
    private mutating func append(
        _ entry: Entry, at time: Instant? = nil
    ) -> (number: UInt64, holdsMoment: Bool) {
        var entry = entry
        let template = Template(entry.fields)
        entry.fields = template.fields
        let number = entries[entry] ?? define(entry, template.moments.count)
        frame.append(varint: number)
        if let time { move(to: time) }
        for moment in template.moments {
            frame.append(signed: moment &- self.time.nanoseconds)
        }
        return (number, !template.moments.isEmpty)
    }

    private mutating func move(to time: Instant) {
        frame.append(signed: time.nanoseconds &- self.time.nanoseconds)
        self.time = time
    }

    private mutating func define(_ entry: Entry, _ momentCount: Int) -> UInt64 {
        frame.append(varint: PageFormat.definition)
        frame.append(entry.kind.rawValue)
        frame.append(varint: momentCount)
        frame.append(entry.verdict.code)
        if case .ignored(let reason) = entry.verdict { texts.write(reason, to: &frame) }
        texts.write(entry.name, to: &frame)
        frame.append(entry.fields, &texts)
        entries[entry] = next
        defer { next += 1 }
        return next
    }
}

// The table holds copies, nothing of the loop's: see ``StepQueue``.
extension Event.Kind {
    /// A copy, made of its encoded form.
    fileprivate var remade: Event.Kind? { try? Event.Kind(name, fields) }
}

extension Command {
    fileprivate var remade: Command? { try? Command(name, fields) }
}

extension Record {
    fileprivate var remade: Record? { try? Record(name, fields) }
}

/// The tags of items in a frame of steps.
enum PageFormat {
    /// A definition of the next number follows.
    static let definition: UInt64 = 0
    /// The machine's waits were postponed.
    static let postponed: UInt64 = 1
    /// Missing steps before this: how many.
    static let lost: UInt64 = 2
    /// The first number of definitions; lower ones are reserved.
    static let firstNumber: UInt64 = 8
}

/// A numbered value of a page.
struct Entry: Hashable {
    /// The first bit says whether it has a time of its own.
    enum Kind: UInt8 {
        case command = 0, event = 1, record = 2
        case shellEvent = 3, shellCommand = 4
    }

    var kind: Kind
    var name: String
    /// Each moment in them is 0.
    var fields: Fields
    var verdict = RecordedVerdict.handled

    init(_ kind: Kind, _ value: some Named) {
        self.kind = kind
        name = value.name
        fields = value.fields
    }
}

extension RecordedVerdict {
    var code: UInt8 {
        switch self {
        case .handled: 0
        case .ignored: 1
        case .unhandled: 2
        }
    }
}
