import Settings

extension Doctor {
    /// The mistakes and warnings of the settings file.
    static let settings = Check.all("settings") { facts throws(Conclusion) in
        let conclusions: [Conclusion] =
            switch facts.settings {
            case .success(let listing):
                listing.settings.warnings.map {
                    .warning(
                        "\(facts.path):\($0.position): \($0.message)",
                        do: "leave it if it is intended, else change it and reload")
                }
            case .failure(let errors):
                errors.description.split(separator: "\n").map {
                    .wrong(String($0), do: "correct it: docs/configuration.md lists every key")
                }
            }
        if conclusions.isEmpty { throw .ok("\(facts.path): good") }
        return conclusions.map { Finding("settings", $0) }
    }

    /// Whether the settings in force equal the file's.
    static let settingsInForce = Check("settings in force") { facts in
        guard facts.process != nil else {
            return .ok("no service runs: the file applies at the next start")
        }
        guard let old = facts.inForce else {
            return .unseen("\(Settings.placeInForce) cannot be read")
        }
        guard case .success(let new) = facts.settings else {
            return .ok("those from before the file was changed")
        }
        let difference = SettingsDifference(from: old, to: new)
        guard let first = difference.changes.first else { return .ok("as in the file") }
        let others = difference.changes.count - 1
        return .warning(
            "the file differs: \(first.key)" + (others == 0 ? "" : " and \(others) more"),
            do: difference.needsRestart
                ? "systemctl restart turnstiled, when nobody is in the gate"
                : "systemctl reload turnstiled")
    }
}
