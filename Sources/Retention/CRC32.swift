/// The 32-bit cyclic redundancy check of Ethernet, gzip and PNG.
enum CRC32 {
    /// What each value of a byte adds to the remainder.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { remainder, _ in
            remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ 0xEDB8_8320
        }
    }

    /// The checksum of `bytes`.
    static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        return ~bytes.reduce(~0) { remainder, byte in
            remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
        }
    }
}
