public import Keeping
import System

/// The folder that lasts until the next boot, in memory: small files that are replaced as a whole.
public struct RuntimeFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Whether there is something of this name, whatever it is.
    public func has(_ name: String) -> Bool {
        do {
            _ = try File(path: file(name), for: .reading)
            return true
        } catch {
            return !error.meansAbsence
        }
    }

    /// Replaces the file of this name: whoever reads it finds the old one or the new one, whole.
    public func write(_ bytes: [UInt8], to name: String) throws(RetentionError) {
        let draft = file("\(name).new")
        try RetentionError.wrap { () throws(SystemError) in
            try File(path: draft, for: .replacing).write(bytes)
            try File.rename(draft, to: file(name))
        }
    }

    /// How often something happened lately, as the file of this name says; nil where it does not.
    public func recurrence(_ name: String) -> Recurrence? {
        guard let bytes = try? File(path: file(name), for: .reading).read(100) else { return nil }
        return Recurrence(text: String(decoding: bytes, as: UTF8.self))
    }
}
