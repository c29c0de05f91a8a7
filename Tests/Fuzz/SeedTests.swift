import Checkout
import Foundation
import Testing

/// Each target takes what its inputs are made of: the least of what `make fuzz` does for minutes.
@Suite struct SeedTests {
    private static let root = Checkout.root

    /// The folders with the seeds of each target, by its name.
    private static let folders: [String: [String]] = {
        let list = try? String(
            contentsOf: root.appending(path: "Tests/Fuzz/inputs"), encoding: .utf8)
        let lines = (list ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], Array($0.dropFirst())) })
    }()

    /// The seeds of a target, and nothing at all.
    private static func seeds(of name: String) throws -> [[UInt8]] {
        let files = try (folders[name] ?? []).flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
        }
        return try [[]]
            + files.filter { !$0.hasDirectoryPath }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    /// In a process of its own: a find ends it, and one target sets the environment.
    @Test(arguments: fuzzTargets.map { $0.name }) func `takes its seeds`(name: String) async throws
    {
        let count = try Self.seeds(of: name).count
        #expect(Self.folders[name].map { $0.isEmpty || count > 1 } == true)
        await #expect(processExitsWith: .success) { [name = name as String] in
            let target = fuzzTargets.first { $0.name == name }
            for seed in try SeedTests.seeds(of: name) { target?.take(seed) }
        }
    }

    @Test func `what is listed is fed`() {
        #expect(Set(Self.folders.keys) == Set(fuzzTargets.map { $0.name }))
    }
}
