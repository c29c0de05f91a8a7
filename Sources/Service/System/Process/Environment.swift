import Glibc

/// The value of an environment variable, or nil where it is unset.
public func environmentVariable(_ name: String) -> String? {
    // Sound: a string that ends in a zero is copied at once, and nothing here sets variables.
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
