/// Encodes numbers and texts: see docs/trace-format.md.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

    /// A non-negative number: seven bits in a byte, the lowest first, all but the last with the
    /// eighth bit.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(varint number: Int) { append(varint: UInt64(number)) }

    /// A number that may be negative: 0, -1, 1, -2, … as 0, 1, 2, 3, …
    mutating func append(signed number: Int64) {
        append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
    }
}
