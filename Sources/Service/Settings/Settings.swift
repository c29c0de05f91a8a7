public import Hardware
import System
public import Turnstile

/// All that the configuration file says, checked.
public struct Settings: Hashable, Sendable {
    public var gate: String
    public var policy: Policy
    public var wiring: Wiring
    /// How often all registers are recorded: 5 min–24 h.
    public var registerSnapshot: Duration
    /// Where the ledger is; nil for a gate without one.
    public var ledger: String?
    public var ledgerLimits: LedgerLimits
    public var trace: TraceSettings
    /// How many coins the vault holds; nil where nobody knows. The gate needs no such number.
    public var vaultCapacity: Int?
    /// What in the file is allowed and rarely meant, in the order of the file.
    public var warnings: [SettingsWarning]

    public init(
        gate: String, policy: Policy, wiring: Wiring, registerSnapshot: Duration, ledger: String?,
        ledgerLimits: LedgerLimits = LedgerLimits(), trace: TraceSettings = TraceSettings(),
        vaultCapacity: Int? = nil, warnings: [SettingsWarning] = []
    ) {
        self.gate = gate
        self.policy = policy
        self.wiring = wiring
        self.registerSnapshot = registerSnapshot
        self.ledger = ledger
        self.ledgerLimits = ledgerLimits
        self.trace = trace
        self.vaultCapacity = vaultCapacity
        self.warnings = warnings
    }

    /// Reads the file at `path`.
    ///
    /// Throws everything that is wrong with it, at once and in the order of the file: nothing in
    /// the file is skipped, guessed or put right in silence. `isVolatile` judges the ledger's path;
    /// where that asks the file system, it may have to wait for it.
    public static func load(
        path: String, isVolatile: (String) -> Bool = isBelowVolatileFolder
    ) throws(SettingsErrors) -> Settings {
        try parse(read(path: path), file: path, isVolatile: isVolatile)
    }

    /// The bytes of the file at `path`, which may be settings.
    public static func read(path: String) throws(SettingsErrors) -> [UInt8] {
        do {
            return try readFile(path, limit: maximumSize)
        } catch {
            let hint = error.meansAbsence && path == standardPath ? samplesHint() : ""
            throw SettingsErrors(
                file: path, problems: [SettingsProblem(error.description + hint)],
                isUnreadable: true)
        }
    }

    /// Where samples of settings are, installed by hand or by a package.
    public static let sampleFolders = ["/usr/local", "/usr"].map {
        "\($0)/share/doc/turnstiled/examples"
    }

    /// Where a sample of settings is, for a machine that has none yet; empty where nobody installed
    /// any.
    static func samplesHint(isThere: (String) -> Bool = File.exists) -> String {
        sampleFolders.first(where: isThere).map { ": copy a sample there, from \($0)" } ?? ""
    }

    /// Reads `text`; `file` is the name that errors give it.
    public static func parse(_ text: String, file: String) throws(SettingsErrors) -> Settings {
        try parse(Array(text.utf8), file: file)
    }

    /// Reads the UTF-8 text in `bytes`; `file` is the name that errors give it.
    public static func parse(
        _ bytes: [UInt8], file: String, isVolatile: (String) -> Bool = isBelowVolatileFolder
    ) throws(SettingsErrors) -> Settings {
        try read(bytes, file: file, isVolatile: isVolatile).settings
    }

    /// The same, with whoever knows where each key stands.
    static func read(
        _ bytes: [UInt8], file: String, isVolatile: (String) -> Bool
    ) throws(SettingsErrors) -> (settings: Settings, reader: Reader) {
        guard bytes.count <= maximumSize else {
            let error = FileError.isLarger(than: maximumSize)
            throw SettingsErrors(file: file, problems: [SettingsProblem(error.description)])
        }
        let text = SourceText(bytes)
        let tree = YAMLTree(text)
        var reader = Reader(
            text, problems: text.problems + tree.problems, isComplete: tree.isComplete)
        var draft = reader.read(Schema.root, at: "", from: tree.root)
        draft.conclude()
        if tree.root != nil { reader.check(draft) }
        guard reader.problems.isEmpty, var settings = draft.settings else {
            throw SettingsErrors(file: file, problems: reader.problems.sorted())
        }
        reader.lookForOddities(draft, isVolatile: isVolatile)
        settings.warnings = reader.warnings.sorted()
        return (settings, reader)
    }

    /// Where the settings are, if nothing else is said.
    public static let standardPath = "/etc/turnstiled/turnstiled.yaml"

    /// Where a service that systemd runs keeps the settings that it has in force, as they were
    /// written, until the next boot.
    public static let placeInForce = "/run/turnstiled/settings.yaml"

    /// The largest file that is read, in bytes: many times what every key with a page of comments
    /// takes.
    static let maximumSize = 64 * 1024

    /// Whether a file at `path` would be gone after a start of the board, by its path alone: below
    /// the folders that are in memory on Debian, or that the unit gives the service anew each time.
    public static func isBelowVolatileFolder(_ path: String) -> Bool {
        let folders = path.split(separator: "/").filter { $0 != "." }.dropLast()
        return [["tmp"], ["run"], ["dev"], ["var", "run"]].contains { folders.starts(with: $0) }
    }
}

/// What a ledger keeps of its records.
public struct LedgerLimits: Hashable, Sendable {
    /// How many are kept: 10,000–100,000,000.
    public var records = 1_000_000
    /// How long one is kept at most: 30–7,305 days; nil for as long as there are no more than
    /// ``records``.
    public var age: Duration?
    /// How many bytes the ledger may take: 16 MB–1,000 GB; nil for all that the disk has.
    public var room: Int64?

    /// What is kept where nothing is said.
    public init() {}
}

/// How much is kept of all that the gate decided, step by step.
public struct TraceSettings: Hashable, Sendable {
    /// How many bytes it may take: 2 MB–1 GB; nil for nothing that is kept.
    public var size: Int64? = 16_000_000
    /// How long a time it tells of: 1–720 h of the service's own.
    public var age = Duration.seconds(24 * 3600)

    /// What is kept where nothing is said.
    public init() {}
}
