import System

/// Where the files of a ring are: numbers that go up, ``TraceFormat/fileExtension`` behind each.
protocol TraceFolder {
    /// The numbers of the files that there are, ascending.
    func numbers() throws(SystemError) -> [UInt64]
    /// How many bytes a file has.
    func size(_ number: UInt64) throws(SystemError) -> Int
    /// The bytes of a file.
    func read(_ number: UInt64) throws(SystemError) -> [UInt8]
    /// Makes a file, of which there is none yet.
    func make(_ number: UInt64) throws(SystemError) -> any TraceSink
    /// Removes a file.
    func remove(_ number: UInt64) throws(SystemError)
}

/// A file that is being written.
protocol TraceSink {
    /// Writes `bytes` from `offset` on.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError)
    /// Waits until what was written is durable.
    func synchronize() throws(SystemError)
}

extension File: TraceSink {}

/// A folder of the system.
struct SystemTraceFolder: TraceFolder {
    /// Where it is.
    let path: String
    /// Nobody counts further.
    private static let longestNumber = 12
    /// The service's group may read what is recorded, as it may the ledger.
    private static let folderPermissions: UInt32 = 0o750
    private static let filePermissions: UInt32 = 0o640

    /// The folder at `path`, of which nothing is asked yet.
    init(path: String) { self.path = path }

    /// The path of the file with this number.
    func file(_ number: UInt64) -> String { "\(path)/\(Self.name(number))" }

    /// The numbers of the files that there are, ascending; none where there is no folder.
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

    func read(_ number: UInt64) throws(SystemError) -> [UInt8] {
        let file = try File(path: file(number), for: .reading)
        return file.isRegular ? try file.read(file.size) : []
    }

    func make(_ number: UInt64) throws(SystemError) -> any TraceSink {
        try File.makeFolder(path)
        let made = try File(path: file(number), for: .creating)
        // Whatever the mask of the service says. Some file systems know none, and are no reason to
        // record nothing.
        try? File.setPermissions(of: path, to: Self.folderPermissions)
        try? File.setPermissions(of: file(number), to: Self.filePermissions)
        return made
    }

    func remove(_ number: UInt64) throws(SystemError) { try File.remove(file(number)) }

    /// `00000012.trace`: in the order of the alphabet for as long as anybody counts.
    private static func name(_ number: UInt64) -> String {
        let digits = "\(number)"
        let zeros = String(repeating: "0", count: max(0, 8 - digits.count))
        return "\(zeros)\(digits).\(TraceFormat.fileExtension)"
    }

    private static func number(_ name: String) -> UInt64? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == TraceFormat.fileExtension,
            parts[0].utf8.count <= longestNumber
        else { return nil }
        return UInt64(parts[0]).flatMap { Self.name($0) == name ? $0 : nil }
    }
}
