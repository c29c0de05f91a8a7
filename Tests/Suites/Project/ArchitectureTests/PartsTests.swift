import Foundation
import Testing

/// What is run of every change, and at night, where `make` and what else they call are stubs.
@Suite struct PartsTests {
    /// Gives `body` a checkout in which `make` is this script, and what runs another there.
    private static func withCheckout(
        _ make: String,
        _ body: (URL, (String, [String: String]) throws -> (status: Int32, output: String)) throws
            -> Void
    ) throws {
        try Program.withFolder("a checkout") { root in
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let search = ["PATH": "\(root.appending(path: "bin").path):\(path)"]
            for (path, text) in [
                ("bin/make", make), (".ci/prepare", ""), ("Tests/Board/build", ""),
                ("Tests/Board/image/enter-sdk.sh", "shift 2; \"$@\""),
            ] {
                let file = root.appending(path: path)
                let folder = file.deletingLastPathComponent()
                _ = try Program.run(["mkdir", "-p", folder.path], in: root)
                try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
                _ = try Program.run(["chmod", "+x", file.path], in: root)
            }
            _ = try Program.run(["mkdir", "-p", "Tests/Tools/Mutants"], in: root)
            for file in [
                ".ci/parts", ".ci/run", ".ci/nightly", "Tests/budgets", "Tests/Tools/Mutants/table",
            ] {
                let original = Repository.root.appending(path: file).path
                _ = try Program.run(["cp", original, file], in: root)
            }
            try Data("/build/\n".utf8).write(to: root.appending(path: ".gitignore"))
            for command in [["init"], ["add", "."], ["commit", "--message", "All"]] {
                let author = ["-c", "user.name=a", "-c", "user.email=a@b"]
                let outcome = try Program.run(["git"] + author + command, in: root)
                try #require(outcome.status == 0, "\(outcome.output)")
            }
            try body(root) { script, variables in
                try Program.run([script], in: root, variables.merging(search) { $1 })
            }
        }
    }

    /// What `.ci/run` says where `make` is this script.
    private func runAll(
        _ make: String, _ variables: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        var outcome: (status: Int32, output: String) = (0, "")
        try Self.withCheckout(make) { _, run in outcome = try run(".ci/run", variables) }
        return outcome
    }

    @Test func `each part is in the table, and what one that failed has said`() throws {
        let well = try runAll("echo \"well: $*\"")
        #expect(well.status == 0 && !well.output.contains("well: "), "\(well.output)")
        let wrong = try runAll("[ \"$1\" != lint ] || { echo \"wrong: $*\"; exit 3; }")
        #expect(wrong.status == 1 && wrong.output.contains("\nwrong: lint\n"), "\(wrong.output)")
        for outcome in [well, wrong] {
            let table = try #require(outcome.output.components(separatedBy: " processors ").last)
            for part in ["prepare", "tests", "lint", "deb-test", "boards", "test", "board-test"] {
                let isWell = outcome.status == 0 || part != "lint"
                let verdict = isWell ? "ok" : "FAILED with status 3"
                let row = try Regex("\\n\(part) +\\d:\\d\\d +\\d+\\.\\d  \(verdict)\\n")
                #expect(table.contains(row), "\(part): \(table)")
            }
            #expect(table.contains(/\nall +\d:\d\d of at most \d+:00\n/))
        }
    }

    @Test func `a part that hangs is ended in time, and the others are told of`() throws {
        let outcome = try runAll("[ \"$1\" != long-tests ] || sleep 600", ["CI_MINUTES": "0"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("long-tests: FAILED with status 124"), "\(outcome.output)")
        #expect(outcome.output.contains("board-test: ok"))
    }

    /// How many parts the table of a night tells of, and which of them are not well.
    private func told(_ output: String) -> (count: Int, amiss: [String]) {
        let rows = output.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let amiss = rows.filter { !$0.hasSuffix("| ok |") }
        return (rows.count, amiss.map { String($0.dropFirst(2).prefix { $0 != " " }) })
    }

    @Test func `a night goes on where the one before has ended`() throws {
        let make = "echo \"$1\" >>build/asked; [ ! -e build/wrong ] || [ \"$1\" != soak ]"
        try Self.withCheckout(make) { root, run in
            func asked() throws -> Set<String> {
                let file = root.appending(path: "build/asked")
                defer { try? FileManager.default.removeItem(at: file) }
                guard FileManager.default.fileExists(atPath: file.path) else { return [] }
                return Set(
                    try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                        .map(String.init))
            }
            let wrong = root.appending(path: "build/wrong")
            _ = try Program.run(["mkdir", "build"], in: root)
            try Data().write(to: wrong)

            let first = try run(".ci/nightly", [:])
            #expect(first.status == 1 && told(first.output).amiss == ["soak"], "\(first.output)")
            #expect(told(first.output).count > 30)
            #expect(try asked().isSuperset(of: ["lint", "soak", "mutants", "check-binary"]))

            try FileManager.default.removeItem(at: wrong)
            let second = try run(".ci/nightly", [:])
            #expect(second.status == 0 && told(second.output).amiss == [], "\(second.output)")
            #expect(told(second.output).count == told(first.output).count)
            #expect(try asked() == ["soak"])

            let again = try run(".ci/nightly", ["PARTS": "lint docs", "AGAIN": "1"])
            #expect(again.status == 0)
            #expect(try asked() == ["lint", "docs"])

            // What is not committed counts, but for what the nights write.
            try Data("caught".utf8).write(to: root.appending(path: "docs.md"))
            _ = try Program.run(["mkdir", "--parents", "Tests/Tools/Mutants"], in: root)
            try Data("caught".utf8).write(to: root.appending(path: "Tests/Tools/Mutants/verdicts"))
            let third = try run(".ci/nightly", ["PARTS": "lint"])
            #expect(third.status == 0 && third.output.contains(" and more | "), "\(third.output)")
            #expect(try asked() == ["lint"])
        }
    }

    @Test func `a night that is over begins with nothing, and says what was never run`() throws {
        try Self.withCheckout("exit 0") { _, run in
            let outcome = try run(".ci/nightly", ["NIGHTLY_MINUTES": "0"])
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("| soak | - | - | - | never run |"))
        }
    }
}
