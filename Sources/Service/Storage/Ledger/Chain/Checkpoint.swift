public import Keeping
package import Turnstile

/// The state of the chain and the totals of the records, signed from time to time.
///
/// It is the text of a C2SP checkpoint (https://c2sp.org/tlog-checkpoint): origin, size, hash, and
/// lines of this project's own. The hash is a chain's, not a tree's: see ``Chain``.
public struct Checkpoint: Hashable, Sendable {
    /// Why it was made.
    public enum Occasion: Hashable, Sendable {
        /// The verifiable records begin after it: earlier ones have no hashes, or are in another
        /// file.
        case begun
        /// A day ended by the gate's wall clock: `20261122`.
        case day(Int)
        /// The coins were collected: the collection's number, and the expected amount in the vault,
        /// in minor units of the currency.
        case collection(Int64, expected: Int64)
        /// The coins of the collection of this number were counted.
        case counted(Int64, Count)
        case interval
        case stop
        /// Records before it were lost.
        case gap
        /// The key, gate or branch changes here: earlier checkpoints are verified with `after`.
        case key(after: VerificationKey)

        /// Whether it is kept for good, even when the records before it are pruned.
        var isKept: Bool {
            switch self {
            case .begun, .day, .collection, .counted, .gap, .key: true
            case .interval, .stop: false
            }
        }
    }

    /// The counted coins of a collection.
    public struct Count: Hashable, Sendable {
        /// The expected amount, in minor units of the currency.
        public var expected: Int64
        package var counted: Int64
    }

    /// The ledger's number: 32 hexadecimal digits; a trial's after `trial-`.
    public var ledger: String
    /// The number of the last record that it covers.
    public var sequence: Int64
    package var hash: Digest
    package var gate: String
    /// By the wall clock: since 1970, UTC, in whole seconds.
    public var time: Duration
    package var occasion: Occasion
    /// Consecutive in a ledger, from 1.
    public var number: Int64
    /// How many of the checkpoints up to this one are kept for good.
    public var page: Int64
    /// The hash of the ``RegisterList``.
    public var registers: Digest
    /// The money put in since the gate was new.
    public var valueIn: Int64
    /// The sum of the credit held and the fare in use.
    public var held: Int64
    /// The passages since the gate was new.
    public var passages: Int64
    /// Nil for a checkpoint of an earlier version.
    var standing: Standing?

    /// The ledger's branch, and the numbers of its table `state` that have no line of their own
    /// above: by name, without zeros.
    struct Standing: Hashable, Sendable {
        var branch: String
        var numbers: [String: Int64]

        /// The expected amount in the vault, which follows from the registers.
        static let vault = "in_vault"
        var inVault: Int64 { numbers[Self.vault] ?? 0 }

        subscript(name: Books.Name) -> Int64 { numbers[name.rawValue] ?? 0 }

        fileprivate var lines: [String] {
            let sorted = numbers.sorted { $0.key < $1.key }
            return ["branch \(branch)"] + sorted.map { "\($0.key) \($0.value)" }
        }
    }

    /// The ledger's branch; nil for a checkpoint of an earlier version.
    public var branch: String? { standing?.branch }

    package var isTrial: Bool { Identity.isTrial(ledger) }

    static let origin = "turnstiled/"

    static func isBeginning(_ line: Substring) -> Bool {
        let bytes = line.utf8
        return bytes.starts(with: origin.utf8)
            && Identity.isNumber(bytes.dropFirst(origin.utf8.count))
    }

    /// The signed lines.
    var text: String {
        var lines = [
            "\(Self.origin)\(ledger)", "\(sequence)", "\(hash)", "gate \(gate)",
            "time \(time.utcText)", "for \(occasion.text)",
        ]
        lines += occasion.lines
        lines += [
            "number \(number)", "page \(page)", "registers \(registers)",
            "value_in \(valueIn)", "held \(held)", "passages \(passages)",
        ]
        lines += standing?.lines ?? []
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Checkpoint {
    /// Parses the text of a note; nil unless it is a gate's checkpoint.
    public init?(_ text: String) {
        // A gate's name has no control characters.
        let hasControls = text.unicodeScalars.contains {
            $0 != "\n"
                && [.control, .lineSeparator, .paragraphSeparator]
                    .contains($0.properties.generalCategory)
        }
        if hasControls { return nil }
        var lines = Lines(text)
        guard let ledger = lines.next(Self.origin), let sequence = lines.count(""),
            let hash = lines.next("").flatMap({ Digest(base64: String($0)) }),
            let gate = lines.next("gate "),
            let time = lines.next("time ").flatMap({ Duration(utcText: $0) }),
            let occasion = lines.occasion(), let number = lines.count("number "),
            let page = lines.count("page "),
            let registers = lines.next("registers ").flatMap({ Digest(base64: String($0)) }),
            let valueIn = lines.number("value_in "), let held = lines.number("held "),
            let passages = lines.number("passages ")
        else { return nil }
        self.init(
            ledger: String(ledger), sequence: sequence, hash: hash, gate: String(gate), time: time,
            occasion: occasion, number: number, page: page, registers: registers,
            valueIn: valueIn, held: held, passages: passages, standing: lines.standing())
        // Each value has exactly one spelling.
        guard self.text == text else { return nil }
    }
}

/// A checkpoint, and its signed note.
public struct SignedCheckpoint: Hashable, Sendable {
    package var checkpoint: Checkpoint
    package var note: SignedNote
}

extension SignedCheckpoint {
    /// Parses a note; nil unless its text is a gate's checkpoint.
    public init?(_ text: some StringProtocol) {
        guard let note = SignedNote(text), let checkpoint = Checkpoint(note.text) else {
            return nil
        }
        self.init(checkpoint: checkpoint, note: note)
    }

    var storeNote: StoreNote {
        .checkpoint(
            number: checkpoint.number, occasion: checkpoint.occasion.kind, note: note.description)
    }
}

extension Checkpoint.Occasion {
    /// The occasion without its details.
    public var kind: CheckpointOccasion {
        switch self {
        case .begun: .begun
        case .day(let day): .day(day)
        case .collection(let number, _): .collection(number)
        case .counted(let number, _): .counted(number)
        case .interval: .interval
        case .stop: .stop
        case .gap: .gap
        case .key: .key
        }
    }

    /// The words that follow `for`.
    public var text: String { kind.description }

    fileprivate var lines: [String] {
        switch self {
        case .key(let earlier): ["after \(earlier)"]
        case .collection(_, let expected): ["expected \(expected)"]
        case .counted(_, let count):
            [
                "expected \(count.expected)", "counted \(count.counted)",
                "difference \(count.counted &- count.expected)",
            ]
        case .begun, .day, .interval, .stop, .gap: []
        }
    }

    fileprivate init?(_ text: Substring, _ lines: inout Lines) {
        switch CheckpointOccasion(text) {
        case .begun: self = .begun
        case .day(let day): self = .day(day)
        case .collection(let number):
            guard let expected = lines.number("expected ") else { return nil }
            self = .collection(number, expected: expected)
        case .counted(let number):
            guard let expected = lines.number("expected "),
                let counted = lines.number("counted "), lines.number("difference ") != nil
            else { return nil }
            self = .counted(number, Checkpoint.Count(expected: expected, counted: counted))
        case .interval: self = .interval
        case .stop: self = .stop
        case .gap: self = .gap
        case .key:
            guard let earlier = lines.next("after ").flatMap({ VerificationKey($0) }) else {
                return nil
            }
            self = .key(after: earlier)
        case nil: return nil
        }
    }
}

private struct Lines {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// The rest of the next line after `prefix`; nil if it has another beginning.
    mutating func next(_ prefix: String) -> Substring? {
        let bytes = rest.utf8
        guard let end = bytes.firstIndex(of: 10), bytes[..<end].starts(with: prefix.utf8) else {
            return nil
        }
        rest = Substring(bytes[bytes.index(after: end)...])
        // By bytes: a combining mark in a name could merge with the blank before it.
        return Substring(bytes[..<end].dropFirst(prefix.utf8.count))
    }

    mutating func number(_ prefix: String) -> Int64? { next(prefix).flatMap { Int64(kept: $0) } }

    /// The same; nil for a negative number.
    mutating func count(_ prefix: String) -> Int64? {
        number(prefix).flatMap { $0 < 0 ? nil : $0 }
    }

    mutating func occasion() -> Checkpoint.Occasion? {
        next("for ").flatMap { Checkpoint.Occasion($0, &self) }
    }

    /// The branch and its numbers, up to the end; nil if one is missing or malformed.
    mutating func standing() -> Checkpoint.Standing? {
        guard let branch = next("branch ") else { return nil }
        var numbers: [String: Int64] = [:]
        while let line = next("") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let number = Int64(kept: words[1]), number != 0 else {
                return nil
            }
            numbers[String(words[0])] = number
        }
        return Checkpoint.Standing(branch: String(branch), numbers: numbers)
    }
}

/// The registers of a gate, as a checkpoint covers them: a line for each, `NAME COUNT` or, for
/// coins, `NAME PULSES VALUE COUNT`, sorted by bytes.
public struct RegisterList: Hashable, Sendable {
    package var counts: [Register: Int64]

    var values: RegisterValues { counts.reduce(into: RegisterValues()) { $0[$1.key] = $1.value } }

    init(_ values: RegisterValues) {
        counts = [:]
        for register in values.counted { counts[register] = values[register] }
    }

    /// Parses the lines; nil if they are malformed.
    public init?(_ text: String) {
        counts = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().map { Int64(kept: $0) }
            guard let name = words.first, let last = numbers.last, let count = last else {
                return nil
            }
            var register = Register(name: String(name))
            if numbers.count == 3, let pulses = numbers[0], let value = numbers[1] {
                register = Register(
                    name: String(name), pulses: Int(clamping: pulses), value: Int(clamping: value))
            } else if numbers.count != 1 {
                return nil
            }
            guard let register else { return nil }
            counts[register] = count
        }
        guard isPossible, self.text == text else { return nil }
    }

    /// Whether a gate can reach these: the sum of all is bounded too.
    var isPossible: Bool {
        var sum: UInt64 = 0
        return counts.values.allSatisfy { count in
            let (total, overflows) = sum.addingReportingOverflow(count.magnitude)
            sum = total
            return !overflows && total <= Int64.mostKept.magnitude
        }
    }

    /// The lines, which the checkpoint's hash of the registers covers.
    public var text: String {
        let lines = counts.map { register, count in
            let coin = register.coin.map { " \($0.pulses) \($0.value)" } ?? ""
            return "\(register.name)\(coin) \(count)\n"
        }
        return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    }

    var digest: Digest { Digest(of: text) }
}
