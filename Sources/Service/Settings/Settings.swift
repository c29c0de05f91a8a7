public import Hardware
import System
public import Turnstile

/// The checked contents of the configuration file.
public struct Settings: Hashable, Sendable {
    public var gate: String
    public var policy: Policy
    public var wiring: Wiring
    /// The interval of entries of all registers: 5 min–24 h.
    public var registerSnapshot: Duration
    /// The ledger's path; nil for none.
    public var ledger: String?
    public var ledgerLimits: LedgerLimits
    public var trace: TraceSettings
    /// The vault's capacity in coins; nil if unknown. The gate does not use it.
    public var vaultCapacity: Int?
    /// In the order of the file.
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
    /// Throws all mistakes at once, in the order of the file: nothing is skipped, guessed or
    /// corrected silently. `isVolatile` judges the ledger's path; if it asks the file system, it
    /// may block.
    public static func load(
        path: String, isVolatile: (String) -> Bool = isBelowVolatileFolder
    ) throws(SettingsErrors) -> Settings {
        try parse(read(path: path), file: path, isVolatile: isVolatile)
    }

    /// The bytes of the file at `path`, not parsed.
    public static func read(path: String) throws(SettingsErrors) -> [UInt8] {
        do {
            return try readFile(path, limit: maximumSize)
        } catch {
            let hint = path == standardPath && !File.exists(path) ? samplesHint() : ""
            throw SettingsErrors(
                file: path, problems: [SettingsProblem(error.message + hint)],
                isUnreadable: true)
        }
    }

    /// The folders of sample settings, installed by hand or by a package.
    public static let sampleFolders = ["/usr/local", "/usr"].map {
        "\($0)/share/doc/turnstiled/examples"
    }

    /// The end of a message, naming a sample; empty if none is installed.
    static func samplesHint(isThere: (String) -> Bool = File.exists) -> String {
        sampleFolders.first(where: isThere).map { ": copy a sample there, from \($0)" } ?? ""
    }

    /// `file` is the name in errors.
    public static func parse(_ text: String, file: String) throws(SettingsErrors) -> Settings {
        try parse(Array(text.utf8), file: file)
    }

    /// Reads UTF-8; `file` is the name in errors.
    public static func parse(
        _ bytes: [UInt8], file: String, isVolatile: (String) -> Bool = isBelowVolatileFolder
    ) throws(SettingsErrors) -> Settings {
        try read(bytes, file: file, isVolatile: isVolatile).settings
    }

    /// The same, with the reader that knows the position of each key.
    static func read(
        _ bytes: [UInt8], file: String, isVolatile: (String) -> Bool
    ) throws(SettingsErrors) -> (settings: Settings, reader: Reader) {
        guard bytes.count <= maximumSize else {
            let mistake = Mistake.isLarger(than: maximumSize)
            throw SettingsErrors(file: file, problems: [SettingsProblem(mistake.message)])
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

    /// The default path.
    public static let standardPath = "/etc/turnstiled/turnstiled.yaml"

    /// A copy of the settings in force, verbatim, of a service run by systemd, until the next boot.
    public static let placeInForce = "/run/turnstiled/settings.yaml"

    /// The largest file, in bytes: many times the size of all keys with a page of comments.
    static let maximumSize = 64 * 1024

    /// Whether a file at `path` would not survive a boot, by its path alone: in folders that are in
    /// memory on Debian, or that the unit makes anew.
    public static func isBelowVolatileFolder(_ path: String) -> Bool {
        let folders = path.split(separator: "/").filter { $0 != "." }.dropLast()
        return [["tmp"], ["run"], ["dev"], ["var", "run"]].contains { folders.starts(with: $0) }
    }
}

public struct LedgerLimits: Hashable, Sendable {
    /// 10,000–100,000,000.
    public var records = 1_000_000
    /// The oldest age, 30–7,305 days; nil for no limit but ``records``.
    public var age: Duration?
    /// In bytes, 16 MB–1,000 GB; nil for no limit.
    public var room: Int64?

    public init() {}
}

/// The limits of the traces.
public struct TraceSettings: Hashable, Sendable {
    /// In bytes, 2 MB–1 GB; nil for no traces.
    public var size: Int64? = 16_000_000
    /// The time they cover: 1–720 h of the service's own.
    public var age = Duration.seconds(24 * 3600)

    public init() {}
}
