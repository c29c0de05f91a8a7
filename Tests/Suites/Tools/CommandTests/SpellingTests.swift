import ArgumentParser
import Foundation
import Testing

@testable import turnstilectl

/// Commands that documents tell people to type are such as the program takes.
@Suite struct SpellingTests {
    /// The pages, but for that of which every command is run, mistakes too.
    private static let pages: [URL] = {
        let documents = Command.repository.appending(path: "docs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: documents.path)) ?? []
        return names.filter { $0.hasSuffix(".md") && $0 != "turnstilectl.md" }.sorted()
            .map { documents.appending(path: $0) }
    }()

    /// The words behind `turnstilectl`, without those that only show the form of a command.
    private static func commands(_ text: String) -> [[String]] {
        let command = /(?m)(?:^ *(?:\$ )?|`)(?:sudo )?turnstilectl ([^`|;&#>\n]+)/
        return text.matches(of: command).map { match in
            match.1.split(separator: " ").map {
                String($0).trimmingCharacters(in: ["'", "\""])
            }
        }.filter { words in !words.contains { $0.contains(/^[A-Z\[]|…/) } }
    }

    @Test func `each of them is understood`() throws {
        var count = 0
        for page in Self.pages {
            for words in Self.commands(try String(contentsOf: page, encoding: .utf8)) {
                count += 1
                do {
                    _ = try Turnstilectl.parseAsRoot(words)
                } catch {
                    // What only helps is no mistake.
                    let text = Turnstilectl.fullMessage(for: error)
                    #expect(
                        Turnstilectl.exitCode(for: error) == .success,
                        "\(page.lastPathComponent): turnstilectl \(words): \(text)")
                }
            }
        }
        #expect(count > 20)
    }

    @Test func `a mistake in a page is seen`() throws {
        let words = try #require(Self.commands("Ask `turnstilectl grant exti`.").first)
        #expect(throws: (any Error).self) { try Turnstilectl.parseAsRoot(words) }
    }
}
