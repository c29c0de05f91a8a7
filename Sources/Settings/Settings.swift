public import Hardware
public import Turnstile

/// All that the configuration file says, checked.
public struct Settings: Hashable, Sendable {
    /// The gate's name, for the log.
    public var gate: String
    /// What the owner decides.
    public var policy: Policy
    /// Which line has which role.
    public var wiring: Wiring
    /// How often all registers are recorded: 5 min–24 h.
    public var registerSnapshot: Duration
    /// Where the ledger is; nil for a gate without one.
    public var ledger: String?

    /// Settings.
    public init(
        gate: String, policy: Policy, wiring: Wiring, registerSnapshot: Duration, ledger: String?
    ) {
        self.gate = gate
        self.policy = policy
        self.wiring = wiring
        self.registerSnapshot = registerSnapshot
        self.ledger = ledger
    }

    /// Reads the file at `path`.
    ///
    /// Throws everything that is wrong with it, at once and in the order of the file: nothing in
    /// the file is skipped, guessed or put right in silence.
    public static func load(path: String) throws(SettingsErrors) -> Settings {
        try parse(read(path: path), file: path)
    }

    /// The bytes of the file at `path`, which may be settings.
    public static func read(path: String) throws(SettingsErrors) -> [UInt8] {
        do {
            // One byte more than allowed is enough to see that there are too many.
            return try readFile(path, limit: maximumSize + 1)
        } catch {
            throw SettingsErrors(file: path, problems: [SettingsProblem(error.description)])
        }
    }

    /// Reads `text`; `file` is the name that errors give it.
    public static func parse(_ text: String, file: String) throws(SettingsErrors) -> Settings {
        try parse(Array(text.utf8), file: file)
    }

    /// Reads the UTF-8 text in `bytes`; `file` is the name that errors give it.
    public static func parse(_ bytes: [UInt8], file: String) throws(SettingsErrors) -> Settings {
        guard bytes.count <= maximumSize else {
            let problem = SettingsProblem(
                "the file is larger than \(maximumSize / 1024) KiB, so it is no configuration")
            throw SettingsErrors(file: file, problems: [problem])
        }
        let text = SourceText(bytes)
        let tree = YAMLTree(text)
        var reader = Reader(
            problems: text.problems + tree.problems, isComplete: tree.isComplete)
        var draft = reader.read(Schema.root, at: "", from: tree.root)
        draft.conclude()
        if tree.root != nil { reader.check(draft) }
        guard reader.problems.isEmpty, let settings = draft.settings else {
            throw SettingsErrors(file: file, problems: reader.problems.sorted())
        }
        return settings
    }

    /// The largest file that is read, in bytes: many times what every key with a page of comments
    /// takes.
    static let maximumSize = 64 * 1024
}
