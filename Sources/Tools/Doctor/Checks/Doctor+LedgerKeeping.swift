import Ledger
import Settings
import System

/// What a ledger tells without a scan of its records.
struct LedgerFacts: Sendable {
    /// The bytes in use.
    var used: Int64
    /// The last checkpoint; nil for a ledger of an earlier version.
    var last: SignedCheckpoint?

    init(path: String) throws(LedgerError) {
        let snapshot = try LedgerReader(path: path).open()
        used = try snapshot.usedBytes()
        last = try snapshot.lastCheckpoint()
    }
}

// The ledger's size and signatures.
extension Doctor {
    /// The percentage of `ledger.room` from which the service warns as well.
    private static let scarceRoom = 90

    /// How much of `ledger.room` is in use.
    static let ledgerSize = Check("ledger size") { facts in
        guard let ledger = facts.ledger, let settings = facts.currentSettings else { return nil }
        let used = "\((ledger.used + 999_999) / 1_000_000) MB"
        guard let room = settings.ledgerLimits.room else {
            return .ok("\(used); 'ledger.room' sets no bound")
        }
        let percent = Int(ledger.used * 100 / room)
        let found = "\(used), \(percent) % of 'ledger.room'"
        let advice = "give it more 'ledger.room' or fewer 'ledger.records', and restart the service"
        if percent >= 100 { return .wrong("\(found): no coins are taken", do: advice) }
        return percent >= scarceRoom ? .warning(found, do: advice) : .ok(found)
    }

    /// The age of the last signature: a running service signs with each snapshot of the registers.
    static let lastCheckpoint = Check("last checkpoint") { facts in
        guard let ledger = facts.ledger, let settings = facts.currentSettings else { return nil }
        guard let checkpoint = ledger.last?.checkpoint else {
            return .warning(
                "missing: an earlier version wrote the ledger",
                do: "start the service, which carries it over")
        }
        let age = facts.now - checkpoint.time
        let hours = Int(age / .seconds(3_600))
        let found =
            "number \(checkpoint.number), for \(checkpoint.occasion.text), "
            + (hours < 1 ? "less than an hour old" : "\(hours) h old")
        guard age > .seconds(-60) else {
            return .warning(
                "number \(checkpoint.number) was signed at a time that is yet to come",
                do: "timedatectl: is the clock right?")
        }
        guard facts.process != nil, age > settings.registerSnapshot * 2 else { return .ok(found) }
        return .warning(
            "\(found), and one is due each 'records.register_snapshot'",
            do: "journalctl _SYSTEMD_UNIT=turnstiled.service -e says why")
    }

    /// Whether only the service can read the signing key.
    static let ledgerKey = Check("ledger key") { facts throws(Conclusion) in
        guard let path = facts.currentSettings?.ledger.map({ "\($0).key" }) else { return nil }
        let isCredential = ["LoadCredential", "LoadCredentialEncrypted"].contains {
            facts.unit?["Service", $0]?.hasPrefix("ledger.key") ?? false
        }
        switch facts.root.status(path) {
        case .failure(let error) where error.meansAbsence:
            if isCredential { return .ok("the unit hands it over as a credential") }
            return facts.ledger == nil
                ? nil : .warning("there is no \(path)", do: "the service makes one")
        case .failure(let error): return .unseen(path, error)
        case .success where isCredential:
            return .warning(
                "the unit hands one over, and \(path) lies there still",
                do: "sudo rm \(path), once the service has started with the other one")
        case .success(let status):
            let user = try facts.owner()
            guard status.owner == user.number else {
                return .warning(
                    "\(path) belongs to \(facts.accounts.userName(status.owner))",
                    do: "sudo chown \(user.name): \(path)")
            }
            guard status.kind == .file, status.permissions & 0o077 == 0 else {
                return .warning(
                    "others than \(user.name) may read \(path), and sign in the gate's name",
                    do: "sudo chmod 600 \(path); docs/security.md says how to have a new one made")
            }
            return .ok("\(path), for \(user.name) alone")
        }
    }
}
