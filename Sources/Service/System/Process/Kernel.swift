import CLinux
import Glibc

/// The kernel that runs, as it calls itself.
public struct Kernel: Hashable, Sendable {
    /// Its release: `6.1.0-18-arm64`.
    public let release: String
    /// The architecture: `aarch64`.
    public let architecture: String

    /// The one that runs.
    public static var running: Kernel {
        var name = utsname()
        // Sound: the call writes the structure that it is given, whose texts end in a zero.
        guard unsafe uname(&name) == 0 else {
            return Kernel(release: "unknown", architecture: "unknown")
        }
        return Kernel(release: text(of: name.release), architecture: text(of: name.machine))
    }

    /// The text in an array of characters, up to its NUL.
    private static func text<Characters>(of characters: Characters) -> String {
        // Sound: no more is read than the array has.
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
