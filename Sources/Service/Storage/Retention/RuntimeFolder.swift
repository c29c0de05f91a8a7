public import Keeping
import System

/// The folder in memory, until the next boot: small files that are replaced atomically.
public struct RuntimeFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Of any type.
    public func has(_ name: String) -> Bool {
        do {
            _ = try File(path: file(name), for: .reading)
            return true
        } catch {
            return !error.meansAbsence
        }
    }

    /// Readers find the old file or the new one, whole.
    public func write(_ bytes: [UInt8], to name: String) throws(RetentionError) {
        let draft = file("\(name).new")
        try RetentionError.wrap { () throws(SystemError) in
            try File(path: draft, for: .replacing).write(bytes)
            try File.rename(draft, to: file(name))
        }
    }

    /// The count in the file of this name; nil if it is missing or invalid.
    public func recurrence(_ name: String) -> Recurrence? {
        guard let bytes = try? File(path: file(name), for: .reading).read(100) else { return nil }
        return Recurrence(text: String(decoding: bytes, as: UTF8.self))
    }
}
