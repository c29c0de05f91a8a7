import Glibc
import StateMachines
import System

/// What people do with a ledger, beside the service.
public struct LedgerKeeper: Sendable {
    let opening: Opening
    /// How long a service that has the ledger open is waited for, which may only be trying to.
    var timeout: Duration = .seconds(2)

    /// Whoever keeps the ledger at `path`, of this gate, in this boot.
    public init(path: String, gate: String, bootID: String) {
        self.init(Opening(place: Place(path: path), gate: gate, bootID: bootID))
    }

    init(_ opening: Opening) { self.opening = opening }

    /// Looks at the whole ledger, also while the service has it open, and changes nothing. Throws
    /// for what is wrong with it, and returns what is missing in it. SQLite needs to
    /// write in the folder of a file that it reads, so this takes the permission to.
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
        if let snapshot { try opening.check(snapshot) }
        return verdict
    }

    /// What was accepted.
    public enum Acceptance: Hashable, Sendable, CustomStringConvertible {
        case nothing
        /// The ledger that lies there is taken as it is, though it was of another gate, or is
        /// another one than was there before. Where there was no key, one was made in this file.
        case taken(from: String, newKey: String? = nil)
        /// A new one was begun; what lay there has this name now. Where there was no key, one was
        /// made in this file.
        case begun(aside: String?, newKey: String? = nil)

        /// What was done, to follow the ledger's path.
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

    /// Accepts what became of a ledger that the service refuses: one that is sound is taken as it
    /// is, whosever it was; anything else is set aside whole, and a new one begun.
    public func accept() throws(LedgerError) -> Acceptance {
        let place = opening.place
        try checkUser()
        try place.checkFolder()
        let lock = try awaitLock()
        let hasKey = Files.status(of: place.key) != nil
        var newKey: String? { hasKey || Files.status(of: place.key) == nil ? nil : place.key }
        // A new one in its place would be a gate's, which nobody could tell from any other.
        if let known = try? place.remembered() { try opening.checkTrial(known.identity) }
        return try withExtendedLifetime(lock) { () throws(LedgerError) in
            let ready = try finishExchange()
            do throws(LedgerError) {
                if try place.find() {
                    guard let gate = try take(lock) else { return .nothing }
                    return .taken(from: gate, newKey: newKey)
                }
                // The service begins one by itself where there was none.
                let known = try place.remembered()
                if known == nil && ready == nil { return .nothing }
            } catch {
                guard error.remedy == .decision else { throw error }
            }
            return .begun(aside: try opening.beginNew().aside ?? ready, newKey: newKey)
        }
    }

    /// Ends an exchange that was cut short. A ledger that lies ready and is refused is set aside;
    /// returns where it is then.
    func finishExchange() throws(LedgerError) -> String? {
        do throws(LedgerError) {
            try opening.finishExchange()
            return nil
        } catch {
            guard error.remedy == .decision else { throw error }
            return try opening.place.setAside(opening.place.ready)
        }
    }

    /// Throws where the ledger is somebody else's: whoever gave the command is wrong then, and not
    /// the file's owner.
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

    /// Takes the ledger as it is; returns the gate that it was of, or nil where there is nothing to
    /// decide. Throws, with nothing changed, where it is not sound.
    private func take(_ lock: FileLock) throws(LedgerError) -> String? {
        let place = opening.place
        let database = try Database(path: place.path, .write, vfs: place.vfs)
        database.lock = lock
        let snapshot = try LedgerSnapshot(in: database, gate: opening.gate)
        let verdict = try opening.judge(snapshot)
        do throws(LedgerError) {
            try opening.check(snapshot)
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
