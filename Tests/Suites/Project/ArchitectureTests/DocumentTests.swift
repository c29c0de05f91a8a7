import Checkout
import Documents
import Testing

/// The commands that a document tells people to type are found, all of them.
@Suite struct DocumentTests {
    private static let page = Document(
        """
        # Page
        Ask `gpioinfo`, never `turnstiled` or `TURNSTILE_EVENT`.

        ```sh
        first --with=this   # and a remark
        second \\
            --goes-on |
            third
        query "one
            two"
        ```

        ## Part

        1. Look:

           ```sh
           within a list
           ```

        ```
        no command
        ```
        ```console
        $ typed | less
        what it shows
        ```
        <!-- not run on a board: it takes a year -->
        ```sh
        wait
        ```
        and `journalctl -k`.
        """)

    @Test func `commands with their continuation lines, and without remarks`() {
        #expect(
            Self.page.blocks.map(\.commands) == [
                [
                    "first --with=this", "second \\\n    --goes-on |\n    third",
                    "query \"one\n    two\"",
                ], ["within a list"], ["typed | less"], ["wait"],
            ])
    }

    @Test func `each with its heading, and the reason why nobody runs it`() {
        #expect(Self.page.blocks.map(\.heading) == ["Page", "Part", "Part", "Part"])
        #expect(Self.page.blocks.map(\.reasonNotRun) == [nil, nil, nil, "it takes a year"])
    }

    @Test func `the way to the first passage is short, and nobody asks a database on it`() throws {
        let page = try #require(Repository.file("docs/first-passage.md"))
        let commands = Document(page.lines.joined(separator: "\n")).blocks.flatMap(\.commands)
        #expect(commands.count > 10 && commands.count < 20, "\(commands.count)")
        #expect(!commands.contains { $0.contains("sqlite") })
    }

    @Test(arguments: [
        ("installer", "docs/installation.md"), ("operator", "docs/operator.md"),
        ("auditor", "docs/audit.md"), ("contributor", "docs/architecture.md"),
    ]) func `a role has one page that is enough for the job, and short`(
        role: String, path: String
    ) throws {
        let page = try #require(Repository.file(path))
        let words = page.lines.map { $0.split(separator: " ").count }.reduce(0, +)
        let most = try #require(Checkout.budget("\(role)-words"))
        print("\(path): \(words) words of at most \(Int(most))")
        #expect(Double(words) <= most)
        let roles = try #require(Repository.file("README.md"))
        #expect(roles.lines.contains { $0.hasPrefix("| \(role) |") && $0.contains("](\(path))") })
    }

    @Test func `commands in running text`() {
        #expect(Self.page.inline.map(\.command) == ["gpioinfo", "journalctl -k"])
        #expect(Self.page.inline.map(\.heading) == ["Page", "Part"])
    }
}
