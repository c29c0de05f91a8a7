import System
import Turnstile

/// A checksum over a ledger's state: it detects a row that was lost, or changed by another program.
///
/// Each row adds a number computed from its contents, in any order, so that a transaction updates
/// only for its changed rows. It is no protection against forgery: the file's owner and mode are.
struct Seal: Hashable, Sendable {
    private var sum: UInt64 = 0

    /// The stored sum, never negative.
    var number: Int64 { Int64(sum & UInt64(Int64.max)) }

    /// Replaces a row's contribution; nil if the row did not exist before, or does not now.
    mutating func change(_ register: Register, from old: Register.Value?, to new: Register.Value?) {
        let coin = register.coin
        let row = "r|\(register.name)|\(coin?.pulses ?? 0)|\(coin?.value ?? 0)"
        if let old { sum &-= Self.hash("\(row)|\(old.sinceInit)|\(old.sinceCollection)") }
        if let new { sum &+= Self.hash("\(row)|\(new.sinceInit)|\(new.sinceCollection)") }
    }

    mutating func change(_ name: String, from old: Int64?, to new: Int64) {
        if let old { sum &-= Self.hash("s|\(name)|\(old)") }
        sum &+= Self.hash("s|\(name)|\(new)")
    }

    mutating func add(_ identity: Identity) {
        for (name, value) in identity.texts { sum &+= Self.hash("i|\(name)|\(value)") }
    }

    /// FNV-1a with a final mix, since the numbers are summed.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash >> 33)
    }
}

/// Identifies the ledger and its gate.
struct Identity: Hashable, Sendable {
    /// 128 random bits, as 32 hexadecimal digits; a trial's begins with ``trial``.
    var number: String
    var gate: String
    /// The public key of its checkpoints; nil for an earlier version.
    var key: VerificationKey?
    /// The branch: 128 random bits, new with each restored copy and each acceptance, so that a
    /// record's number is unique in a branch. Nil for an earlier version.
    var branch: String?

    var isTrial: Bool { Self.isTrial(number) }

    static func isTrial(_ number: String) -> Bool { number.hasPrefix(trial) }

    static func isNumber(_ text: Substring.UTF8View) -> Bool {
        let digits = text.starts(with: trial.utf8) ? text.dropFirst(trial.utf8.count) : text
        return digits.count == 32
            && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    var texts: [(name: String, value: String)] {
        [("gate", gate), ("ledger", number)] + (key.map { [("key", $0.description)] } ?? [])
            + (branch.map { [("branch", $0)] } ?? [])
    }

    /// The prefix of a trial's number. The chain begins with the number, and each checkpoint signs
    /// it: making a gate's ledger of a trial's would take new signatures.
    static let trial = "trial-"

    init(of gate: String, isTrial: Bool = false) {
        self.gate = gate
        number = (isTrial ? Self.trial : "") + Self.random()
    }

    init?(_ texts: [String: String]) {
        let key = texts["key"].flatMap { VerificationKey($0) }
        guard let gate = texts["gate"], let number = texts["ledger"] else { return nil }
        (self.gate, self.number, self.key, branch) = (gate, number, key, texts["branch"])
        guard texts.count == self.texts.count else { return nil }
    }

    mutating func beginBranch() { branch = Self.random() }

    private static func random() -> String {
        // The system's generator never fails.
        var generator = SystemRandomNumberGenerator()
        let halves = (0..<2).map { _ in
            String(generator.next(), radix: 16).zeroPadded(to: 16)
        }
        return halves.joined()
    }
}
