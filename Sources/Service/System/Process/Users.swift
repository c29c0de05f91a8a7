import Glibc

/// The system's users and groups. Each look-up may ask a server, and take a while.
public enum Users {
    /// The most memory for one entry; a group may have many members.
    private static let mostBytes = 1 << 20

    /// The name of the user of this number; nil if unknown.
    public static func name(of user: UInt32) -> String? {
        unsafe entry { bytes in
            var found: UnsafeMutablePointer<passwd>?
            var entry = unsafe passwd()
            // Sound: the entry's pointers lead into these bytes, which live until the name was
            // copied.
            let code = unsafe getpwuid_r(user, &entry, bytes.baseAddress!, bytes.count, &found)
            return (code, unsafe found.map { unsafe String(cString: $0.pointee.pw_name) })
        }
    }

    /// The number of the group of this name; nil if unknown.
    public static func group(named name: String) -> UInt32? {
        unsafe entry { bytes in
            var found: UnsafeMutablePointer<Glibc.group>?
            var entry = unsafe Glibc.group()
            // Sound: as above.
            let code = unsafe getgrnam_r(name, &entry, bytes.baseAddress!, bytes.count, &found)
            return (code, unsafe found?.pointee.gr_gid)
        }
    }

    /// The groups of the user of this name after a login; empty for an unknown user.
    public static func groups(of name: String) -> [UInt32] {
        let first: UInt32? = unsafe entry { bytes in
            var found: UnsafeMutablePointer<passwd>?
            var entry = unsafe passwd()
            // Sound: as above.
            let code = unsafe getpwnam_r(name, &entry, bytes.baseAddress!, bytes.count, &found)
            return (code, unsafe found?.pointee.pw_gid)
        }
        guard let first else { return [] }
        var groups = [UInt32](repeating: 0, count: 256)
        var count = CInt(groups.count)
        // Sound: the call writes at most `count` numbers, and updates the count.
        let result = unsafe getgrouplist(name, first, &groups, &count)
        return result < 0 ? [first] : Array(groups.prefix(Int(count)))
    }

    /// The entry that `read` finds with enough memory; it returns an error number.
    private static func entry<Value>(
        _ read: (UnsafeMutableBufferPointer<CChar>) -> (code: CInt, value: Value?)
    ) -> Value? {
        var size = 1 << 10
        while true {
            // Sound: the memory is lent for one call of `read`, which keeps nothing of it.
            let (code, value) = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size)
            { unsafe read($0) }
            guard code == ERANGE, size < mostBytes else { return code == 0 ? value : nil }
            size *= 4
        }
    }
}
