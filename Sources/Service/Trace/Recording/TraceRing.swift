import StateMachines
import System

/// How much is kept of what was recorded.
public struct TraceLimits: Hashable, Sendable {
    /// How many bytes all files take together.
    public var size: Int
    /// How long a time they tell of: of the service's own, since a clock on the wall may be set.
    public var age: Duration

    /// Limits.
    public init(size: Int = 16_000_000, age: Duration = .seconds(24 * 3600)) {
        self.size = size
        self.age = age
    }
}

/// The files of a ring: the oldest goes before a new one is begun.
///
/// A service that is started again and again leaves a file each time, and would soon have given up
/// all that was recorded before. Of the files of short lives the first are kept and the last: those
/// between them go first.
struct TraceRing {
    private static let parts = 16
    /// A file of less time than this tells of a short life, unless it has its share of the size.
    private static let shortLife: Duration = .seconds(60)

    private struct Part {
        var number: UInt64
        var size: Int
        /// How long a time it tells of, at least.
        var span: Duration
        /// Whether it is that time.
        var isMeasured: Bool
    }

    private let folder: any TraceFolder
    private let limits: TraceLimits
    private var parts: [Part] = []
    /// The number of the last file that was begun, or tried to be.
    private var lastNumber: UInt64 = 0
    private var sink: (any TraceSink)?
    private var start = Instant.zero
    private var wasRead = false
    /// Whether something was written, and whether something could not be.
    private var (hasWritten, hasFailed) = (false, false)
    /// How much is to be written before a full disk costs another file.
    private var owed = 0

    init(in folder: any TraceFolder, _ limits: TraceLimits) {
        self.folder = folder
        self.limits = limits
    }

    var isOpen: Bool { sink != nil }

    var isGone: Bool { sink.map { !$0.hasName } ?? false }

    var isPartFull: Bool {
        guard isOpen, let part = parts.last else { return false }
        return isGone || part.size >= share || part.span >= limits.age / Self.parts
    }

    private var share: Int { limits.size / Self.parts }

    mutating func begin(at time: Instant) throws(SystemError) {
        try finish()
        if !wasRead { try readFolder() }
        thinOut()
        makeRoom(besides: share)
        // Where there is something of that name, it is the next one's turn.
        lastNumber += 1
        let file = try folder.make(lastNumber)
        parts.append(Part(number: lastNumber, size: 0, span: .zero, isMeasured: true))
        start = time
        sink = file
    }

    /// Writes `bytes`, which tell of what happened until `time`, behind the first line where they
    /// are the first.
    mutating func append(_ bytes: [UInt8], until time: Instant) throws(SystemError) {
        guard let sink, let last = parts.indices.last else { return }
        let bytes = parts[last].size == 0 ? TraceFormat.firstLine + bytes : bytes
        try sink.write(bytes, at: parts[last].size)
        parts[last].size += bytes.count
        owed -= bytes.count
        parts[last].span = max(parts[last].span, time - start)
        hasWritten = true
        measureNext()
    }

    /// Measures one file that was there before. All of them would take a large ring minutes, and
    /// nothing would be left of a service that does not live as long.
    private mutating func measureNext() {
        guard let index = parts.lastIndex(where: { !$0.isMeasured }) else { return }
        parts[index].span = folder.span(of: parts[index].number)
        parts[index].isMeasured = true
        if parts.allSatisfy(\.isMeasured) { makeRoom(besides: 0) }
    }

    mutating func finish() throws(SystemError) {
        guard let sink else { return }
        self.sink = nil
        try sink.synchronize()
    }

    /// Gives up the file that is being written, since it cannot be written; and, for want of
    /// `room`, the oldest that have as much. Others may take that: it costs no more until half of
    /// it was used here. A service that is started again and again on a full disk would give up all
    /// of them: where it has written nothing yet, it is not the first failure that costs something.
    mutating func abandon(forWantOf room: Int?) {
        if sink != nil, let last = parts.last, last.size == 0 {
            parts.removeLast()
            // Without a file nothing is missing between two numbers.
            if (try? folder.remove(last.number)) != nil { lastNumber -= 1 }
        }
        sink = nil
        defer { hasFailed = true }
        guard let room, wasRead, owed <= 0, hasWritten || hasFailed else { return }
        var freed = 0
        while freed < room, parts.count > 1 {
            freed += parts[0].size
            removeOldest()
        }
        owed = freed / 2
    }

    /// Finds what was recorded before. What cannot be read counts for its size.
    private mutating func readFolder() throws(SystemError) {
        parts = []
        for number in try folder.numbers() {
            let size = (try? folder.size(number)) ?? 0
            // To see whether it is a short life takes the beginning of it.
            let span = folder.span(of: number, enough: Self.shortLife)
            parts.append(
                Part(
                    number: number, size: size, span: span, isMeasured: span <= Self.shortLife))
        }
        lastNumber = max(lastNumber, parts.last?.number ?? 0)
        wasRead = true
    }

    /// Removes what is between the first and the last of the short lives that follow one another,
    /// where there are most of them, until all short lives take a quarter of the size.
    private mutating func thinOut() {
        let longest = min(Self.shortLife, limits.age / (2 * Self.parts))
        let share = share
        let isShort = { (part: Part) in part.span < longest && part.size < share }
        while parts.filter(isShort).reduce(0, { $0 + $1.size }) > limits.size / 4 {
            let runs = parts.indices.split { !isShort(parts[$0]) }
            guard let run = runs.max(by: { $0.count < $1.count }) else { return }
            try? folder.remove(parts.remove(at: run[run.startIndex + run.count / 2]).number)
        }
    }

    /// Removes the oldest files, until those that are left have room besides one of this size, and
    /// tell of no longer a time than the limit.
    private mutating func makeRoom(besides size: Int) {
        var (kept, total, span) = (0, size, Duration.zero)
        for part in parts.reversed() {
            total += part.size
            guard total <= limits.size, span < limits.age else { break }
            span += part.span
            kept += 1
        }
        while parts.count > kept { removeOldest() }
    }

    private mutating func removeOldest() {
        // What cannot be removed now is found, and removed, after the next start.
        try? folder.remove(parts.removeFirst().number)
    }
}
