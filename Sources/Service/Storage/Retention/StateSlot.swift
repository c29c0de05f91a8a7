import Keeping
import StateMachines
import System
import Turnstile

/// One copy of the state in a file: text, padded with zeros, and a checksum of it.
struct StateSlot: Hashable {
    static let size = 4096
    private static let version = 1
    /// The first word of its first line.
    private static let heading = "turnstiled-state"
    /// Precedes the time of writing, in nanoseconds.
    private static let moment = "written"
    /// Precedes the offset of the wall clock, in nanoseconds.
    private static let clock = "clock"
    /// Precedes the offset of local time from UTC, in seconds.
    private static let zone = "zone"
    /// The checksum's size: eight hexadecimal digits and a line feed.
    private static let checksumSize = 9

    /// Counts the writes: the later slot is valid. After the last number comes 0 again.
    var sequence: UInt64
    var bootID: String
    /// The state, in monotonic time.
    var state: RetainedState
    /// The wall clock's offset from monotonic time; nil if the state has no times.
    var wallOffset: Duration?
    /// The offset of local time from UTC, in seconds; nil if the state has no times, and in slots
    /// of earlier versions.
    var utcOffset: Int?

    /// When it was written; nil if the state has nothing that ages.
    var written: Instant?

    /// Why a slot is invalid.
    enum Flaw: Error, Hashable {
        case blank
        /// It was altered, or is not this service's.
        case damaged
        case version(String)
    }

    init(
        sequence: UInt64, bootID: String, state: RetainedState, wallOffset: Duration = .zero,
        utcOffset: Int? = nil, written: Instant? = nil
    ) {
        self.sequence = sequence
        self.bootID = bootID
        self.state = state
        self.wallOffset = state.holdsTimes ? wallOffset : nil
        self.utcOffset = state.holdsTimes ? utcOffset : nil
        self.written = state.isAnybodyAwaited || state.holdsTimes ? written : nil
    }

    /// The state for a process of another boot that starts at `now`, with the offsets of then.
    /// Remaining times lose what has passed since the write; nothing, by a clock that is behind.
    func stateOfAnotherBoot(
        at now: Instant, wallOffset: Duration, utcOffset: Int? = nil
    ) -> RetainedState {
        guard let before = self.wallOffset else { return state }
        var moved = state
        guard let written else {
            // In the form of earlier versions.
            moved.moveTimes(by: before - wallOffset)
            return moved
        }
        let (then, now) = (written.sinceBoot, now.sinceBoot)
        let passed = now + wallOffset - (then + before)
        moved.moveTimes(by: now - then - max(.zero, passed))
        // A clock that is behind is in another year, which may have another offset.
        if passed > .zero { moved.setClock(by: zoneChange(to: utcOffset)) }
        return moved
    }

    /// The state for a process of the same boot that starts at `now`, with the offsets of then. A
    /// clock that was set in between is as one that is set while the service runs.
    func stateOfThisBoot(
        at now: Instant, wallOffset: Duration, utcOffset: Int? = nil
    ) -> RetainedState {
        var state = state
        state.absence = written.flatMap { $0 <= now ? $0.elapsed(until: now) : nil }
        guard let before = self.wallOffset else { return state }
        state.setClock(by: wallOffset - before + zoneChange(to: utcOffset))
        return state
    }

    private func zoneChange(to utcOffset: Int?) -> Duration {
        guard let before = self.utcOffset, let utcOffset else { return .zero }
        return .seconds(utcOffset - before)
    }

    func isLater(than other: StateSlot) -> Bool {
        Int64(bitPattern: sequence &- other.sequence) > 0
    }

    private var clock: [String] {
        wallOffset.map { ["\(Self.clock) \($0.wholeNanoseconds)"] } ?? []
    }

    private var zone: [String] { utcOffset.map { ["\(Self.zone) \($0)"] } ?? [] }

    private var moment: [String] { written.map { ["\(Self.moment) \($0.nanoseconds)"] } ?? [] }

    /// The bytes of the slot. Unfinished coins are left out if they do not fit, and then the queue,
    /// in which nobody has paid.
    var bytes: [UInt8] {
        let room = Self.size - Self.checksumSize
        var text = text(state)
        if text.count >= room { text = self.text(state.withoutCoins) }
        if text.count >= room { text = self.text(state.withoutCoins.withoutQueue) }
        precondition(text.count < room, "every state but for these finds room in a slot")
        let filled = text + [UInt8](repeating: 0, count: room - text.count)
        return filled + Self.checksum(of: filled[...])
    }

    private func text(_ state: RetainedState) -> [UInt8] {
        let lines =
            ["\(Self.heading) \(Self.version)", "sequence \(sequence)", "boot \(bootID)"]
            + clock + zone + moment + state.lines.map { "\($0.name) \($0.value)" }
        return Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    init(_ bytes: ArraySlice<UInt8>) throws(Flaw) {
        if bytes.allSatisfy({ $0 == 0 }) { throw .blank }
        guard bytes.count == Self.size,
            Self.checksum(of: bytes.dropLast(Self.checksumSize)).elementsEqual(
                bytes.suffix(Self.checksumSize))
        else { throw .damaged }
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        // By scalars: a combining mark may begin a name.
        var fields = text.unicodeScalars.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
            return (name: words.first ?? "", value: words.count == 2 ? words[1] : "")
        }
        guard fields.count >= 3, fields[0].name == Self.heading else { throw .damaged }
        guard fields[0].value == "\(Self.version)" else { throw .version(fields[0].value) }
        guard fields[1].name == "sequence", let sequence = UInt64(fields[1].value),
            fields[2].name == "boot"
        else { throw .damaged }
        let bootID = fields[2].value
        fields.removeFirst(3)
        let wallOffset = try Self.take(Self.clock, from: &fields).map { Duration.nanoseconds($0) }
        let utcOffset = try Self.take(Self.zone, from: &fields).map { Int(Int32(clamping: $0)) }
        let written = try Self.take(Self.moment, from: &fields).map { Instant(nanoseconds: $0) }
        guard let state = try? RetainedState(lines: fields), state.holdsTimes == (wallOffset != nil)
        else { throw .damaged }
        self.init(
            sequence: sequence, bootID: bootID, state: state, wallOffset: wallOffset ?? .zero,
            utcOffset: utcOffset, written: written)
    }

    /// The number after this word, if the line begins with it.
    private static func take(
        _ word: String, from fields: inout [(name: String, value: String)]
    ) throws(Flaw) -> Int64? {
        guard fields.first?.name == word else { return nil }
        guard let number = Int64(fields.removeFirst().value) else { throw .damaged }
        return number
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = String(CRC32.checksum(of: bytes), radix: 16).zeroPadded(to: 8)
        return Array("\(digits)\n".utf8)
    }
}

extension Instant {
    /// The time since the boot: no overflow.
    fileprivate var sinceBoot: Duration { .nanoseconds(nanoseconds) }

    /// The time from then to `now`; nil on overflow.
    fileprivate func elapsed(until now: Instant) -> Duration? {
        let (length, isTooLong) = now.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return isTooLong ? nil : .nanoseconds(length)
    }
}
