import Foundation

/// A folder that is gone with the object.
public final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// An empty one.
    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of something in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and the folders on the way to it.
    public func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The text of a file.
    public func read(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
