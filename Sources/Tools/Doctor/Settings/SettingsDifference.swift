public import Settings
import System
import Turnstile

/// What a reload would change: the settings of a file against those in force.
public struct SettingsDifference: Sendable {
    public let old: SettingsListing
    public let new: SettingsListing
    /// In the order of the documentation.
    public let changes: [Change]

    public struct Change: Hashable, Sendable {
        /// The full key: `passage.pass_wait`.
        public var key: String
        /// The entry in force, if any.
        public var old: SettingsEntry?
        /// The entry of the file, if any.
        public var new: SettingsEntry?
        /// Whether a running service cannot take it.
        public var needsRestart: Bool
    }

    public init(path: String, inForce: String = Settings.placeInForce) throws(SettingsErrors) {
        self.init(from: try SettingsListing(path: inForce), to: try SettingsListing(path: path))
    }

    public init(from old: SettingsListing, to new: SettingsListing) {
        self.old = old
        self.new = new
        changes = new.settings.changes(from: old.settings).map {
            Change(
                key: $0.key, old: old[$0.key], new: new[$0.key], needsRestart: $0.needsRestart)
        }
    }

    /// Whether a reload is refused, with all changes.
    public var needsRestart: Bool { changes.contains { $0.needsRestart } }
}

extension SettingsDifference.Change {
    fileprivate var json: JSON {
        .object([
            ("key", .text(key)), ("old", old.map { .text($0.value) }),
            ("old_origin", old.map { .text("\($0.origin)") }),
            ("new", new.map { .text($0.value) }),
            ("new_origin", new.map { .text("\($0.origin)") }),
            ("needs_restart", .value(.boolean(needsRestart))),
        ])
    }
}

// What is shown.
extension SettingsDifference: CustomStringConvertible {
    /// The changes in the form of `diff -u`, and whether a reload takes them.
    public var description: String {
        guard !changes.isEmpty else {
            return "\(new.file): no difference from the settings in force\n"
        }
        let all = changes.flatMap { change -> [(text: String, remark: String)] in
            let restart = change.needsRestart ? ", needs a restart" : ""
            let old = lines(of: change.old, of: change.key).map { ("-" + $0, $1) }
            let new = lines(of: change.new, of: change.key, restart).map { ("+" + $0, $1) }
            return old + new
        }
        return "--- \(old.file)\n+++ \(new.file)\n\(aligned(all))\n\(conclusion)\n"
    }

    private func lines(
        of entry: SettingsEntry?, of key: String, _ remark: String = ""
    ) -> [(text: String, remark: String)] {
        entry.map { $0.lines("\($0.origin)\(remark)") } ?? [("\(key):", "not set\(remark)")]
    }

    private var conclusion: String {
        needsRestart
            ? """
            A reload is refused, with all of this: some of it needs a restart, which drives every
            output to its safe level on the way.
            """
            : "A reload takes all of this as soon as the gate is idle."
    }

    public var json: String { changes.map { "\($0.json)\n" }.joined() }
}
