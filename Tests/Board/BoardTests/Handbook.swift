import Checkout
import Documents
import Foundation
import Testing
import VirtualBoard

/// A section of a page, or a page, that tells people what to type. A story runs what stands there:
/// ``OperationsStories``.
enum Section: String, CaseIterable, Sendable {
    case whatIsWrong = "operations.md: What is wrong?"
    case selfTest = "operations.md: The self-test"
    case askingTheJournal = "operations.md: Asking the journal"
    case frequentCases = "operations.md: Frequent cases"
    case notRunning = "operations.md: When the service does not run"
    case ledger = "operations.md: The ledger"
    case refusedLedger = "operations.md: A ledger that is refused"
    case blackBox = "operations.md: The black box"
    case changingSettings = "operations.md: Changing settings"
    case lines = "installation.md: Lines"
    case package = "installation.md: The package"
    case firstStart = "installation.md: The service"
    case whoCanTouchTheLines = "installation.md: Who can touch the lines"
    case hardwareWatchdog = "installation.md: A hardware watchdog"
    case firstTests = "installation.md: First tests"
    /// These are read from top to bottom.
    case firstPassage = "first-passage.md"
    case operatorsQuestions = "operator.md"

    /// The pages whose commands are run, each one or with the reason why not.
    static let pages = ["operations.md", "installation.md", "first-passage.md", "operator.md"]

    /// A page as it is read for its commands.
    static func document(_ page: String) throws -> Document {
        let file = Checkout.root.appending(path: "docs/\(page)")
        return Document(try String(contentsOf: file, encoding: .utf8))
    }

    /// Its commands: those of its blocks in order, then those in running text.
    func commands() throws -> Commands {
        let parts = rawValue.split(separator: ": ", maxSplits: 1).map(String.init)
        let document = try Self.document(parts[0])
        func isHere(_ heading: String) -> Bool { parts.count == 1 || heading == parts[1] }
        let blocks = document.blocks.filter { isHere($0.heading) && $0.reasonNotRun == nil }
        let inline = document.inline.filter { isHere($0.heading) }
        return Commands(rest: (blocks.flatMap(\.commands) + inline.map(\.command))[...])
    }

    /// The commands of a section, one after the other.
    struct Commands {
        fileprivate(set) var rest: ArraySlice<String>

        /// The next one.
        mutating func next() throws -> String {
            guard let command = rest.popFirst() else { throw BoardError("no command is left") }
            return command
        }
    }
}

extension Board {
    /// Types a command as the technician does, which must succeed; returns what it shows.
    nonisolated(nonsending) func type(_ command: String) async throws -> String {
        // The story is root, and the board has no sudo.
        try await check(
            """
            sudo() {
                if [ "$1" = -u ]; then runuser -u "$2" -- "${@:3}"; else "$@"; fi
            }
            journalctl --sync; set -o pipefail; \(command)
            """)
    }

    /// Types a command that goes on for ever; returns the first line that it shows.
    nonisolated(nonsending) func follow(_ command: String) async throws -> String {
        try await check("head -n1 < <(exec \(command))")
    }
}

/// No command is left out of the stories.
@Suite struct HandbookTests {
    @Test(arguments: Section.pages) func `every command is run, or says why not`(
        page: String
    ) throws {
        let document = try Section.document(page)
        let run = document.blocks.filter { $0.reasonNotRun == nil }.map(\.heading)
        for heading in run + document.inline.map(\.heading) {
            let section = Section(rawValue: page) ?? Section(rawValue: "\(page): \(heading)")
            #expect(section != nil, "no story for '\(heading)'")
        }
    }

    @Test(arguments: Section.allCases) func `every story has something to run`(
        section: Section
    ) throws {
        #expect(try !section.commands().rest.isEmpty)
    }
}
