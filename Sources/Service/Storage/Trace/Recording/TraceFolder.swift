import StateMachines
import System

/// The folder of a ring's files, named by ascending numbers and ``TraceFormat/fileExtension``.
protocol TraceFolder {
    /// Ascending.
    func numbers() throws(SystemError) -> [UInt64]
    func size(_ number: UInt64) throws(SystemError) -> Int
    /// Up to `count` bytes of a file from `offset` on.
    func read(_ number: UInt64, _ count: Int, at offset: Int) throws(SystemError) -> [UInt8]
    func make(_ number: UInt64) throws(SystemError) -> any TraceSink
    func remove(_ number: UInt64) throws(SystemError)
}

/// A file open for writing.
protocol TraceSink {
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)
    /// Waits until the file is durable.
    func synchronize() throws(SystemError)
    /// Whether it still exists in its folder.
    var hasName: Bool { get }
}

extension File: TraceSink {}

/// A real folder.
struct SystemTraceFolder: TraceFolder {
    let path: String
    /// The largest number of a ring's file: a greater one would leave no number for the next.
    private static let greatestNumber: UInt64 = 500_000_000_000
    /// Readable for the service's group, as the ledger.
    private static let folderPermissions: UInt32 = 0o750
    private static let filePermissions: UInt32 = 0o640

    init(path: String) { self.path = path }

    func file(_ number: UInt64) -> String { "\(path)/\(Self.name(number))" }

    /// Ascending; empty without a folder.
    func numbers() throws(SystemError) -> [UInt64] {
        do throws(SystemError) {
            return try File.names(in: path).compactMap(Self.number).sorted()
        } catch {
            if error.meansAbsence { return [] }
            throw error
        }
    }

    func size(_ number: UInt64) throws(SystemError) -> Int {
        try File(path: file(number), for: .reading).size
    }

    func read(_ number: UInt64, _ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        let file = try File(path: file(number), for: .reading)
        return file.isRegular ? try file.read(min(count, file.size), at: offset) : []
    }

    func make(_ number: UInt64) throws(SystemError) -> any TraceSink {
        try File.makeFolder(path)
        let made = try File(path: file(number), for: .creating)
        // Overrides the service's umask. Some file systems have no modes, which must not stop the
        // recording.
        try? File.setPermissions(of: path, to: Self.folderPermissions)
        try? File.setPermissions(of: file(number), to: Self.filePermissions)
        return made
    }

    func remove(_ number: UInt64) throws(SystemError) { try File.remove(file(number)) }

    /// `00000012.trace`, so that alphabetical order is numerical.
    private static func name(_ number: UInt64) -> String {
        "\("\(number)".zeroPadded(to: 8)).\(TraceFormat.fileExtension)"
    }

    /// The number in a file's name; nil unless it is one of a ring.
    static func number(_ name: String) -> UInt64? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == TraceFormat.fileExtension,
            let number = UInt64(parts[0]), number <= greatestNumber
        else { return nil }
        return Self.name(number) == name ? number : nil
    }
}

extension TraceFolder {
    func read(_ number: UInt64) throws(SystemError) -> [UInt8] {
        try read(number, size(number), at: 0)
    }

    /// How long a time the readable part of a file covers; if longer than `enough`, any such time.
    /// Reads a large file in small parts.
    func span(of number: UInt64, enough: Duration? = nil) -> Duration {
        var offset = TraceFormat.firstLine.count
        var (window, windowStart): ([UInt8], Int) = ([], 0)
        var (first, page, last): (Instant?, Instant, Instant) = (nil, .zero, .zero)
        do {
            while true {
                let length =
                    (try? Frame.length(in: window, at: offset - windowStart)) ?? Frame.longestHead
                if offset + length > windowStart + window.count {
                    let count = max(Self.windowLength, length)
                    let next = try read(number, count, at: offset)
                    if windowStart == offset, next.count == window.count {
                        throw TraceFlaw.cutShort
                    }
                    (window, windowStart) = (next, offset)
                    continue
                }
                let frame = try Frame(in: window, at: offset - windowStart)
                var reader = ByteReader(window, in: frame.content)
                switch frame.kind {
                case .state:
                    page = try reader.pageTime()
                    (first, last) = (first ?? page, page)
                case .steps:
                    let distance = try reader.signed() &+ (try reader.signed())
                    last = Instant(nanoseconds: page.nanoseconds &+ distance)
                case .header, .beginning, nil: break
                }
                offset += frame.range.count
                if let enough, let first, last - first > enough { return last - first }
            }
        } catch {
            guard let first else { return .zero }
            return max(.zero, last - first)
        }
    }

    private static var windowLength: Int { 65_536 }
}
