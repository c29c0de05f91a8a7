import Checkout
import Foundation
import Testing

/// The files of this project.
enum Project {
    /// The project's folder.
    static let folder = Checkout.root

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }
}

/// Compares with a file beside the tests, which `UPDATE_GENERATED=1` writes anew.
func expect(_ text: String, toBe name: String) throws {
    let path = "Tests/Suites/Tools/DoctorTests/golden/\(name)"
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
        try text.write(
            to: Project.folder.appending(path: path), atomically: true, encoding: .utf8)
    }
    #expect(
        try Project.text(path) == text,
        "\(path) differs: run with UPDATE_GENERATED=1 to write it anew")
}
