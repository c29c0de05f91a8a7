import Checkout
import Foundation
import Testing

/// The files of this project, as they lie in the repository.
enum Repository {
    /// The repository's own folder.
    static let root = Checkout.root

    /// What builds leave behind, and what is not the project's own text.
    private static let skipped: Set = [".git", ".build", "build", ".swiftpm"]

    /// Every text file below `folder` whose name ends in one of `extensions`, sorted by path;
    /// all text files where no extension is given.
    static func files(below folder: String = "", _ extensions: Set<String> = []) -> [TextFile] {
        let start = root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        else { return [] }
        var found: [TextFile] = []
        for case let url as URL in walk {
            if skipped.contains(url.lastPathComponent) {
                walk.skipDescendants()
            } else if extensions.isEmpty || extensions.contains(url.pathExtension) {
                let path = url.standardizedFileURL.path.dropFirst(root.path.count + 1)
                found += [file(String(path))].compactMap(\.self)
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The text file at `path`, or nil where there is none.
    static func file(_ path: String) -> TextFile? {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8))
            .map { TextFile(path: path, text: $0) }
    }

    /// The Swift files below `folder`, sorted by path.
    static func swiftFiles(below folder: String) -> [TextFile] { files(below: folder, ["swift"]) }

    /// The targets and the suites of the tests: folders and files are called like them.
    static let suites = Set(
        swiftFiles(below: "Tests").flatMap { file in
            file.path.dropLast(".swift".count).split(separator: "/").map(String.init)
        })

    /// The bytes of the file at `path`, or nil where there is none.
    static func bytes(of path: String) -> Data? {
        try? Data(contentsOf: root.appending(path: path))
    }
}

/// A text file of the repository.
struct TextFile: Sendable, CustomTestStringConvertible {
    /// Where it lies, from the repository's folder: `Sources/Gate/Turnstile/Events.swift`.
    let path: String
    /// Its lines, without their ends.
    let lines: [Substring]

    /// A file with this text.
    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The lines that are `wrong`, each as `path:line: text`.
    func places(where wrong: (Substring) -> Bool) -> [String] {
        lines.indices.filter { wrong(lines[$0]) }.map { place($0) }
    }

    /// How a person finds line `index`, counted from 0.
    func place(_ index: Int) -> String {
        "\(path):\(index + 1): \(lines[index].drop { $0 == " " })"
    }
}

extension TextFile {
    /// What the test's output calls the file.
    var testDescription: String { path }
}
