internal import Glibc

/// A call to the operating system that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function that failed: `sd_event_add_io`.
    public var call: String
    /// The argument of the call: `descriptor 7`; empty if the call says it all.
    public var subject: String
    /// The error number, as in `errno.h`: positive.
    public var errno: CInt

    /// The failure of `call` on `subject`.
    public init(call: String, subject: String = "", errno: CInt) {
        self.call = call
        self.subject = subject
        self.errno = errno
    }

    /// Whether it failed for want of the file that it was called for.
    public var meansAbsence: Bool { errno == ENOENT }

    /// Whether it failed for want of room.
    public var meansFullDisk: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }

    /// Whether it failed for want of permission.
    public var isDenial: Bool { errno == EACCES || errno == EPERM }

    /// One sentence: `sd_event_add_io for descriptor 7: Operation not permitted`.
    public var description: String {
        (subject.isEmpty ? call : "\(call) for \(subject)") + ": \(errorText(errno))"
    }
}

/// Throws if a function of libsystemd returned the negative of an error number.
package func check(_ result: CInt, _ call: String, _ subject: String = "") throws(SystemError) {
    if result < 0 { throw SystemError(call: call, subject: subject, errno: -result) }
}

/// The system's text for an error number.
public func errorText(_ errno: CInt) -> String {
    // Sound: strerror returns a string that ends in a zero and lives until this thread's next
    // call; it is copied at once.
    unsafe String(cString: strerror(errno))
}
