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

    @Test func `the documents show who caught each`() throws {
        let page = try #require(Repository.file("docs/mutants.md"))
        let shown = page.lines.filter { $0.hasPrefix("| ") }.dropFirst()
        try #require(shown.count == Self.mutants.count, "`make mutants` writes the page anew")
        for (row, mutant) in zip(shown, Self.mutants) {
            #expect(row.hasPrefix("| \(mutant.name) | \(mutant.breaks) | "))
            #expect(row.split(separator: " | ").count == 4)
        }
    }

    @Test func `those that nobody judged yet are found by the command that judges them`() throws {
        let script = try #require(Repository.file(".ci/mutants")).lines
        let line = try #require(script.first { $0.hasPrefix("not_judged=") })
        let form = line.dropFirst("not_judged=".count).filter { $0 != "'" }
        let page = try #require(Repository.file("docs/mutants.md"))
        for row in page.lines where row.contains("| pending |") {
            #expect(row.hasSuffix(form))
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
