import Glibc

/// The system's text for an error number.
public func errorText(_ errno: CInt) -> String {
    // Sound: strerror returns a string that ends in a zero and lives until this thread's next
    // call; it is copied at once.
    unsafe String(cString: strerror(errno))
}
