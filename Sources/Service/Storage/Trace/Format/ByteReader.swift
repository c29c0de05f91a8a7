/// Decodes the output of a ``ByteWriter``; throws for anything else.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var index: Int
    let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    init(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

    var count: Int { end - index }
    var isAtEnd: Bool { index >= end }

    @inline(__always) mutating func byte() throws(TraceFlaw) -> UInt8 {
        guard index < end else { throw .cutShort }
        defer { index += 1 }
        return bytes[index]
    }

    @inline(__always) mutating func varint() throws(TraceFlaw) -> UInt64 {
        let first = try byte()
        return first < 0x80 ? UInt64(first) : try longVarint(first)
    }

    private mutating func longVarint(_ first: UInt8) throws(TraceFlaw) -> UInt64 {
        var number = UInt64(first & 0x7F)
        for shift in stride(from: UInt64(7), through: 63, by: 7) {
            let byte = try byte()
            // The tenth byte has one bit.
            if shift == 63, byte > 1 { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .malformed("a number that is too long")
    }

    @inline(__always) mutating func signed() throws(TraceFlaw) -> Int64 {
        let number = try varint()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// The count of following items, each of at least a byte.
    mutating func itemCount() throws(TraceFlaw) -> Int {
        let number = try varint()
        guard number <= UInt64(count) else { throw .malformed("a count of more than there is") }
        return Int(number)
    }

    mutating func take(_ count: Int) throws(TraceFlaw) -> ArraySlice<UInt8> {
        guard count <= self.count else { throw .cutShort }
        defer { index += count }
        return bytes[index..<index + count]
    }
}

/// Why bytes cannot be decoded.
enum TraceFlaw: Error, Hashable {
    case cutShort
    case checksum
    /// Invalid contents with a valid checksum, in words.
    case malformed(String)
    case unreadable(String)
    case foreign
    /// An unknown version of the format.
    case version(String)
}

extension TraceFlaw: CustomStringConvertible {
    /// Half a sentence: `it is cut short`.
    var description: String {
        switch self {
        case .cutShort: "it is cut short"
        case .checksum: "it is damaged: its checksum is wrong"
        case .malformed(let what): "it cannot be read: \(what)"
        case .unreadable(let error): error
        case .foreign: "it is no trace of a gate"
        case .version(let version):
            "it is of version \(version) of the format; this program reads \(TraceFormat.version)"
        }
    }
}
