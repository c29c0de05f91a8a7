import Foundation
import System

/// A folder that goes with the test.
final class Folder {
    private let url = FileManager.default.temporaryDirectory
        .appending(path: "retention-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var path: String { url.path }

    /// The path of the file of this name.
    func file(_ name: String = "state") -> String { url.appending(path: name).path }

    /// What the file holds.
    func bytes(_ name: String = "state") throws -> [UInt8] {
        try Array(Data(contentsOf: url.appending(path: name)))
    }

    /// Replaces what the file holds.
    func write(_ bytes: [UInt8], to name: String = "state") throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    /// Makes a folder in it.
    func makeFolder(_ name: String = "state") throws {
        try FileManager.default.createDirectory(
            atPath: file(name), withIntermediateDirectories: false)
    }

    /// Makes a pipe in it.
    func makePipe(_ name: String = "state") {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        unsafe _ = mkfifo(file(name), 0o600)
    }

    /// Makes a link to what is elsewhere.
    func link(_ name: String = "state", to other: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: file(name), withDestinationPath: other)
    }

    /// Removes what has the name.
    func remove(_ name: String = "state") throws {
        try FileManager.default.removeItem(atPath: file(name))
    }
}
