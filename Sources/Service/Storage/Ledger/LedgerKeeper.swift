import Glibc
import StateMachines
import System

/// The commands on a ledger, beside the service.
public struct LedgerKeeper: Sendable {
    let opening: Opening
    /// How long to wait for the service to close the ledger: it may only be retrying to open it.
    var timeout: Duration = .seconds(2)

    public init(path: String, gate: String, bootID: String) {
        self.init(Opening(place: Place(path: path), gate: gate, bootID: bootID))
    }

    init(_ opening: Opening) { self.opening = opening }

    /// Verifies the whole ledger, also while the service has it open, and changes nothing. Throws
    /// for a flaw; missing records are in the verdict. SQLite has to be allowed to write in the
    /// folder.
    @discardableResult
    public func check() throws(LedgerError) -> LedgerVerification.Verdict {
        let place = opening.place
        try checkUser()
        try place.checkFolder()
        guard try place.find() else {
            throw try place.missingError() ?? LedgerError(place.path, "no such file", .decision)
        }
        let (verdict, snapshot) = try LedgerVerification().judge(
            LedgerReader(place), gate: opening.gate)
        if let flaw = verdict.flaw, verdict.kind != .earlier {
            throw LedgerError(
                place.path,
                damage: (verdict.kind == .records ? "in its records alone: " : "") + flaw)
        }
        if let snapshot {
            try opening.check(snapshot)
            if verdict.flaw == nil { try opening.checkEnd(of: snapshot) }
        }
        return verdict
    }

    public enum Acceptance: Hashable, Sendable, CustomStringConvertible {
        case nothing
        /// The present ledger was accepted, though it was of another gate, or not the one in use.
        /// `newKey` is the file of a key that was made.
        case taken(from: String, newKey: String? = nil)
        /// A new one was begun; the old one was renamed to `aside`. `newKey` is the file of a key
        /// that was made.
        case begun(aside: String?, newKey: String? = nil)

        /// Follows the ledger's path.
        public var description: String {
            switch self {
            case .nothing: "there is nothing to accept"
            case .taken(let gate, let newKey):
                "the ledger of the gate '\(gate.onOneLine)' is accepted as it is"
                    + Self.words(for: newKey)
            case .begun(let aside?, let newKey):
                "the previous ledger is in \(aside) now; a new ledger was begun"
                    + Self.words(for: newKey)
            case .begun(nil, let newKey): "a new ledger was begun" + Self.words(for: newKey)
            }
        }

        private static func words(for newKey: String?) -> String {
            guard let newKey else { return "" }
            return """
                ; its key was made in \(newKey): where the service is given one as a credential, \
                remove that file
                """
        }
    }

    /// Accepts a ledger that the service refuses: a sound one as it is, of any gate. Anything else
    /// is set aside, and a new ledger begun.
    public func accept() throws(LedgerError) -> Acceptance {
        let place = opening.place
        try checkUser()
        try place.checkFolder()
        let lock = try awaitLock()
        let hasKey = Files.status(of: place.key) != nil
        var newKey: String? { hasKey || Files.status(of: place.key) == nil ? nil : place.key }
        // A new ledger in a trial's place would look like a gate's.
        if let known = try? place.remembered() { try opening.checkTrial(known.identity) }
        return try withExtendedLifetime(lock) { () throws(LedgerError) in
            let ready = try finishExchange()
            do throws(LedgerError) {
                if try place.find() {
                    guard let gate = try take(lock) else { return .nothing }
                    return .taken(from: gate, newKey: newKey)
                }
                // Without an earlier ledger the service begins one by itself.
                let known = try place.remembered()
                if known == nil && ready == nil { return .nothing }
            } catch {
                guard error.remedy == .decision else { throw error }
            }
            return .begun(aside: try opening.beginNew().aside ?? ready, newKey: newKey)
        }
    }

    /// Completes an interrupted exchange. If the new ledger is refused, it is set aside; returns
    /// where it is then.
    func finishExchange() throws(LedgerError) -> String? {
        do throws(LedgerError) {
            try opening.finishExchange()
            return nil
        } catch {
            guard error.remedy == .decision else { throw error }
            return try opening.place.setAside(opening.place.ready)
        }
    }

    /// Throws if the folder is another user's and this one may not write there.
    func checkUser() throws(LedgerError) {
        let place = opening.place
        guard Files.status(of: place.folder)?.st_uid != geteuid() else { return }
        for name in [place.folder, place.path] {
            do throws(LedgerError) {
                try Files.checkWritable(name)
            } catch {
                guard error.remedy == .person else { continue }
                throw LedgerError(place.path, notFor(place), .person)
            }
        }
    }

    func awaitLock() throws(LedgerError) -> FileLock {
        let end = MonotonicTimer.now + timeout
        while true {
            do throws(LedgerError) {
                return try FileLock(opening.place)
            } catch {
                guard error.isInUse, MonotonicTimer.now < end else { throw error }
                usleep(20_000)
            }
        }
    }

    /// Accepts the ledger as it is; returns its former gate, or nil if there is nothing to decide.
    /// Throws, with nothing changed, if it is not sound.
    private func take(_ lock: FileLock) throws(LedgerError) -> String? {
        let place = opening.place
        let database = try Database(path: place.path, .write, vfs: place.vfs)
        database.lock = lock
        let snapshot = try LedgerSnapshot(in: database, gate: opening.gate)
        let verdict = try opening.judge(snapshot)
        do throws(LedgerError) {
            try opening.check(snapshot)
            if verdict.flaw == nil { try opening.checkEnd(of: snapshot) }
            return nil
        } catch {
            guard error.remedy == .decision else { throw error }
        }
        if verdict.kind == .records, let damage = verdict.flaw {
            throw LedgerError(place.path, damage: damage)
        }
        try database.secureLog()
        let adopted = try opening.adopt(snapshot, verdict.head)
        database.leaveLogOnClose(false)
        try place.remember(adopted.toRemember)
        return snapshot.gate
    }
}
