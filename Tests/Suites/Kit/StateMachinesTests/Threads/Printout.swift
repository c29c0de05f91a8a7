import Foundation

/// What observers and commands wrote down, one line after the other.
///
/// Its lock is one that ThreadSanitizer sees, since `make sanitize` runs what uses it.
final class Printout<Line: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var written: [Line] = []

    func print(_ line: Line) { lock.withLock { written.append(line) } }

    var lines: [Line] { lock.withLock { written } }
}

/// The same without a lock, for those who come one at a time: ThreadSanitizer reports it when they
/// do not.
final class Unlocked<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
