import Foundation
import Testing

/// What `make sanitize` and `make long-test` run is what the package is made of.
@Suite struct PartialPackageTests {
    @Test(arguments: [("Sanitize", "LedgerTests"), ("LongTests", "SimulationTests")])
    func `what is run is built of what it is made of elsewhere`(tool: String, suite: String) {
        let elsewhere = MutantTests.targets(of: "Package.swift")
        let built = MutantTests.targets(
            of: "Tests/Tools/\(tool)/Package.swift", besides: Set(elsewhere.keys))
        #expect(built.keys.contains(suite))
        for (name, dependencies) in built {
            // Of a suite, part may be left out, and what only that is built of.
            let whole = elsewhere[name] ?? []
            let isPart = name.hasSuffix("Tests") && dependencies.isSubset(of: whole)
            #expect(isPart || dependencies == whole, "\(name)")
        }
    }

    @Test func `each suite that is long is in the package that runs those`() throws {
        let makefile = try #require(Repository.file("Makefile")).lines
        let suites = makefile.compactMap { $0.wholeMatch(of: /LONG = (.+)/)?.1 }
            .flatMap { $0.split(separator: "|") }
        #expect(suites.count == 3)
        let built = MutantTests.targets(of: "Tests/Tools/LongTests/Package.swift")
        for suite in suites {
            // A name alone, or that of a target before it.
            let names = suite.split(separator: ".")
            let targets = Repository.swiftFiles(below: "Tests/Suites").map(\.path)
                .filter { $0.hasSuffix("/\(names[names.count - 1]).swift") }
                .map { String($0.split(separator: "/")[2]) }
                .filter { names.count == 1 || $0 == names[0] }
            #expect(targets.count == 1 && built[targets[0]] != nil, "\(suite): \(targets)")
        }
    }
}
