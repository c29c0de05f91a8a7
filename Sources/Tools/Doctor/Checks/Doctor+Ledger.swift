import Ledger
import Settings
import StateMachines
import System
import Turnstile

// The ledger, and its disk.
extension Doctor {
    /// Free space on its disk: below the first it is wrong, below the second a warning.
    private static let (leastRoom, littleRoom): (Int64, Int64) = (16 << 20, 128 << 20)
    /// A commit that takes this long counts as a failure of the ledger.
    private static let failedCommit = Duration.seconds(2)

    /// Whether the ledger exists and is intact.
    static let ledger = Check("ledger") { facts in
        guard let settings = facts.currentSettings else { return .unknownWiring }
        guard let path = settings.ledger else {
            return .ok("off: a crash takes what people have paid")
        }
        if !facts.root.has(path), !facts.root.has("\(path).known") {
            let obstacle = facts.ledgerFolder.flatMap { File.obstacle(inFolder: facts.root($0)) }
            return obstacle.map { .wrong($0, do: "correct that; the service retries") }
                ?? .warning("missing so far", do: "the service creates it at its first start")
        }
        do throws(LedgerError) {
            let keeper = LedgerKeeper(
                path: facts.root(path), gate: settings.gate, bootID: bootID())
            let verdict = try keeper.check()
            return verdict.missing == nil
                ? .ok("\(path): all is accounted for")
                : .warning(
                    verdict.reservations.joined(separator: "; "),
                    do: "keep the file that was set aside for the auditor")
        } catch {
            return switch error.remedy {
            case .person: .unseen(error.description)
            case .time: .wrong(error.description, do: "correct that; the service retries")
            case .decision:
                .wrong(
                    error.description,
                    do: "docs/operations.md lists the options and their costs")
            }
        }
    }

    static let ledgerRoom = Check("ledger room") { facts in
        facts.ledgerFolder.map { room($0, least: leastRoom, little: littleRoom, facts) }
    }

    static func room(
        _ folder: String, least: Int64, little: Int64, _ facts: Facts
    ) -> Conclusion {
        switch facts.rooms[folder] {
        case nil: return .unseen("\(folder) was not checked")
        case .failure(let error) where error.meansAbsence:
            return .unseen(
                "\(folder): \(error.reason)", do: "make the folder, or mount its disk")
        case .failure(let error): return .unseen(folder, error)
        case .success(let room):
            let found = "\(room.free >> 20) MiB free of \(room.total >> 20) for \(folder)"
            let advice = "make room: sudo journalctl --vacuum-size=100M; du -x / | sort -n"
            if room.free < least { return .wrong(found, do: advice) }
            return room.free < little ? .warning(found, do: advice) : .ok(found)
        }
    }

    /// The duration of a commit, if requested.
    static let commitTime = Check("commit time") { facts in
        switch facts.commit {
        case nil: return nil
        case .failure(let error): return .unseen(error.description)
        case .success(let duration):
            let found = "\(Int(duration / .milliseconds(1))) ms at the longest"
            let advice = "use a faster card or disk: people wait at the gate for it"
            if duration >= failedCommit { return .wrong(found, do: advice) }
            // The commit begins after three quarters of a coin's quiet time.
            let quiet = facts.currentSettings?.policy.coins[.first].trainQuiet ?? .zero
            return duration >= quiet / 4 ? .warning(found, do: advice) : .ok(found)
        }
    }
}

extension Facts {
    /// The settings in force if the service runs, or else the file's.
    var currentSettings: Settings? {
        let listing = process == nil ? nil : inForce
        return (listing ?? (try? settings.get()))?.settings
    }

    /// The folder of the ledger; nil if it is off.
    var ledgerFolder: String? {
        currentSettings?.ledger.map { path in
            let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
            return folder.isEmpty ? "/" : String(folder)
        }
    }
}
