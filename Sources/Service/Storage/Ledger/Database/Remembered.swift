/// The ledger last in use, as written down beside it.
struct Remembered: Hashable {
    var identity: String
    /// The number of its last record at that time: an older copy ends before it. 0 if that was not
    /// written down.
    var sequence: Int64
    /// Its public key; nil if that was not written down.
    var key: VerificationKey?
    /// Nil if an earlier version wrote it down.
    var branch: Branch?

    struct Branch: Hashable {
        var number: String
        /// The hash of the record `sequence`, which covers all records before it.
        var head: Digest
    }

    /// `head` is the hash of the last record.
    init(_ state: LedgerState, head: Digest?) {
        (identity, sequence) = (state.identity.number, state.books.sequence)
        key = state.identity.key
        branch = state.identity.branch.flatMap { number in
            head.map { Branch(number: number, head: $0) }
        }
    }
}

// The file: a line for each part. Earlier versions wrote the first one, two or three.
extension Remembered {
    var text: String {
        var lines = [identity, "\(sequence)"]
        if let key { lines.append("\(key)") }
        if let branch { lines += [branch.number, "\(branch.head)"] }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Parses the file beside the ledger at `place`. Throws for a line that cannot be read.
    init(_ text: String, of place: Place) throws(LedgerError) {
        let all = text.lines
        let lines = all.last == "" ? all.dropLast() : all[...]
        func part<Part>(
            _ number: Int, _ expected: String, _ read: (Substring) -> Part?
        ) throws(LedgerError) -> Part {
            let line = number <= lines.count ? lines[number - 1] : ""
            guard let part = read(line) else {
                throw LedgerError(
                    place.path,
                    "\(place.known), line \(number): expected \(expected), got "
                        + "'\(line.prefix(80))'",
                    .decision)
            }
            return part
        }
        identity = try part(1, "the ledger's number (32 hexadecimal digits)", Self.number)
        sequence = 0
        if lines.count > 1 {
            sequence = try part(2, "a record's number from 0 to \(Int64.mostKept)") { line in
                Int64(kept: line).flatMap { $0 < 0 ? nil : $0 }
            }
        }
        if lines.count > 2 {
            key = try part(3, "a public key (NAME+ID+BASE64)") { VerificationKey($0) }
        }
        if lines.count > 3 {
            branch = Branch(
                number: try part(4, "a branch (32 hexadecimal digits)", Self.number),
                head: try part(5, "a hash (32 bytes in Base64)") { Digest(base64: String($0)) })
        }
        if lines.count > 5 { _ = try part(6, "no more than five lines") { _ in Int?.none } }
    }

    private static func number(_ line: Substring) -> String? {
        Identity.isNumber(line.utf8) ? String(line) : nil
    }
}
