import Foundation
import Testing

/// What `make fuzz` feeds is what the package is made of, and all of it is fed.
@Suite struct FuzzingTests {
    @Test func `what is fed is built of what it is made of elsewhere`() {
        let elsewhere = MutantTests.targets(of: "Package.swift")
        var built = MutantTests.targets(
            of: "Tests/Fuzz/Package.swift", besides: Set(elsewhere.keys))
        #expect(built.removeValue(forKey: "fuzz")?.contains("Settings") == true)
        for (name, dependencies) in built { #expect(dependencies == elsewhere[name], "\(name)") }
    }

    @Test func `each target is fed by the command, and has seeds where anything will not do`()
        throws
    {
        let folder = Repository.root.appending(path: "Tests/Fuzz")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "Targets").path)
        {
            let text = try String(
                contentsOf: folder.appending(path: "Targets/\(file)"), encoding: .utf8)
            names.formUnion(text.matches(of: /static let name = "([\w-]+)"/).map { String($0.1) })
        }
        let command = try String(
            contentsOf: Repository.root.appending(path: ".ci/fuzz"), encoding: .utf8)
        let line = try #require(command.firstMatch(of: /targets=\(([a-z\s-]+)\)/))
        #expect(Set(line.1.split(whereSeparator: \.isWhitespace).map(String.init)) == names)
        for name in ["slip", "record", "state", "ledger", "environment", "trace"] {
            let seeds = folder.appending(path: "Seeds/\(name)")
            #expect(try !FileManager.default.contentsOfDirectory(atPath: seeds.path).isEmpty)
        }
    }
}
