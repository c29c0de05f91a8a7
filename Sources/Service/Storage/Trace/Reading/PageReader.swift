import Controller
import StateMachines
import Turnstile

/// Reads the frames of one page, in order.
struct PageReader {
    let state: PageState
    private var texts = TextList()
    private var entries: [KnownEntry] = []
    private var time = Instant.zero
    /// The times that the page can cover.
    private let span: ClosedRange<Instant>
    private var reader: ByteReader
    private let vocabulary: Int
    /// Whether to read the steps of the shell's machines; else they are skipped.
    private let readsShell: Bool

    /// A numbered value of the page: parsed, or parsed again each time.
    private enum KnownEntry {
        case event(Event.Kind, RecordedVerdict)
        case shell(ShellEvent)
        case item(TraceItem)
        /// A value with moments is made anew each time, from its fields.
        case template(Entry.Kind, String, Fields, RecordedVerdict, momentCount: Int)
        /// Unknown or unwanted: its bytes are skipped.
        case passed(TraceItem?, hasTime: Bool, momentCount: Int)
    }

    /// The most values of an entry with moments, several times what any written one has. It bounds
    /// the time of each occurrence.
    private static let valuesAtMost = 1_024
    /// The longest name or reason. They are repeated each time.
    private static let longestWord = 1_024

    init(
        stateIn bytes: [UInt8], _ range: Range<Int>, vocabulary: Int, readsShell: Bool
    ) throws(TraceFlaw) {
        reader = ByteReader(bytes, in: range)
        self.vocabulary = vocabulary
        self.readsShell = readsShell
        state = try reader.pageState(&texts)
        time = state.time
        span = state.time - TraceFormat.longestTime...state.time + TraceFormat.longestTime
    }

    var offset: Int { reader.index }

    mutating func turn(to bytes: [UInt8], _ range: Range<Int>) throws(TraceFlaw) {
        reader = ByteReader(bytes, in: range)
        time = Instant(nanoseconds: state.time.nanoseconds &+ (try reader.signed()))
        _ = try reader.signed()
    }

    /// The next item of the frame; nil at its end.
    @inline(__always) mutating func next() throws(TraceFlaw) -> TraceItem? {
        while !reader.isAtEnd {
            let number = try reader.varint()
            if number >= PageFormat.firstNumber {
                guard let item = try item(number) else { continue }
                return item
            }
            switch number {
            case PageFormat.definition: try define()
            case PageFormat.lost: return .lost(Int(clamping: try reader.varint()))
            case PageFormat.postponed: return .postponed(by: try delay())
            default: throw .malformed("an unknown kind of step")
            }
        }
        return nil
    }

    @inline(__always)
    private mutating func item(_ number: UInt64) throws(TraceFlaw) -> TraceItem? {
        let index = number - PageFormat.firstNumber
        guard index < UInt64(entries.count) else { throw .malformed("an unknown number") }
        switch entries[Int(index)] {
        case .event(let kind, let verdict):
            try move()
            return .event(Event(kind, at: time), verdict)
        case .shell(let event):
            try move()
            return .shell(event, at: time)
        case .item(let item): return item
        case .template(let kind, let name, let fields, let verdict, let momentCount):
            if kind.hasTime { try move() }
            var moments: [Int64] = []
            for _ in 0..<momentCount { moments.append(try reader.signed() &+ time.nanoseconds) }
            var (filled, index) = (fields, 0)
            filled.exchangeMoments { _ in
                defer { index += 1 }
                return index < moments.count ? moments[index] : 0
            }
            return item(kind, name, filled, verdict, at: time)
        case .passed(let item, let hasTime, let momentCount):
            if hasTime { try move() }
            for _ in 0..<momentCount { _ = try reader.signed() }
            return item
        }
    }

    private mutating func move() throws(TraceFlaw) {
        time = Instant(nanoseconds: time.nanoseconds &+ (try reader.signed()))
        guard span.contains(time) else {
            throw .malformed("a time that is too far away")
        }
    }

    private mutating func delay() throws(TraceFlaw) -> Duration {
        let delay = Duration.nanoseconds(try reader.signed())
        guard (.zero...TraceFormat.longestTime).contains(delay) else {
            throw .malformed("a delay that is too long")
        }
        return delay
    }

    private mutating func define() throws(TraceFlaw) {
        guard let kind = Entry.Kind(rawValue: try reader.byte()) else {
            throw .malformed("an unknown kind of entry")
        }
        let momentCount = try reader.itemCount()
        let verdict: RecordedVerdict
        switch try reader.byte() {
        case 0: verdict = .handled
        case 1: verdict = .ignored(try word())
        case 2: verdict = .unhandled
        default: throw .malformed("an unknown verdict")
        }
        let name = try word()
        let fields = try reader.fields(&texts)
        guard readsShell || !kind.isOfShell else {
            return entries.append(.passed(nil, hasTime: kind.hasTime, momentCount: momentCount))
        }
        // The moment of an unknown field would be taken for another field's.
        guard Template(fields).moments.count == momentCount else {
            return entries.append(
                .passed(
                    .unknown(name, isEvent: kind == .event), hasTime: kind.hasTime,
                    momentCount: momentCount))
        }
        let item = item(kind, name, fields, verdict, at: .zero)
        if case .unknown = item {
            entries.append(.passed(item, hasTime: kind.hasTime, momentCount: momentCount))
        } else if momentCount > 0 {
            guard fields.valueCount <= Self.valuesAtMost else {
                throw .malformed("an entry that is too long")
            }
            entries.append(.template(kind, name, fields, verdict, momentCount: momentCount))
        } else if case .event(let event, let verdict) = item {
            entries.append(.event(event.kind, verdict))
        } else if case .shell(let event, _) = item {
            entries.append(.shell(event))
        } else {
            entries.append(.item(item))
        }
    }

    private mutating func word() throws(TraceFlaw) -> String {
        let word = try texts.read(&reader)
        guard word.utf8.count <= Self.longestWord else {
            throw .malformed("a name that is too long")
        }
        return word
    }

    /// The item of this value; `.unknown` if it cannot be parsed.
    private func item(
        _ kind: Entry.Kind, _ name: String, _ fields: Fields, _ verdict: RecordedVerdict,
        at time: Instant
    ) -> TraceItem {
        do throws(FieldError) {
            switch kind {
            case .event:
                let happened = try Event.Kind(name, fields, version: vocabulary)
                guard happened.isWithinBounds else { break }
                return .event(Event(happened, at: time), verdict)
            case .command: return .command(try .init(name, fields, version: vocabulary))
            case .record: return .record(try .init(name, fields, version: vocabulary))
            case .shellEvent:
                return .shell(try .init(name, fields, version: vocabulary), at: time)
            case .shellCommand:
                return .shellCommand(try .init(name, fields, version: vocabulary))
            }
        } catch {}
        return .unknown(name, isEvent: kind == .event)
    }
}

extension Event.Kind {
    /// Whether its amounts can be summed without overflow: a gate's always can.
    fileprivate var isWithinBounds: Bool {
        switch self {
        case .ledgerOpened(let balances): balances.isWithinBounds
        case .requested(.adopt(let policy), by: _): policy.isWithinBounds
        case _: true
        }
    }
}

extension Entry.Kind {
    var hasTime: Bool { self == .event || self == .shellEvent }

    var isOfShell: Bool { self == .shellEvent || self == .shellCommand }
}
