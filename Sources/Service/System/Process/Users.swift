import Glibc

/// What the system knows of its users and groups. Each question may ask a server, and take a while.
public enum Users {
    /// What the calls may need of memory for one entry; a group may have many members.
    private static let mostBytes = 1 << 20

    /// The name of the user of this number; nil if unknown.
    public static func name(of user: UInt32) -> String? {
        unsafe entry { bytes in
            var found: UnsafeMutablePointer<passwd>?
            var entry = unsafe passwd()
            // Sound: what is written lies in the entry and in the bytes, which live until the
            // name was copied.
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

    /// The numbers of the groups that the user of this name would be in after logging in; none for
    /// one whom nobody knows.
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
        // Sound: as many numbers are written as there is room for, and the count tells how many.
        let result = unsafe getgrouplist(name, first, &groups, &count)
        return result < 0 ? [first] : Array(groups.prefix(Int(count)))
    }

    /// What `read` finds with enough memory: it returns an error number, and what it has found.
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
