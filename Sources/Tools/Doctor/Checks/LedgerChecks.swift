import Ledger
import Settings
import StateMachines
import System
import Turnstile

// The ledger, and the disk that it is on.
extension Doctor {
    /// What is too little for a ledger, and what soon will be.
    private static let (leastRoom, littleRoom): (Int64, Int64) = (16 << 20, 128 << 20)
    /// How long a commit may take before the ledger counts as one that fails.
    private static let failedCommit = Duration.seconds(2)

    /// Whether the ledger is there and sound.
    static func ledger(_ facts: Facts) -> [Finding] {
        let name = "ledger"
        guard let settings = facts.currentSettings else { return [unknownWiring(name)] }
        guard let path = settings.ledger else {
            return [.ok(name, "off: a crash takes what people have paid")]
        }
        if !facts.root.has(path), !facts.root.has("\(path).known") {
            if let hindrance = facts.ledgerFolder.flatMap({
                File.hindrance(inFolder: facts.root($0))
            }
            ) {
                return [.wrong(name, hindrance, do: "mend that; the service tries again")]
            }
            return [
                .warning(name, "there is none yet", do: "the service begins it at its first start")
            ]
        }
        do throws(LedgerError) {
            let keeper = LedgerKeeper(
                path: facts.root(path), gate: settings.gate, bootID: bootID())
            let verdict = try keeper.check()
            if verdict.missing != nil {
                return [
                    .warning(
                        name, verdict.reservations.joined(separator: "; "),
                        do: "keep the file that was set aside for the auditor")
                ]
            }
            return [.ok(name, "\(path): all is accounted for")]
        } catch {
            switch error.remedy {
            case .person: return [.unseen(name, error.description)]
            case .time:
                return [.wrong(name, error.description, do: "mend that; the service tries again")]
            case .decision:
                return [
                    .wrong(
                        name, error.description,
                        do: "docs/operations.md says what can be done, and what it costs")
                ]
            }
        }
    }

    /// Whether there is room for it.
    static func ledgerRoom(_ facts: Facts) -> [Finding] {
        guard let folder = facts.ledgerFolder else { return [] }
        return [room("ledger room", folder, least: leastRoom, little: littleRoom, facts)]
    }

    /// Whether a folder's file system has room.
    static func room(
        _ name: String, _ folder: String, least: Int64, little: Int64, _ facts: Facts
    ) -> Finding {
        switch facts.rooms[folder] {
        case nil: return .unseen(name, "nobody looked at \(folder)")
        case .failure(let error):
            let reason = "\(folder): \(error.reason)"
            return error.meansAbsence
                ? .unseen(name, reason, do: "make the folder, or mount its disk")
                : .unseen(name, reason)
        case .success(let room):
            let found = "\(room.free >> 20) MiB free of \(room.total >> 20) for \(folder)"
            let advice = "make room: sudo journalctl --vacuum-size=100M; du -x / | sort -n"
            if room.free < least { return .wrong(name, found, do: advice) }
            return room.free < little ? .warning(name, found, do: advice) : .ok(name, found)
        }
    }

    /// How long a commit takes, where that was to be measured.
    static func commitTime(_ facts: Facts) -> [Finding] {
        let name = "commit time"
        switch facts.commit {
        case nil: return []
        case .failure(let error): return [.unseen(name, error.description)]
        case .success(let duration):
            let found = "\(Int(duration / .milliseconds(1))) ms at the longest"
            let advice = "use a faster card or disk: people wait at the gate for it"
            if duration >= failedCommit { return [.wrong(name, found, do: advice)] }
            // It begins when three quarters of the silence have passed that ends a coin.
            let quiet = facts.currentSettings?.policy.coins[.first].trainQuiet ?? .zero
            return [
                duration >= quiet / 4 ? .warning(name, found, do: advice) : .ok(name, found)
            ]
        }
    }
}

extension Facts {
    /// The settings that count: those that a running service has in force, or else the file's.
    var currentSettings: Settings? {
        let listing = process == nil ? nil : inForce
        return (listing ?? (try? settings.get()))?.settings
    }

    /// The folder of the ledger; nil where there is to be none.
    var ledgerFolder: String? {
        currentSettings?.ledger.map { path in
            let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
            return folder.isEmpty ? "/" : String(folder)
        }
    }
}
