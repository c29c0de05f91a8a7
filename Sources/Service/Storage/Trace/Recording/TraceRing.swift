import StateMachines
import System

/// The limits of a ring.
public struct TraceLimits: Hashable, Sendable {
    /// How many bytes all files take together.
    public var size: Int
    /// How long a time they cover, in the service's own time, since a wall clock may be set.
    public var age: Duration

    public init(size: Int = 16_000_000, age: Duration = .seconds(24 * 3600)) {
        self.size = size
        self.age = age
    }
}

/// The files of a ring: the oldest is removed before a new one is begun.
///
/// A restart loop leaves a file with each start, and would soon push out all earlier ones. So of
/// files with little time the first and the last are kept, and those between go first.
struct TraceRing {
    private static let parts = 16
    /// A file of less time is a short life, unless it has its share of the size.
    private static let shortLife: Duration = .seconds(60)

    private struct Part {
        var number: UInt64
        var size: Int
        /// The least time that it covers.
        var span: Duration
        /// Whether that is exact.
        var isMeasured: Bool
    }

    private let folder: any TraceFolder
    private let limits: TraceLimits
    private var parts: [Part] = []
    /// The last file begun or attempted.
    private var lastNumber: UInt64 = 0
    private var sink: (any TraceSink)?
    private var start = Instant.zero
    private var wasRead = false
    /// Whether a write succeeded, and whether one failed.
    private var (hasWritten, hasFailed) = (false, false)
    /// The bytes to write before a full disk costs another file.
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
        // A name that exists is skipped.
        lastNumber += 1
        let file = try folder.make(lastNumber)
        parts.append(Part(number: lastNumber, size: 0, span: .zero, isMeasured: true))
        start = time
        sink = file
    }

    /// Writes `bytes`, which cover steps until `time`, after the header line of a new file.
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

    /// Measures one earlier file. All at once would take minutes in a large ring, more than a
    /// restart loop lives.
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

    /// Ends the present file after a failed write; for want of `room` also removes the oldest ones
    /// of that size. Others may use that room: no more are removed until half of it was used here.
    /// In a restart loop on a full disk the first failure removes nothing.
    mutating func abandon(forWantOf room: Int?) {
        if sink != nil, let last = parts.last, last.size == 0 {
            parts.removeLast()
            // Without a file there is no gap in the numbers.
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

    /// Finds the earlier files. Unreadable ones count with their size.
    private mutating func readFolder() throws(SystemError) {
        parts = []
        for number in try folder.numbers() {
            let size = (try? folder.size(number)) ?? 0
            // The beginning of a file suffices to see a short life.
            let span = folder.span(of: number, enough: Self.shortLife)
            parts.append(
                Part(
                    number: number, size: size, span: span, isMeasured: span <= Self.shortLife))
        }
        lastNumber = max(lastNumber, parts.last?.number ?? 0)
        wasRead = true
    }

    /// Of the longest run of short lives removes those between the first and the last, until all
    /// short lives take a quarter of the size.
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

    /// Removes the oldest files until there is room for this size, and the rest cover no more than
    /// the time limit.
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
        // The next start finds and removes it.
        try? folder.remove(parts.removeFirst().number)
    }
}
