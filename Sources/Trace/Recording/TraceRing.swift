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
struct TraceRing {
    /// How many files the limits are divided into.
    private static let parts = 16

    /// One file.
    private struct Part {
        var number: UInt64
        var size: Int
        /// How long a time it tells of.
        var span: Duration
    }

    private let folder: any TraceFolder
    private let limits: TraceLimits
    private var parts: [Part] = []
    private var sink: (any TraceSink)?
    /// When the file that is being written begins.
    private var start = Instant.zero
    private var wasRead = false

    /// A ring in `folder`, of which nothing is asked yet.
    init(in folder: any TraceFolder, _ limits: TraceLimits) {
        self.folder = folder
        self.limits = limits
    }

    /// Whether a file is being written.
    var isOpen: Bool { sink != nil }

    /// Whether the file that is being written has its share of the size, or of the age.
    var isPartFull: Bool {
        guard isOpen, let part = parts.last else { return false }
        return part.size >= limits.size / Self.parts || part.span >= limits.age / Self.parts
    }

    /// Begins a file, at this moment, once there is room for one.
    mutating func begin(at time: Instant) throws(SystemError) {
        try finish()
        if !wasRead { try readFolder() }
        let number = (parts.last?.number ?? 0) + 1
        makeRoom(besides: limits.size / Self.parts)
        let file = try folder.make(number)
        parts.append(Part(number: number, size: 0, span: .zero))
        start = time
        sink = file
        try append(TraceFormat.firstLine, until: time)
    }

    /// Writes `bytes`, which tell of what happened until `time`.
    mutating func append(_ bytes: [UInt8], until time: Instant) throws(SystemError) {
        guard let sink, let last = parts.indices.last else { return }
        try sink.write(bytes, at: parts[last].size)
        parts[last].size += bytes.count
        parts[last].span = max(parts[last].span, time - start)
    }

    /// Ends the file that is being written, and waits until it is durable.
    mutating func finish() throws(SystemError) {
        guard let sink else { return }
        self.sink = nil
        try sink.synchronize()
    }

    /// Gives up the file that is being written, since it cannot be written; and, for want of room,
    /// the oldest.
    mutating func abandon(forWantOfRoom: Bool) {
        if sink != nil, let last = parts.last, last.size == 0 {
            parts.removeLast()
            try? folder.remove(last.number)
        }
        sink = nil
        if forWantOfRoom, wasRead, parts.count > 1 { removeOldest() }
    }

    /// Finds what was recorded before. What cannot be read, or is larger than any that is written,
    /// counts for its size.
    private mutating func readFolder() throws(SystemError) {
        parts = []
        for number in try folder.numbers() {
            let size = (try? folder.size(number)) ?? 0
            let isReadable = size <= 2 * limits.size / Self.parts
            let bytes = isReadable ? (try? folder.read(number)) ?? [] : []
            parts.append(Part(number: number, size: size, span: TraceIndex(bytes).span))
        }
        wasRead = true
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
