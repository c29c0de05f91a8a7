import Glibc
import System

/// A pipe of the system's, closed with the object.
public final class Pipe {
    /// The end to read from.
    public let readEnd: CInt
    /// The end to write to, or -1 once it was hung up.
    public private(set) var writeEnd: CInt

    /// An empty one.
    public init() throws {
        var ends: [CInt] = [-1, -1]
        // Sound: the call writes two descriptors into an array of two.
        guard unsafe pipe(&ends) == 0 else { throw SystemError(call: "pipe", errno: errno) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        hangUp()
    }

    /// Makes the reading end readable.
    public func fill() {
        // Sound: one byte is read from an array of one.
        unsafe _ = write(writeEnd, [1], 1)
    }

    /// Takes one byte; whether there was one.
    public func drain() -> Bool {
        var byte: [UInt8] = [0]
        // Sound: at most one byte is written into an array of one.
        return unsafe read(readEnd, &byte, 1) == 1
    }

    /// Takes all that waits, as text.
    public func drainAll() -> String {
        var text: [UInt8] = []
        var poll = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // Sound: one structure is read and written, and at most as many bytes as the array has.
        while unsafe Glibc.poll(&poll, 1, 0) == 1 {
            let count = unsafe read(readEnd, &bytes, bytes.count)
            text += bytes.prefix(max(0, count))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Closes the writing end.
    public func hangUp() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}
