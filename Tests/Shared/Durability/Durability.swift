import Glibc
import SyncWitness

/// Which files a thread made durable, and which ones it renamed.
public struct Durability {
    /// What was flushed or renamed, in that order.
    private let deeds: [String]

    /// Watches what `body` does.
    public init(of body: () throws -> Void) throws {
        sync_witness_begin()
        let result = Result { try body() }
        let text = unsafe sync_witness_end()!
        deeds = unsafe String(cString: text).split(separator: "\n").map(String.init)
        unsafe free(text)
        try result.get()
    }

    /// The files and folders that were flushed.
    public var flushed: [String] {
        deeds.filter { $0.hasPrefix("sync ") }.map { String($0.dropFirst("sync ".count)) }
    }

    /// The names that files were given.
    public var named: [String] { renamings.map { String($0.name) } }

    /// What a loss of power may take: a file that got its name before it was flushed, or whose
    /// folder was not flushed after it. What goes out of the way was durable before.
    public var risks: [String] {
        renamings.flatMap { (place, file, name) in
            let folder = name[..<(name.lastIndex(of: "/") ?? name.startIndex)]
            let isFlushed = deeds[..<place].contains {
                $0 == "sync \(file)" || $0.hasSuffix("\t\(file)")
            }
            return [
                isFlushed || name.contains(".set-aside-") ? nil : "not flushed before: \(name)",
                deeds[place...].contains("sync \(folder)") ? nil : "not flushed after: \(folder)",
            ].compactMap { $0 }
        }
    }

    private var renamings: [(place: Int, file: Substring, name: Substring)] {
        deeds.enumerated().filter { $0.element.hasPrefix("rename ") }.map { place, deed in
            let names = deed.dropFirst("rename ".count).split(separator: "\t")
            return (place, names[0], names[1])
        }
    }
}
