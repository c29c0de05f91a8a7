// What a ledger has to be before it is taken up.
extension Opening {
    /// Throws where the ledger is not that of this gate, or not the one that was here.
    func check(_ stored: Stored, isNew: Bool) throws(LedgerError) {
        let identity = stored.identity
        if identity.isTrial != (trial != nil) {
            throw LedgerError(
                place.path,
                identity.isTrial
                    ? "it is the ledger of a trial (--speed, --at), and of no gate"
                    : "it is a gate's: a trial (--speed, --at) takes a folder of its own",
                .person)
        }
        if identity.gate != gate {
            throw LedgerError(
                place.path, "it is the ledger of the gate '\(identity.gate)', not of '\(gate)'",
                .decision)
        }
        guard let remembered = try place.remembered() else { return }
        if isNew || remembered.identity != identity.number {
            throw LedgerError(
                place.path,
                "it is not the ledger that was in use here: that was \(remembered.identity), by "
                    + place.known,
                .decision)
        }
        if stored.books.sequence < remembered.sequence {
            throw LedgerError(
                place.path,
                "it is an older copy of the ledger that was in use here: it ends with the record "
                    + "\(stored.books.sequence), and there was the record "
                    + "\(remembered.sequence), by \(place.known)",
                .decision)
        }
    }

    /// What is wrong with the pages of the file beside money and registers, or with the end of the
    /// records; nil for nothing. A file that is large is not looked at as a whole, since people
    /// would wait for it.
    func damageOfRecords(
        _ found: Schema.Finding, _ stored: Stored, in database: Database
    ) throws(LedgerError) -> String? {
        guard found.hasRecords else { return "the table of the records is not as it should be" }
        let size = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
        if isThorough || size <= Self.checkedAtOnce,
            let damage = try Schema.damage(of: nil, in: database)
        {
            return damage
        }
        guard found.version == Schema.version else { return nil }
        do throws(LedgerError) {
            _ = try stored.chain(in: database)
            return nil
        } catch {
            guard let damage = error.damage else { throw error }
            return damage
        }
    }

    /// How many bytes a file has at most that is looked at as a whole each time.
    private static let checkedAtOnce: Int64 = 32 << 20
}

extension Stored {
    /// The gate that the last checkpoint is of; nil where there is none that can be read.
    func signedGate(in database: Database) throws(LedgerError) -> String? {
        let sql = "SELECT note FROM checkpoints ORDER BY number DESC LIMIT 1"
        return try database.value(sql)?.text.flatMap { SignedCheckpoint($0) }?.checkpoint.gate
    }

    /// The records that can be verified, as a chain up to the last of them. Throws where the last
    /// ones are gone, or are not those that the money is of.
    func chain(in database: Database) throws(LedgerError) -> Chain {
        let last = try database.number("SELECT coalesce(max(sequence), 0) FROM records")
        let (sequence, base) = (books.sequence, books[.base])
        guard max(last, books[.pruned]) == sequence else {
            throw LedgerError(
                database.path,
                damage: "its records end with the number \(last), and its money is that of "
                    + "\(sequence)")
        }
        let sql =
            sequence == base
            ? "SELECT note FROM checkpoints WHERE sequence = \(base) ORDER BY number DESC LIMIT 1"
            : "SELECT hash FROM records WHERE sequence = \(sequence)"
        let value = try database.value(sql)
        let hash =
            value?.bytes.flatMap { Digest($0) }
            ?? value?.text.flatMap { SignedNote($0) }.flatMap { Checkpoint($0.text) }?.hash
        guard let hash else {
            throw LedgerError(database.path, damage: "its last record has no hash")
        }
        return Chain(after: hash)
    }
}
