import Testing

/// What `make fuzz` feeds is what the package is made of.
@Suite struct FuzzingTests {
    @Test func `what is fed is built of what it is made of elsewhere`() {
        let elsewhere = MutantTests.targets(of: "Package.swift")
        var built = MutantTests.targets(
            of: "Tests/Fuzz/Package.swift", besides: Set(elsewhere.keys))
        let fed = built.removeValue(forKey: "fuzz")
        // Their seeds are a folder there, called like a target.
        let alone = elsewhere["FuzzTests"]?.subtracting(["Seeds"])
        #expect(fed?.contains("Settings") == true && fed == alone)
        for (name, dependencies) in built { #expect(dependencies == elsewhere[name], "\(name)") }
    }
}
