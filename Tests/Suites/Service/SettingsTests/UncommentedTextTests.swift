import Seeds
import Testing

@testable import Settings

/// Comments are taken out of settings, and nothing else is.
@Suite struct UncommentedTextTests {
    private func uncommented(_ text: String) -> String? { UncommentedText(text)?.text }

    @Test(
        arguments: ["turnstiled.yaml", "two-way.yaml", "raspberry-pi.yaml"]
            + Project.files(in: "config/odd").map { "odd/\($0)" })
    func `settings without comments are the same settings`(name: String) throws {
        let bytes = try Project.bytes(of: "config/\(name)")
        let text = String(decoding: bytes, as: UTF8.self)
        let rest = try #require(UncommentedText(text))
        // With the lines of what is rarely meant: each value has kept its own.
        var read = try Settings.parse(bytes, file: "gate.yaml")
        read.warnings.removeAll { $0.kind == .commentInName }
        #expect(try Settings.parse(rest.text, file: "gate.yaml") == read)
        #expect(rest.commentCount == text.split(separator: "\n").count { $0.contains("#") })
        #expect(!rest.text.contains("#"))
        #expect(UncommentedText(rest.text)?.commentCount == 0)
    }

    @Test func `whatever is set, what is said about it is gone`() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<100 {
            let text = random.settings().yaml
            let planted = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "# key: s3cret" : "\($0) \t# \"s3cret': [" }
                .joined(separator: "\n# s3cret\n")
            let rest = try #require(UncommentedText(planted), "\(random)\n\(planted)")
            #expect(!rest.text.contains("s3cret"), "\(random)\n\(planted)")
            let settings = try [rest.text, text].map { text in
                var settings = try Settings.parse(text, file: "gate.yaml")
                settings.warnings = []
                return settings
            }
            #expect(settings[0] == settings[1], "\(random)\n\(planted)")
        }
    }

    @Test(arguments: [
        ("a: \"1 # 2\" # 3", "a: \"1 # 2\""), ("a: '1 '' # 2'\t# 3", "a: '1 '' # 2'"),
        ("a: b#c # d", "a: b#c"), ("a: [b, # c\n  d] # e", "a: [b,\n  d]"),
        ("# a\nb: {c: 1} # {d: 2}\n", "\nb: {c: 1}\n"), ("a: # b\n  c: 1", "a:\n  c: 1"),
        ("a: \"\n  # b\n  \" # c", "a: \"\n  # b\n  \""),
        ("a: | # b\n  # c\n  d\n# e\nf: 1", "a: |\n  # c\n  d\n\nf: 1"),
        ("a: >- # b\n\n  c # d\n", "a: >-\n\n  c # d\n"), ("a: |", "a: |"),
        ("\u{FEFF}a: ü # b", "a: ü"), ("a: 🪙 # b\nc: 1", "a: 🪙\nc: 1"),
        ("a: 1\r# b\n\rc: 1\r \t# d\n", "a: 1\r \n\rc: 1\r \n"),
        ("a: 1 # b\r\nc: 1 # d\r\n", "a: 1\r\nc: 1\r\n"), ("a: 1 # b\rc: 1", "a: 1\rc: 1"),
        ("--- # a\nb: 1\n... # c\n", "---\nb: 1\n...\n"), ("", ""), ("# a", ""),
        ("a: b\n  # c\n", "a: b\n\n"), ("a: ? # b", nil),
    ]) func `comments of all kinds are found`(text: String, rest: String?) {
        #expect(uncommented(text) == rest)
    }

    @Test(arguments: ["a: \"1 # 2", "a: [1 # 2\n", "a: &b # c\n  1", "a: *b # c", "a: !b # c\n  1"])
    func `what cannot be told from a comment is not handed on`(text: String) {
        #expect(uncommented(text) == nil)
    }
}
