import Testing

/// What `make fuzz` feeds is what the package is made of.
@Suite struct FuzzingTests {
    @Test func `what is fed is built of what it is made of elsewhere`() {
        let elsewhere = MutantTests.targets(of: "Package.swift")
        var built = MutantTests.targets(
            of: "Tests/Fuzz/Package.swift", besides: Set(elsewhere.keys))
        let fed = built.removeValue(forKey: "fuzz")
        #expect(fed?.contains("Settings") == true && fed == elsewhere["FuzzTests"])
        for (name, dependencies) in built { #expect(dependencies == elsewhere[name], "\(name)") }
    }
}
