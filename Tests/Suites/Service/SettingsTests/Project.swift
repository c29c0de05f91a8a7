import Checkout
import Foundation

@testable import Settings

/// The files of this project.
enum Project {
    /// The project's folder, with a slash.
    static let folder = Checkout.root.path + "/"

    /// The names of the files in a folder of the project, in order.
    static func files(in path: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder + path)
        return (names ?? []).sorted()
    }

    /// The bytes of a file of the project.
    static func bytes(of path: String) throws -> [UInt8] {
        try readFile(folder + path, limit: 1 << 20)
    }
}

/// What the comments of a file say is to be said of it: `# expect: line:column: message`.
func expectations(_ bytes: [UInt8]) -> [String] {
    let marker = "# expect: "
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix(marker) }.map { String($0.dropFirst(marker.count)) }
}

/// What is wrong with `text`, each with its place; empty for a text that is right.
func problems(_ text: String) -> [String] { problems(Array(text.utf8)) }

/// What is wrong with the text in `bytes`, each with its place.
func problems(_ bytes: [UInt8]) -> [String] {
    do throws(SettingsErrors) {
        _ = try Settings.parse(bytes, file: "gate.yaml")
        return []
    } catch {
        return error.description.split(separator: "\n").map {
            String($0.dropFirst("gate.yaml:".count))
        }
    }
}
