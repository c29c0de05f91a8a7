import Documents
import Foundation
import System
import Testing

/// docs/man/turnstiled.8 says what `--help` says, and that of the simulator what it says there.
///
/// `UPDATE_GENERATED=1 swift test --filter ManualTests` writes it anew.
@Suite struct ManualTests {
    private static let programs: [(name: String, flags: [String], abstract: String)] = [
        ("turnstiled", [], "turnstile controller"),
        ("turnstile-simulator", ["--simulate"], "simulated turnstile"),
    ]

    @Test(arguments: programs.indices)
    func `the manual page of a program says what its help says`(index: Int) throws {
        let (name, flags, abstract) = Self.programs[index]
        let path = DaemonProcess.repository.appending(path: "docs/man/\(name).8")
        let help = try DaemonProcess(flags + ["--help"]).end().text
        let page = page(name, abstract, of: help)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try page.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == page,
            "stale: run with UPDATE_GENERATED=1 to write it anew")
        let usage = try #require(help.firstMatch(of: /usage: .*\n(\ +turnstiled .*\n)+/)).output.0
        let options = Set(usage.matches(of: /--[a-z-]+/).map { String($0.output) })
        #expect(options.count > 5)
        for option in options.subtracting(flags) {
            let name = ManualPage.escaped(option)
            let isExplained = page.split(separator: "\n").contains {
                $0.hasPrefix("\\fB") && $0.contains(name)
            }
            #expect(isExplained, "\(option)")
        }
        #expect(page.contains("\n.TP\n\\fB78\\fR\n"))
    }

    /// The page, from the help: a line on what it is, the usage, paragraphs, options as a table of
    /// two columns, and exit codes.
    private func page(_ name: String, _ summary: String, of help: String) -> String {
        var page = ManualPage(
            name, section: 8, of: "turnstiled \(programVersion)", abstract: summary)
        var paragraphs = help.split(separator: "\n\n").map {
            $0.split(separator: "\n", omittingEmptySubsequences: false)
        }[...]
        let abstract = paragraphs.removeFirst()
        page.section("Synopsis")
        let usage = paragraphs.removeFirst()
        page.example(usage.map { $0.replacing(/^(usage:|\ {6})\ /, with: "") })
        page.section("Description")
        page.paragraph(abstract.joined(separator: " "))
        var exitCodes = ""
        for paragraph in paragraphs {
            let words = paragraph.map { $0.trimmingPrefix(/\ +/) }.joined(separator: " ")
            if paragraph[0].hasPrefix("  -"), !page.text.contains("\n.SH \"OPTIONS\"\n") {
                page.section("Options")
                for (term, words) in options(paragraph) { page.entry(term, words) }
            } else if words.hasPrefix("exit codes: ") {
                exitCodes = String(words.dropFirst("exit codes: ".count))
            } else {
                page.paragraph(words)
            }
        }
        page.section("Exit status")
        for code in exitCodes.matches(of: /(\d+) (\D+?)(, (?=\d)|\s*$)/) {
            page.entry(String(code.output.1), "\(code.output.2).")
        }
        page.section("Signals")
        page.entry("SIGTERM, SIGINT", "Every output is driven to its safe level, and it ends.")
        page.entry("SIGHUP", "It reads its settings again.")
        if name == "turnstiled" {
            writeOfService(into: &page)
        } else {
            writeOfSimulator(into: &page)
        }
        return page.text
    }

    /// The options, whose words begin beside or below them.
    private func options(_ lines: [Substring]) -> [(term: String, words: String)] {
        var options: [(term: String, words: [String])] = []
        for line in lines {
            if line.hasPrefix("  -") {
                let parts = line.dropFirst(2).split(separator: /\ {2,}/, maxSplits: 1).map(
                    String.init)
                options.append((parts[0], Array(parts.dropFirst())))
            } else {
                options[options.count - 1].words.append(String(line.trimmingPrefix(/\ +/)))
            }
        }
        return options.map { ($0.term, $0.words.joined(separator: " ")) }
    }

    /// What the help of the simulator has no room for.
    private func writeOfSimulator(into page: inout ManualPage) {
        page.section("See also")
        page.paragraph("`turnstiled`(8), `turnstilectl`(1), `turnstiled.yaml`(5)")
        page.paragraph("The documents of turnstiled: simulation.md, scenarios.md.")
    }

    /// What that of the service has no room for.
    private func writeOfService(into page: inout ManualPage) {
        page.section("Files")
        for (path, words) in [
            ("/etc/turnstiled/turnstiled.yaml", "The settings: see turnstiled.yaml(5)."),
            (
                "/run/turnstiled",
                "What outlives a restart: settings in force, and the gate's state."
            ),
            (
                "/var/lib/turnstiled",
                "The ledger, what outlives a loss of power, and in trace what was recorded."
            ),
        ] { page.entry(path, words) }
        page.section("See also")
        page.paragraph(
            "`turnstilectl`(1), `turnstile-simulator`(8), `turnstiled.yaml`(5), `journalctl`(1), "
                + "`systemctl`(1)")
        page.paragraph(
            "`journalctl -x _SYSTEMD_UNIT=turnstiled.service` explains each entry of the log.")
    }
}
