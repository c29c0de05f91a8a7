import Keeping
import StateMachines
import System
import Turnstile

/// One copy of the state in a file: text, filled up with zeros, and a checksum of all before it.
struct StateSlot: Hashable {
    static let size = 4096
    private static let version = 1
    /// The word that its first line begins with.
    private static let heading = "turnstiled-state"
    /// The word before when it was written, in nanoseconds.
    private static let moment = "written"
    /// The word before what the clock on the wall was ahead, in nanoseconds.
    private static let clock = "clock"
    /// How many bytes the checksum takes: eight hexadecimal digits and a line feed.
    private static let checksumSize = 9

    /// Counts the writings; the later one counts. After the last number comes 0 again.
    var sequence: UInt64
    var bootID: String
    /// The state, in monotonic time.
    var state: RetainedState
    /// What the clock on the wall was ahead of monotonic time; nil where no time is in the state.
    var wallOffset: Duration?

    /// When it was written; nil where it does not matter for how long it was true.
    var written: Instant?

    /// Why a slot is none.
    enum Flaw: Error, Hashable {
        case blank
        /// It is not as it was written, or is none of this service's.
        case damaged
        case version(String)
    }

    init(
        sequence: UInt64, bootID: String, state: RetainedState, wallOffset: Duration = .zero,
        written: Instant? = nil
    ) {
        self.sequence = sequence
        self.bootID = bootID
        self.state = state
        self.wallOffset = state.holdsTimes ? wallOffset : nil
        self.written = state.isAnybodyAwaited || state.holdsTimes ? written : nil
    }

    /// The state as a process of another boot finds it that starts at `now`, where the clock on the
    /// wall is so much ahead of the monotonic one: of each length of time is left what was left as
    /// it was written, less what has passed since. By a clock that is behind nothing has.
    func stateOfAnotherBoot(at now: Instant, wallOffset: Duration) -> RetainedState {
        guard let before = self.wallOffset else { return state }
        var moved = state
        guard let written else {
            // As versions before wrote it.
            moved.moveTimes(by: before - wallOffset)
            return moved
        }
        let (then, now) = (written.sinceBoot, now.sinceBoot)
        let passed = now + wallOffset - (then + before)
        moved.moveTimes(by: now - then - max(.zero, passed))
        return moved
    }

    /// The state as a process of the same boot finds it that starts at `now`.
    func stateOfThisBoot(at now: Instant) -> RetainedState {
        var state = state
        state.absence = written.flatMap { $0 <= now ? $0.elapsed(until: now) : nil }
        return state
    }

    func isLater(than other: StateSlot) -> Bool {
        Int64(bitPattern: sequence &- other.sequence) > 0
    }

    private var clock: [String] {
        wallOffset.map { ["\(Self.clock) \($0.wholeNanoseconds)"] } ?? []
    }

    private var moment: [String] { written.map { ["\(Self.moment) \($0.nanoseconds)"] } ?? [] }

    /// The bytes of the slot. What finds no room is left out: coins that are being counted.
    var bytes: [UInt8] {
        let room = Self.size - Self.checksumSize
        var text = text(state)
        if text.count >= room { text = self.text(state.withoutCoins) }
        precondition(text.count < room, "every state but for coins finds room in a slot")
        let filled = text + [UInt8](repeating: 0, count: room - text.count)
        return filled + Self.checksum(of: filled[...])
    }

    private func text(_ state: RetainedState) -> [UInt8] {
        let lines =
            ["\(Self.heading) \(Self.version)", "sequence \(sequence)", "boot \(bootID)"]
            + clock + moment + state.lines.map { "\($0.name) \($0.value)" }
        return Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    init(_ bytes: ArraySlice<UInt8>) throws(Flaw) {
        if bytes.allSatisfy({ $0 == 0 }) { throw .blank }
        guard bytes.count == Self.size,
            Self.checksum(of: bytes.dropLast(Self.checksumSize)).elementsEqual(
                bytes.suffix(Self.checksumSize))
        else { throw .damaged }
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        // By scalars: one that begins a name may be one character with what stands before it.
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
        let written = try Self.take(Self.moment, from: &fields).map { Instant(nanoseconds: $0) }
        guard let state = try? RetainedState(lines: fields), state.holdsTimes == (wallOffset != nil)
        else { throw .damaged }
        self.init(
            sequence: sequence, bootID: bootID, state: state, wallOffset: wallOffset ?? .zero,
            written: written)
    }

    /// The number after this word, where it comes first.
    private static func take(
        _ word: String, from fields: inout [(name: String, value: String)]
    ) throws(Flaw) -> Int64? {
        guard fields.first?.name == word else { return nil }
        guard let number = Int64(fields.removeFirst().value) else { throw .damaged }
        return number
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = String(CRC32.checksum(of: bytes), radix: 16)
        return Array("\(String(repeating: "0", count: 8 - digits.count))\(digits)\n".utf8)
    }
}

extension Instant {
    /// The time since the boot, which is far from what a duration can hold.
    fileprivate var sinceBoot: Duration { .nanoseconds(nanoseconds) }

    /// How long it is from then to `now`; nil for longer than anybody can count.
    fileprivate func elapsed(until now: Instant) -> Duration? {
        let (length, isTooLong) = now.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return isTooLong ? nil : .nanoseconds(length)
    }
}
