import BankContract
import Glibc

/// An attribute of a device in sysfs, open; it can be read and written any number of times.
struct SysfsFile: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Opens the attribute at `path`, for writing too if `isWritable`.
    init(_ path: String, isWritable: Bool = false) throws(ContractFailure) {
        // Sound: the text lives until the call returns.
        descriptor = unsafe open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw failure("open") }
    }

    deinit {
        close(descriptor)
    }

    /// Replaces the attribute's value.
    func write(_ text: String) throws(ContractFailure) {
        let bytes = Array(text.utf8)
        // Sound: the array lives until the call returns, and its count is passed along.
        guard unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw failure("write")
        }
    }

    /// The value's first character.
    func readFirst() throws(ContractFailure) -> Character {
        var byte: UInt8 = 0
        // Sound: one byte is read into a variable of one byte.
        guard unsafe pread(descriptor, &byte, 1, 0) == 1 else { throw failure("read") }
        return Character(Unicode.Scalar(byte))
    }

    private func failure(_ call: String) -> ContractFailure {
        // Sound: the C library returns a string that ends with a zero, which is copied here.
        unsafe ContractFailure("\(call) \(path): \(String(cString: strerror(errno)))")
    }

    /// The paths that match a shell pattern.
    static func paths(matching pattern: String) -> [String] {
        var found = unsafe glob_t()
        // Sound: the structure is initialised, and freed when its strings have been copied.
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0 else { return [] }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe found.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }
}
