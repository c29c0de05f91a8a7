import Testing

@testable import Settings

/// Each file in config/bad holds one mistake, or several of a kind, and says in comments what is to
/// be said of it: `# expect: line:column: message`.
@Suite struct BadFilesTests {
    static let files = Project.files(in: "config/bad")

    @Test func thereAreMany() {
        #expect(Self.files.count >= 25)
    }

    @Test(arguments: files)
    func everyMistakeIsReportedInTheOrderOfTheFile(file: String) throws {
        let bytes = try Project.bytes(of: "config/bad/\(file)")
        let expected = expectations(bytes)
        try #require(!expected.isEmpty, "config/bad/\(file) says nothing of what it expects")
        #expect(problems(bytes) == expected)
    }

    @Test func theFileIsNamedInEachLine() {
        let path = Project.folder + "config/bad/several.yaml"
        let errors = #expect(throws: SettingsErrors.self) {
            _ = try Settings.load(path: path)
        }
        let lines = errors.map { $0.description.split(separator: "\n") } ?? []
        #expect(lines.count == 5)
        for line in lines { #expect(line.hasPrefix(path + ":")) }
    }

    @Test func whatIsWrongIsOneLineThatSteersNoTerminal() {
        let problem = SettingsProblem("of a chip: a\u{202E}\nb", at: Position(line: 1, column: 2))
        #expect(
            SettingsErrors(file: "x\u{1B}[2J", problems: [problem]).description
                == #"x\u{1B}[2J:1:2: of a chip: a\u{202E}\nb"#)
    }

    @Test(arguments: ["", "\n", "---\n", "# nothing\n", "\u{FEFF}"])
    func anEmptyFileHoldsNoSettings(text: String) {
        #expect(problems(text) == ["1:1: the file holds no settings"])
    }

    @Test func aFileThatIsTooLargeIsNotRead() {
        let comment = String(repeating: "#", count: Settings.maximumSize)
        #expect(problems(comment) == ["1:1: the file holds no settings"])
        #expect(
            problems(comment + "#") == [
                " the file is larger than 64 KiB, which is too large"
            ])
    }
}
