import Testing

/// A module imports from lower floors only, never from a sibling, and from elsewhere only what
/// stands in a list: the compiler would not mind a stray `import Foundation`.
@Suite struct ImportTests {
    /// What each target may import that is not of this package.
    static let foreign: [String: Set<String>] = [
        // Glibc when built for ThreadSanitizer, and not else.
        "Locks": ["Synchronization", "Glibc"],
        "Holding": ["Synchronization"],
        "System": ["Glibc", "Synchronization"],
        "Journal": ["Glibc"],
        "Settings": ["Glibc"],
        "GPIOHardware": ["Glibc"],
        "Ledger": ["Glibc"],
        "Trace": ["Synchronization", "Glibc"],
        "Doctor": ["Glibc"],
        "Console": ["Glibc"],
        "Bus": ["Synchronization"],
        "Daemon": ["Glibc"],
        "turnstiled": ["Glibc"],
        "turnstile-simulator": ["Glibc"],
        "turnstilectl": ["ArgumentParser", "Glibc"],
    ]

    static let manifest = Manifest.own

    @Test func `the manifest's floors are read`() throws {
        #expect(Self.manifest["StateMachines"]?.floor == 0)
        #expect(Self.manifest["Turnstile"]?.dependencies == ["StateMachines"])
        #expect(try #require(Self.manifest["turnstiled"]).dependencies.contains("Daemon"))
    }

    @Test func `every source is in a room, and in the folder of a target`() {
        for file in Repository.files(below: "Sources") {
            #expect(Self.manifest.target(of: file.path) != nil, "\(file.path)")
        }
        for target in Self.manifest.targets {
            let room = target.room.prefix { $0 != "/" }
            #expect(["Kit", "Gate", "Service", "Tools"].contains(room), "\(target.name)")
        }
    }

    @Test(arguments: manifest.targets) func `depends on lower floors`(target: Manifest.Target) {
        for name in target.dependencies {
            let floor = Self.manifest[name]?.floor ?? target.floor
            #expect(floor < target.floor, "\(target.name) depends on \(name), on floor \(floor)")
        }
    }

    @Test(arguments: Repository.swiftFiles(below: "Sources"))
    func `imports what its target may`(file: TextFile) throws {
        let target = try #require(Self.manifest.target(of: file.path))
        let allowed = target.dependencies.union(Self.foreign[target.name] ?? [])
        for index in file.lines.indices {
            guard let module = file.importedModule(at: index) else { continue }
            #expect(allowed.contains(module), "\(file.place(index))")
        }
    }

    @Test(arguments: [
        ("import Foundation", "Foundation"), ("public import Turnstile", "Turnstile"),
        ("@preconcurrency internal import Glibc", "Glibc"),
        ("import struct Foundation.Data", "Foundation"), ("    import CGPIO", "CGPIO"),
        ("@_spi(Testing) @testable import Hardware", "Hardware"),
        ("// import Foundation", nil), ("importCoins()", nil), ("/// what we import from", nil),
    ]) func `an import is recognised`(line: String, module: String?) {
        #expect(TextFile(path: "", text: line).importedModule(at: 0) == module)
    }
}

extension TextFile {
    /// The module that line `index` imports, if it is an import.
    func importedModule(at index: Int) -> String? {
        guard lines[index].contains("import ") else { return nil }
        let pattern =
            #/
            ^ \s* (?: @\w+ (?: \( \w+ \) )? \s+ )*
            (?: (?: public | package | internal | fileprivate | private ) \s+ )?
            import \s+
            (?: (?: struct | class | enum | protocol | typealias | func | let | var ) \s+ )?
            (\w+)
            /#
        return lines[index].firstMatch(of: pattern).map { String($0.1) }
    }
}
