import Settings

// The settings.
extension Doctor {
    /// Whether the file can be read, and what it says that is wrong or rarely meant.
    static func settings(_ facts: Facts) -> [Finding] {
        let name = "settings"
        switch facts.settings {
        case .success(let listing):
            let warnings = listing.settings.warnings.map { warning in
                Finding.warning(
                    name, "\(facts.path):\(warning.position): \(warning.message)",
                    do: "leave it if it is meant, else change it and reload")
            }
            return warnings.isEmpty ? [.ok(name, "\(facts.path): good")] : warnings
        case .failure(let errors):
            return errors.description.split(separator: "\n").map {
                .wrong(name, String($0), do: "mend it: docs/configuration.md has every key")
            }
        }
    }

    /// Whether what the file says is what the service goes by.
    static func settingsInForce(_ facts: Facts) -> [Finding] {
        let name = "settings in force"
        guard facts.process != nil else {
            return [.ok(name, "no service runs: it will go by the file")]
        }
        guard let old = facts.inForce else {
            return [.unseen(name, "\(Settings.placeInForce) cannot be read")]
        }
        guard case .success(let new) = facts.settings else {
            return [.ok(name, "those of before the file was changed")]
        }
        let difference = SettingsDifference(from: old, to: new)
        guard let first = difference.changes.first else { return [.ok(name, "those of the file")] }
        let others = difference.changes.count - 1
        return [
            .warning(
                name, "the file differs: \(first.key)" + (others == 0 ? "" : " and \(others) more"),
                do: difference.needsRestart
                    ? "systemctl restart turnstiled, when nobody is in the gate"
                    : "systemctl reload turnstiled")
        ]
    }
}
