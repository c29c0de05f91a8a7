import Foundation
import Testing

/// A folder of a test's own, which goes with it.
class Folder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of something in it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
    }

    /// Writes a file and the folders on the way to it.
    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        try makeFolder(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        try setMode(mode, of: name)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func link(_ name: String, to target: String) throws {
        try? remove(name)
        try FileManager.default.createSymbolicLink(
            atPath: path(name), withDestinationPath: target)
    }

    /// Has other words in a file, which must have these.
    func replace(_ words: String, with others: String, in name: String) throws {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        try #require(text.contains(words), "\(name) has no \(words)")
        try write(text.replacing(words, with: others), to: name)
    }

    /// What there is below the folder: to see that nothing has changed. What SQLite keeps beside a
    /// file that it reads is left out.
    func contents() throws -> [String: Data?] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: path("")).filter {
            !$0.hasSuffix(".db-wal") && !$0.hasSuffix(".db-shm")
        }
        let contents = names.map { ($0, try? Data(contentsOf: URL(filePath: path($0)))) }
        return Dictionary(uniqueKeysWithValues: contents)
    }
}
