import Foundation
import Testing

/// What `make sanitize` runs is what the package is made of.
@Suite struct SanitizingTests {
    @Test func `what is run is built of what it is made of elsewhere`() {
        let elsewhere = MutantTests.targets(of: "Package.swift")
        let built = MutantTests.targets(
            of: "Tests/Tools/Sanitize/Package.swift", besides: Set(elsewhere.keys))
        #expect(built.keys.contains("LedgerTests"))
        for (name, dependencies) in built {
            // Of a suite, part may be left out, and what only that is built of.
            let whole = elsewhere[name] ?? []
            let isPart = name.hasSuffix("Tests") && dependencies.isSubset(of: whole)
            #expect(isPart || dependencies == whole, "\(name)")
        }
    }
}
