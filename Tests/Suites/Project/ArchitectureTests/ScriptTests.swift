import Foundation
import Testing

/// What scripts do of which people see little when it is wrong.
@Suite struct ScriptTests {
    /// The first page of a ledger of this version, as far as it matters.
    private static func page(_ version: UInt8) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: 100)
        page.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
        page[63] = version
        page.replaceSubrange(68..<72, with: Array("tstd".utf8))
        return page
    }

    /// A log with these pages, each with its number and whether it is of the log's last turn.
    private static func log(
        _ frames: [(page: UInt8, isOfThisTurn: Bool, version: UInt8)]
    ) -> [UInt8] {
        let salt: [UInt8] = Array("saltsalt".utf8)
        let head = [UInt8](repeating: 0, count: 11) + [100, 0, 0, 0, 0] + salt
        return frames.reduce(head + [UInt8](repeating: 0, count: 8)) { log, frame in
            let turn = frame.isOfThisTurn ? salt : Array("oldsalts".utf8)
            let before: [UInt8] = [0, 0, 0, frame.page, 0, 0, 0, 1]
            return log + before + turn + [UInt8](repeating: 0, count: 8) + page(frame.version)
        }
    }

    /// What the package that knows ledgers up to version 2 says before it is unpacked, where these
    /// files are there.
    private func unpack(_ files: [String: [UInt8]]) throws -> (status: Int32, output: String) {
        let source = try #require(Repository.file("systemd/debian/turnstiled.preinst"))
        let script = source.lines.joined(separator: "\n")
            .replacing("@LEDGER_VERSION@", with: "2").replacing("@VERSION@", with: "1.0")
        var outcome: (status: Int32, output: String) = (0, "")
        try Program.withFolder("a board") { root in
            for (path, bytes) in files {
                let file = root.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
            try Data(script.utf8).write(to: root.appending(path: "preinst"))
            outcome = try Program.run(
                ["sh", "preinst", "upgrade"], in: root, ["DPKG_ROOT": root.path])
        }
        return outcome
    }

    private static let ledger = "var/lib/turnstiled/ledger.db"

    @Test func `a package goes on from each ledger that it knows`() throws {
        for files in [[:], [Self.ledger: Self.page(2)], [Self.ledger: Array("no ledger".utf8)]] {
            let outcome = try unpack(files)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
        }
    }

    @Test func `a package refuses a ledger that is newer, in its file or in its log`() throws {
        let newer = try unpack([Self.ledger: Self.page(3)])
        #expect(newer.status != 0)
        #expect(newer.output.contains("is of version 3, and this package knows versions up to 2."))
        func isTaken(_ frames: [(UInt8, Bool, UInt8)]) throws -> Bool {
            let files = [Self.ledger: Self.page(2), Self.ledger + "-wal": Self.log(frames)]
            return try unpack(files).status == 0
        }
        #expect(try !isTaken([(2, true, 0), (1, true, 3)]))
        #expect(try isTaken([(1, true, 3), (1, true, 2)]), "the last one counts")
        #expect(try isTaken([(2, true, 3), (1, false, 3)]), "another page, and another turn")
    }

    @Test(arguments: [
        "ledger:\n  path: /srv/the ledger.db   # on a disk",
        "ledger: {path: \"/srv/the ledger.db\"}",
        "ledger: { path: '/srv/the ledger.db' }",
        "ledger:\n  # on a disk\n  path: '/srv/the ledger.db'",
    ]) func `a package looks at the ledger that the settings name`(section: String) throws {
        let settings = "fare: {price: 150}\n\(section)\nrecords:\n  register_snapshot: 4h\n"
        let files = [
            "etc/turnstiled/turnstiled.yaml": Array(settings.utf8),
            "srv/the ledger.db": Self.page(3),
        ]
        let refused = try unpack(files)
        #expect(refused.status != 0)
        #expect(refused.output.contains("/srv/the ledger.db\nis of version 3"), "\(refused.output)")
    }

    private static let hasPacker = FileManager.default.isExecutableFile(
        atPath: "/usr/bin/dpkg-gencontrol")

    /// An earlier command reads what that one did not tell as an error.
    @Test(.enabled(if: hasPacker)) func `a package keeps no command that is older than it`() throws
    {
        let source = try #require(Repository.file("systemd/debian/control"))
        let control =
            source.lines.joined(separator: "\n")
            .replacing("@MAINTAINER@", with: "Anna <anna@example.org>") + "\n"
        let changelog =
            "turnstiled (3.1+deb13) stable; urgency=medium\n\n  * Made.\n\n"
            + " -- Anna <anna@example.org>  Sun, 22 Nov 2026 06:12:09 +0000\n"
        try Program.withFolder("packages") { root in
            _ = try Program.run(["mkdir", "debian"], in: root)
            try Data(control.utf8).write(to: root.appending(path: "debian/control"))
            try Data(changelog.utf8).write(to: root.appending(path: "debian/changelog"))
            let made = try Program.run(
                [
                    "dpkg-gencontrol", "-pturnstiled", "-Pturnstiled", "-O",
                    "-Vshlibs:Depends=libc6",
                ],
                in: root)
            #expect(
                made.output.contains("\nBreaks: turnstilectl (<< 3.1+deb13)\n"), "\(made.output)")
        }
    }

    @Test(arguments: [
        ("✔ Test run with 2 tests in 1 suite passed.", 0, 0), ("✔ Test run with 0 tests.", 0, 1),
        ("✘ Test run with 2 tests in 1 suite failed.", 3, 3), ("", 0, 1),
        ("Segmentation fault", 139, 139),
    ]) func `tests went well where some were run and none failed`(
        said: String, status: Int, verdict: Int
    ) throws {
        try Program.withFolder("a checkout") { root in
            let script = Repository.root.appending(path: ".ci/test").path
            _ = try Program.run(["mkdir", ".ci"], in: root)
            _ = try Program.run(["cp", script, ".ci/test"], in: root)
            let command = """
                echo '➜ Test "one" skipped: "no board"'
                echo '➜ Test "two" skipped: "no board"'
                echo '✘ Test "three" failed'
                echo '✔ Test "four" passed'
                echo '\(said)'
                exit \(status)
                """
            let outcome = try Program.run([".ci/test", "short", "sh", "-c", command], in: root)
            #expect(Int(outcome.status) == verdict, "\(outcome.output)")
            let isWhole = said.contains("with 2")
            #expect(outcome.output.contains("    skipped: 2: no board\n") == isWhole)
            #expect(outcome.output.contains("✘ Test \"three\"") == (verdict != 0))
            if isWhole { #expect(!outcome.output.contains("four")) }
        }
    }
    /// One that is not would be a night later known, or never: a filter finds nothing then.
    @Test(arguments: Repository.files(below: ".ci") + [Repository.file("Makefile")!])
    func `suites that a script names are there`(script: TextFile) {
        for index in script.lines.indices {
            for name in script.lines[index].matches(of: /\b[A-Z]\w*Tests\b/)
            where !Repository.suites.contains(String(name.0)) {
                Issue.record("\(name.0): \(script.place(index))")
            }
        }
    }
}
