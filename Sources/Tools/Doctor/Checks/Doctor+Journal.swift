import Journal
import Settings
import Turnstile

extension Doctor {
    private static let folder = "/var/log/journal"

    /// Whether the journal is persistent.
    static let journal = Check("journal") { facts in
        let dropIn = "/etc/systemd/journald.conf.d/turnstiled.conf"
        // Named so, since a drop-in of the distribution may be sorted after the packaged one.
        let write =
            facts.root.first("journald-turnstiled.conf", in: Settings.sampleFolders).map {
                "sudo install -D -m 644 \($0) \(dropIn)"
            } ?? "'[Journal]' and 'Storage=persistent' in \(dropIn)"
        let advice = "\(write), then: sudo systemctl restart systemd-journald"
        let storage = facts.root.journalSettings["Journal", "Storage"] ?? "auto"
        return switch (storage, facts.root.has(folder)) {
        case ("persistent", _), ("auto", true): .ok("persistent, in \(folder)")
        case ("none", _): .wrong("it is off: the gate's events are not logged", do: advice)
        case (_, _): .warning("in memory only: a power failure loses it", do: advice)
        }
    }

    static let journalRoom = Check("journal room") { facts in
        guard facts.rooms[folder] != nil, facts.root.has(folder) else { return nil }
        return room(folder, least: 4 << 20, little: 64 << 20, facts)
    }

    /// Whether the journal has the catalog, which explains the service's entries.
    static let catalog = Check("catalog") { facts in
        let folders = Root.folders("systemd/catalog")
        guard let path = facts.root.first("turnstiled.catalog", in: folders) else {
            return .warning(
                "there is no turnstiled.catalog: entries come without explanation",
                do: facts.installation)
        }
        guard (try? facts.root.text(path).get()) == EntryKind.catalog else {
            return .warning("\(path) is of another version", do: facts.installation)
        }
        let database = "/var/lib/systemd/catalog/database"
        guard let made = try? facts.root.status(database).get().modified,
            let written = try? facts.root.status(path).get().modified, made >= written
        else {
            return .warning(
                "the journal has not taken in \(path)", do: "sudo journalctl --update-catalog")
        }
        return .ok(path)
    }
}
