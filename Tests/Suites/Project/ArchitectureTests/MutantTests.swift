import Testing

/// The defects that `make mutants` plants can be planted: each text is where the table says.
///
/// Whether they are caught takes many builds, too many for every run; that they still apply does
/// not, and a table that is out of date proves nothing.
@Suite struct MutantTests {
    static let mutants = Mutant.table(Repository.file("Tests/Tools/Mutants/table")!)

    @Test(arguments: mutants) func `applies once`(mutant: Mutant) throws {
        let file = try #require(Repository.file(mutant.path))
        let text = file.lines.joined(separator: "\n")
        #expect(text.ranges(of: mutant.old).count == 1, "\(mutant.path): \(mutant.old)")
        #expect(mutant.old != mutant.new)
    }

    @Test func `there are many, each with a name of its own`() {
        #expect(Self.mutants.count >= 40)
        #expect(Set(Self.mutants.map(\.name)).count == Self.mutants.count)
    }

    @Test func `a verdict is of a defect that there is, in the order of the table`() throws {
        let verdicts = try #require(Repository.file("Tests/Tools/Mutants/verdicts")).lines
        let judged = try verdicts.filter { !$0.isEmpty }.map { line in
            let parts = line.split(separator: " | ")
            try #require(parts.count == 3, "\(line)")
            #expect(
                ["stories", "exploration", "walks", "simulation"].contains(parts[1]), "\(line)")
            return String(parts[0])
        }
        let names = Set(judged)
        #expect(judged == Self.mutants.map(\.name).filter(names.contains))
    }

    @Test func `each module that one is planted in has tests`() {
        let suites = [
            "turnstiled": "DaemonTests", "turnstile-simulator": "DaemonTests",
            "turnstilectl": "CommandTests", "BusInterface": "GateClientTests",
            "Exploration": "StateMachinesTests", "Holding": "StateMachinesTests",
            "Routing": "StateMachinesTests",
        ]
        for module in Set(Self.mutants.map(\.module)) {
            let suite = suites[module] ?? "\(module)Tests"
            #expect(Repository.suites.contains(suite), "the tests of \(module)")
        }
    }

    @Test func `every invariant has one`() {
        let broken = Self.mutants.filter { $0.breaks.hasPrefix("invariant") }
            .flatMap { $0.breaks.matches(of: /\d+/).compactMap { Int($0.0) } }
        #expect(Set(broken) == Set(1...14))
    }
}

/// One defect of the table.
struct Mutant: Sendable, CustomTestStringConvertible {
    /// What is wrong with it, in words.
    var name = ""
    /// The invariant or the behaviour that it breaks.
    var breaks = ""
    /// The file, from the repository's folder.
    var path = ""
    /// The module that the file is in.
    var module: String { Manifest.own.target(of: path)?.name ?? "" }
    /// The text that is replaced.
    var old = ""
    /// What stands there instead.
    var new = ""

    /// The defects that the file lists; the form is described at its head.
    static func table(_ file: TextFile) -> [Mutant] {
        file.lines.split(separator: "").compactMap { lines in
            let mutant = Mutant(lines)
            return mutant.name.isEmpty ? nil : mutant
        }
    }

    private init(_ lines: some Collection<Substring>) {
        func value(_ key: String) -> String {
            lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) } ?? ""
        }
        func text(_ mark: Character) -> String {
            lines.filter { $0.first == mark }.map { $0.dropFirst() }.joined(separator: "\n")
        }
        name = value("mutant: ")
        breaks = value("breaks: ")
        path = value("file: ")
        old = text("-")
        new = text("+")
    }

    var testDescription: String { name }
}
