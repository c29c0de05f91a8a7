public import Keeping
package import Turnstile

/// What a gate signs from time to time: where its records stand, and what they have come to.
///
/// It is the text of a C2SP checkpoint (https://c2sp.org/tlog-checkpoint): origin, size, hash, and
/// lines of this project's own. The hash is that of a chain and of no tree: see ``Chain``.
public struct Checkpoint: Hashable, Sendable {
    /// Why it was made.
    public enum Occasion: Hashable, Sendable {
        /// The records that can be verified begin behind it: those before it have no hashes, or are
        /// in another file.
        case begun
        /// A day ended by the clock on the wall where the gate is: `20261122`.
        case day(Int)
        /// The coins were collected, for the time of this number, and so much should have been in
        /// the vault, in minor units of the currency.
        case collection(Int64, expected: Int64)
        /// Somebody has counted the coins of the collection of this number.
        case counted(Int64, Count)
        case interval
        case stop
        /// Records before it could not be kept.
        case gap
        /// The ledger is this gate's, with this key, from here on: what was signed before is
        /// verified with that one.
        case key(after: VerificationKey)

        /// Whether it is kept when the records before it are not.
        var isKept: Bool {
            switch self {
            case .begun, .day, .collection, .counted, .gap, .key: true
            case .interval, .stop: false
            }
        }
    }

    /// What was found in the vault.
    public struct Count: Hashable, Sendable {
        /// What should have been in it, in minor units of the currency.
        public var expected: Int64
        package var counted: Int64
    }

    /// Which ledger it is: 32 hexadecimal digits.
    public var ledger: String
    /// The number of the last record that it covers.
    public var sequence: Int64
    package var hash: Digest
    package var gate: String
    /// When it was made, by the clock on the wall: since 1970, UTC, in whole seconds.
    public var time: Duration
    package var occasion: Occasion
    /// Its own number: they go up by one.
    public var number: Int64
    /// How many were made so far that are kept for good, this one among them.
    public var page: Int64
    /// The hash of the list of the registers.
    public var registers: Digest
    /// What people have put in since the gate was new.
    public var valueIn: Int64
    /// What is held for them.
    public var held: Int64
    /// How many passages were made since the gate was new.
    public var passages: Int64
    /// What else the ledger kept in numbers; nil where a version signed it that did not say.
    var standing: Standing?

    /// Which branch the ledger was, and its numbers besides those that have lines of their own, by
    /// the names of its table `state`: none that is 0.
    struct Standing: Hashable, Sendable {
        var branch: String
        var numbers: [String: Int64]

        /// What should have been in the vault: a number that follows from the registers.
        static let vault = "in_vault"
        var inVault: Int64 { numbers[Self.vault] ?? 0 }

        subscript(name: Books.Name) -> Int64 { numbers[name.rawValue] ?? 0 }

        fileprivate var lines: [String] {
            let sorted = numbers.sorted { $0.key < $1.key }
            return ["branch \(branch)"] + sorted.map { "\($0.key) \($0.value)" }
        }
    }

    /// Which branch of the ledger it is of; nil where a version signed it that had none.
    public var branch: String? { standing?.branch }

    package var isTrial: Bool { Identity.isTrial(ledger) }

    static let origin = "turnstiled/"

    static func isBeginning(_ line: Substring) -> Bool {
        let bytes = line.utf8
        return bytes.starts(with: origin.utf8)
            && Identity.isNumber(bytes.dropFirst(origin.utf8.count))
    }

    /// The lines that are signed.
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
    /// Reads the text of a note; nil for what is no checkpoint of a gate.
    public init?(_ text: String) {
        // No gate's name steers a terminal.
        let steers = text.unicodeScalars.contains {
            $0 != "\n"
                && [.control, .lineSeparator, .paragraphSeparator]
                    .contains($0.properties.generalCategory)
        }
        if steers { return nil }
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
        // One value is written in one way.
        guard self.text == text else { return nil }
    }
}

/// A checkpoint, and the note that it is signed in.
public struct SignedCheckpoint: Hashable, Sendable {
    package var checkpoint: Checkpoint
    package var note: SignedNote
}

extension SignedCheckpoint {
    /// Reads a note; nil for what is none of a gate.
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
    /// Why it was made, without what it says besides.
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

/// The lines of a text, one after the other.
private struct Lines {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    /// What follows `prefix` on the next line; nil where it does not begin so.
    mutating func next(_ prefix: String) -> Substring? {
        let bytes = rest.utf8
        guard let end = bytes.firstIndex(of: 10), bytes[..<end].starts(with: prefix.utf8) else {
            return nil
        }
        rest = Substring(bytes[bytes.index(after: end)...])
        // A name may begin with a mark that would make a letter of the blank before it.
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

/// What the registers of a gate show since it was new, as a checkpoint covers it: a line for each,
/// `NAME COUNT` or, where coins are counted, `NAME PULSES VALUE COUNT`, in the order of the bytes.
public struct RegisterList: Hashable, Sendable {
    package var counts: [Register: Int64]

    var values: RegisterValues { counts.reduce(into: RegisterValues()) { $0[$1.key] = $1.value } }

    init(_ values: RegisterValues) {
        counts = [:]
        for register in values.counted { counts[register] = values[register] }
    }

    /// Reads the lines; nil for what is no such list.
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

    /// Whether a gate can come to these, all together: no sum of some of them is too large either.
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
