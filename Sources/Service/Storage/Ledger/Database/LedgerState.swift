import Turnstile

/// The state of a ledger beside its records: money, registers and identity.
struct LedgerState: Hashable, Sendable {
    var values: [Register: Register.Value]
    /// The balances, the books, and the number of the last start; the names never change.
    var numbers: [String: Int64]
    var identity: Identity

    static let life = "life"
    /// The name of the checksum over all others: see ``Seal``.
    static let seal = "seal"

    init(
        _ identity: Identity, _ contents: Contents = Contents(), life: Int64 = 0,
        books: Books = Books()
    ) {
        values = contents.registers.values
        numbers = contents.balances.numbers
        numbers[Self.life] = life
        self.identity = identity
        self.books = books
    }

    var contents: Contents {
        var contents = Contents()
        contents.registers = Registers(values)
        contents.balances.numbers = numbers
        return contents
    }

    var life: Int64 { numbers[Self.life] ?? 0 }

    var books: Books {
        get {
            var books = Books()
            for name in Books.Name.allCases { books[name] = numbers[name.rawValue] ?? 0 }
            return books
        }
        set { for name in Books.Name.allCases { numbers[name.rawValue] = newValue[name] } }
    }

    /// For a checkpoint: the numbers that have no line of their own there.
    var standing: Checkpoint.Standing {
        var told = numbers.filter { $0.value != 0 }
        for name in [Books.Name.sequence, .checkpoint, .keptCheckpoints] {
            told[name.rawValue] = nil
        }
        let vault = contents.registers.sinceCollection.valueInVault
        told[Checkpoint.Standing.vault] = vault == 0 ? nil : vault
        return Checkpoint.Standing(branch: identity.branch ?? "", numbers: told)
    }

    var seal: Seal {
        var seal = Seal()
        for (register, value) in values { seal.change(register, from: nil, to: value) }
        for (name, number) in numbers { seal.change(name, from: nil, to: number) }
        seal.add(identity)
        return seal
    }
}

// Reading it.
extension LedgerState {
    /// Reads a database, and rejects impossible values; `gate` is the name for a ledger of the
    /// first version, which had none.
    init(in database: Database, _ found: Schema.Finding, gate: String) throws(LedgerError) {
        for table in ["registers", "state", "identity"]
        where table != "identity" || found.version != 1 {
            if let damage = try Schema.damage(of: table, in: database) {
                throw LedgerError(database.path, damage: damage)
            }
        }
        values = try Self.values(in: database)
        numbers = try Self.numbers(in: database)
        if found.version == 1 {
            identity = Identity(of: gate)
            carryOver()
        } else {
            identity = try Self.identity(in: database, found)
        }
        let seal = found.version == 1 ? nil : numbers.removeValue(forKey: Self.seal)
        let computed = self.seal.number
        if found.version < Schema.version {
            numbers[FieldName.countAwaited.rawValue] = try Self.countAwaited(in: database)
        }
        if found.version < 4 {
            books.sequence = try database.number("SELECT coalesce(max(sequence), 0) FROM records")
        }
        try check(database.path)
        guard found.version == 1 || seal == computed else {
            throw LedgerError(
                database.path, damage: "another program has changed it")
        }
    }

    /// Adds what the first version did not store. Without any values it was never written to.
    private mutating func carryOver() {
        if values.isEmpty && numbers.isEmpty {
            self = LedgerState(identity)
            return
        }
        var registers = Registers(values)
        registers.beginMissingRegisters()
        values = registers.values
    }

    /// Whether the last collection is uncounted, by the records: earlier versions did not store
    /// that.
    private static func countAwaited(in database: Database) throws(LedgerError) -> Int64 {
        let kinds = "('vault_replaced', 'coins_collected', 'collection_counted')"
        return try database.number(
            """
            SELECT coalesce((SELECT kind <> 'collection_counted' FROM records
                WHERE kind IN \(kinds) ORDER BY sequence DESC LIMIT 1), 0)
            """)
    }

    private static func values(
        in database: Database
    ) throws(LedgerError) -> [Register: Register.Value] {
        var values: [Register: Register.Value] = [:]
        let sql = "SELECT name, pulses, value, since_init, since_collection FROM registers"
        try database.prepare(sql).run { row throws(LedgerError) in
            let name = try row.text(0)
            let (pulses, value) = (Int(clamping: try row.count(1)), Int(clamping: try row.count(2)))
            guard let register = Register(name: name, pulses: pulses, value: value) else {
                throw row.damage("the register '\(name)' is unknown")
            }
            guard register.coin != nil || (pulses, value) == (0, 0) else {
                throw row.damage("the register '\(name)' counts no coins")
            }
            values[register] = Register.Value(
                sinceInit: try row.count(3), sinceCollection: try row.count(4))
        }
        return values
    }

    private static func numbers(in database: Database) throws(LedgerError) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        try database.prepare("SELECT name, value FROM state").run { row throws(LedgerError) in
            let name = try row.text(0)
            // The seal may have any value.
            numbers[name] = name == Self.seal ? row.number(1) : try row.count(1)
        }
        return numbers
    }

    private static func identity(
        in database: Database, _ found: Schema.Finding
    ) throws(LedgerError) -> Identity {
        var texts: [String: String] = [:]
        try database.prepare("SELECT name, value FROM identity").run { row throws(LedgerError) in
            texts[try row.text(0)] = try row.text(1)
        }
        guard let identity = Identity(texts), (identity.key != nil) == found.isSigned,
            (identity.branch != nil) == (found.version == Schema.version)
        else {
            throw LedgerError(database.path, damage: "it does not say which ledger it is")
        }
        return identity
    }

    private func check(_ path: String) throws(LedgerError) {
        for register in Register.always where values[register] == nil {
            throw LedgerError(path, damage: "the register \(register.name) is missing")
        }
        let known = LedgerState(identity).numbers
        for name in known.keys.sorted() where numbers[name] == nil {
            throw LedgerError(path, damage: "its value of '\(name)' is missing")
        }
        let (registers, balances) = (contents.registers, contents.balances)
        guard RegisterList(registers.sinceInit).isPossible else {
            throw LedgerError(path, damage: "the registers are higher than a gate can reach")
        }
        let found = registers.check() + balances.check(against: registers)
        if !found.isEmpty {
            throw LedgerError(
                path, damage: found.map(\.description).sorted().joined(separator: "; "))
        }
        guard books.isPossible else {
            throw LedgerError(path, damage: "the numbers of its books contradict each other")
        }
        // The state has to be what this version would write.
        guard LedgerState(identity, contents, life: life, books: books) == self else {
            throw LedgerError(path, damage: "an amount held for people is impossible")
        }
    }
}
