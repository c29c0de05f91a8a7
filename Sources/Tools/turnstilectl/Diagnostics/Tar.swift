import System

struct TarMember: Hashable {
    /// Its name, of 100 bytes at most.
    var name: String
    var bytes: [UInt8]
}

/// A POSIX archive (`ustar`), whose files only their owner may read.
struct Tar {
    var members: [TarMember]
    /// When each is said to have been changed: since 1970, UTC.
    var time: Duration

    private static let blockSize = 512

    func write<Failure>(
        to body: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        for member in members {
            try body(header(of: member))
            try body(member.bytes)
            let rest = member.bytes.count % Self.blockSize
            if rest > 0 { try body([UInt8](repeating: 0, count: Self.blockSize - rest)) }
        }
        // So it ends.
        try body([UInt8](repeating: 0, count: 2 * Self.blockSize))
    }

    private func header(of member: TarMember) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int, longest: Int) {
            precondition(text.utf8.count <= longest, "'\(text)' has no room in the archive")
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        // Each number ends with the NUL that is there.
        func put(_ number: Int64, at offset: Int, digits: Int) {
            let text = String(max(0, number), radix: 8).zeroPadded(to: digits)
            put(text, at: offset, longest: digits)
        }
        put(member.name, at: 0, longest: 100)
        put(0o600, at: 100, digits: 7)
        for owner in [108, 116] { put(0, at: owner, digits: 7) }
        put(Int64(member.bytes.count), at: 124, digits: 11)
        put(time.components.seconds, at: 136, digits: 11)
        // The sum is taken with blanks in its own place, and a regular file is of type 0.
        put("        0", at: 148, longest: 9)
        put("ustar", at: 257, longest: 5)
        put("00", at: 263, longest: 2)
        let sum = block.reduce(Int64(0)) { $0 + Int64($1) }
        put(sum, at: 148, digits: 6)
        block[154] = 0
        return block
    }
}
