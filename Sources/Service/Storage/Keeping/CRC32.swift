/// The 32-bit cyclic redundancy check of Ethernet, gzip and PNG.
public enum CRC32 {
    /// What each value of a byte adds to the remainder.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { remainder, _ in
            remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0xEDB8_8320
        }
    }

    public static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        let table = table
        let (bytes, entries) = (bytes.span, table.span)
        var remainder: UInt32 = ~0
        for index in bytes.indices {
            let entry = entries[Int(UInt8(truncatingIfNeeded: remainder) ^ bytes[index])]
            remainder = remainder >> 8 ^ entry
        }
        return ~remainder
    }

    public static func checksum(of bytes: [UInt8]) -> UInt32 { checksum(of: bytes[...]) }
}
