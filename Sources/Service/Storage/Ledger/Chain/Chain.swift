/// The chain of the records' hashes: each covers the hash before it, and so all earlier records.
///
/// A record's hash covers the previous hash (32 bytes) and the record's columns as text,
/// separated by line feeds: sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind,
/// details. The hash before the first record is ``beginning(of:)``.
struct Chain {
    private(set) var head: Digest
    private var bytes: [UInt8] = []

    /// A chain that continues after a record with this hash; nil: a placeholder, until a chain
    /// begins (``LedgerFile/beginChain(after:)``).
    init(after head: Digest?) {
        self.head = head ?? Digest(of: [])
        bytes.reserveCapacity(512)
    }

    static func beginning(of ledger: String) -> Digest { Digest(of: "turnstiled/\(ledger)") }

    mutating func add(_ row: ChainedRow) -> Digest {
        bytes.removeAll(keepingCapacity: true)
        head.append(to: &bytes)
        for number in [row.sequence, row.life, row.monotonic, row.wall, row.vocabulary] {
            append(number)
        }
        append(row.bootID)
        append(row.kind)
        bytes += row.details
        head = Digest(of: bytes)
        return head
    }

    private mutating func append(_ text: [UInt8]) {
        bytes += text
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var first = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The last digit came first.
        var last = bytes.count - 1
        while first < last {
            bytes.swapAt(first, last)
            (first, last) = (first + 1, last - 1)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// The columns of a record that its hash covers; texts in UTF-8.
struct ChainedRow: Hashable, Sendable {
    var sequence: Int64 = 0
    var life: Int64 = 0
    var monotonic: Int64 = 0
    var wall: Int64 = 0
    var vocabulary: Int64 = 0
    var bootID: [UInt8] = []
    var kind: [UInt8] = []
    var details: [UInt8] = []
}
