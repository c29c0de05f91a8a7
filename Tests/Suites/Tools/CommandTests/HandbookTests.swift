import Foundation
import Ledger
import Moves
import Pictures
import System
import Testing
import Turnstile

@testable import turnstilectl

/// docs/turnstilectl.md, operator.md, audit.md and incidents.md: what is typed there is run, and
/// prints what stands there.
///
/// `UPDATE_GENERATED=1 swift test --filter HandbookTests` writes what it prints into the pages.
@Suite(.serialized) struct HandbookTests {
    /// Another fare that waits until the gate is idle.
    fileprivate static let newFare =
        FakeGate.deferred + [.strings(["fare.price: 150 -> 200"]), .strings([])]

    @Test func `the page shows what the program prints`() throws {
        let gate = try FakeGate(.busy, .handbook)
        let written = try Self.rewrite("turnstilectl.md", at: gate.address)
        gate.stop()
        // What is only written anew must not become nothing.
        #expect(written.contains("● released for one person to come in"))
        #expect(gate.calls.contains { $0.member == "SetMode" })
        #expect(written.contains("7 pulses, 3 coins"))
    }

    @Test func `an incident is looked at as its page says`() throws {
        let gate = try FakeGate()
        let incident = try RecordedIncident()
        let written = try Self.rewrite("incidents.md", at: gate.address, in: incident.folder)
        gate.stop()
        #expect(written.contains("\n06:10:06.021000  changed line=coin_pulse is_active=false\n"))
        #expect(written.contains("\n+ 06:10:06"))
        #expect(written.components(separatedBy: "2 passages: all as recorded").count == 2)
    }

    @Test func `the operator's questions are answered as their page says`() throws {
        let gate = try FakeGate(
            .outOfOrder,
            [
                "ReloadSettings": .init(
                    reply: Self.newFare,
                    signals: [.policyDeferred, .policyChanged(by: .settings)].map {
                        FakeGate.signal($0)
                    }),
                "CollectCoins": .init(checkpoint: CollectTests.counted(3_200)),
            ], energised: ["lock_exit"])
        let journal = try PaperJournal(.day)
        defer { journal.remove() }
        let incident = try RecordedIncident()
        let written = try Self.rewrite(
            "operator.md", at: gate.address, programs: journal.folder, in: incident.folder)
        gate.stop()
        #expect(written.contains("● out of service"))
        #expect(written.contains("150 not used, credit again"))
        #expect(written.contains("credit             100, a passage costs 150"))
        let asked = Set(gate.calls.map(\.member))
        #expect(
            asked == [
                "Grant", "Withdraw", "SetMode", "SetEnforcement", "AcknowledgeAlarms",
                "CollectCoins", "ReloadSettings",
            ])
    }

    @Test func `the auditor's questions are answered as their page says`() throws {
        let ledger = try AuditedLedger()
        let gate = try FakeGate(
            .busy, ["CollectCoins": .init(checkpoint: ledger.slip)],
            settings: ledger[.settings])
        let written = try Self.rewrite("audit.md", at: gate.address, in: ledger.folder)
        gate.stop()
        #expect(gate.calls.map(\.member) == ["CollectCoins"])
        #expect(written.contains("\nall accounted for\n"))
        #expect(written.contains("was altered, or one before it\n"))
        #expect(written.contains("an older copy was put back\n"))
        let picture = try String(
            contentsOf: ledger.folder.appending(path: "passages.svg"), encoding: .utf8)
        #expect(try PictureFile.holds(picture, in: "report.svg"))
        let chain = try String(
            contentsOf: PictureFile.folder.appending(path: "ledger-chain.txt"), encoding: .utf8)
        for occasion in ["day 2026-11-21", "count of collection 2"] {
            let checkpoint = try #require(try ledger.checkpoint(for: occasion))
            #expect(chain.contains(" checkpoint \(checkpoint.number), kept for good"))
            #expect(chain.contains(" for \(occasion) "))
            #expect(chain.contains("[\(checkpoint.sequence)]──┬"))
        }
    }

    /// What a page should say; writes it there, or expects it to be there. The commands are run in
    /// the folder, where there is one.
    private static func rewrite(
        _ name: String, at address: String, programs: URL? = nil, in folder: URL? = nil
    ) throws -> String {
        let file = Command.repository.appending(path: "docs/\(name)")
        let page = try String(contentsOf: file, encoding: .utf8)
        let written = try transcripts(page, at: address, programs, folder)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try written.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page == written, "stale: run with UPDATE_GENERATED=1 to write it anew")
        }
        return written
    }

    /// A command that reads the trace of this machine's gate, as it reads that of the tests.
    private static func onIncident(_ command: Substring) -> String {
        let verb = command.prefixMatch(of: /turnstilectl trace (?:show|replay|export|cut)/)?.0
        guard let verb, !command.contains(".trace") || command.contains(" -o ") else {
            return String(command)
        }
        return "\(verb) \(RecordedIncident.Name.trace.rawValue)\(command.dropFirst(verb.count))"
    }

    /// The page with what the commands in its transcripts print, and with the exit codes.
    private static func transcripts(
        _ page: String, at address: String, _ programs: URL?, _ folder: URL?
    ) throws -> String {
        var lines: [String] = []
        var isInTranscript = false
        var isInCodes = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if isInCodes, line.hasPrefix("| ") { continue }
            isInCodes = false
            if line == "```console" { isInTranscript = true }
            if line == "```" { isInTranscript = false }
            if !isInTranscript || line == "```console" {
                lines.append(line)
            } else if line.hasPrefix("$ ") {
                let command = try Command(
                    shell: onIncident(line.dropFirst(2)), at: address, programs: programs,
                    in: folder)
                lines.append(line)
                lines += command.output.split(separator: "\n", omittingEmptySubsequences: false)
                    .dropLast().map(String.init)
            }
            if line == "|---|---|", lines.dropLast().last == "| code | meaning |" {
                lines += ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
                isInCodes = true
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension [String: FakeGate.Reaction] {
    /// What the gate of the page answers.
    static var handbook: [String: FakeGate.Reaction] {
        let me = Requester.person(Operator(number: geteuid(), name: "anna")!)
        func refused(_ refusal: Refusal) -> FakeGate.Reaction {
            .init(reply: [.string("refused"), .string(refusal.rawValue), .boolean(true)])
        }
        func mistake(in move: String) -> String {
            do throws(WordError) {
                _ = try Move.event(move, wired: .oneWay)
                return "none"
            } catch {
                return error.message
            }
        }
        return [
            "Grant exit": refused(.modeFree), "ResetEmergency": refused(.notFromAfar),
            "SetMode": .init(reply: FakeGate.deferred),
            "SetEnforcement": .init(
                reply: FakeGate.deferred,
                signals: [
                    FakeGate.signal(.deferred(.setEnforcement, by: me)),
                    FakeGate.signal(.enforcementChanged(.weak, by: me)),
                ]),
            "SelfTest": .init(signals: [
                FakeGate.signal(.done(.selfTest, by: me)),
                FakeGate.signal(.selfTestFailed(.lampGo)), FakeGate.signal(.selfTestFinished),
            ]),
            "Simulate pusch entry": .init(
                error: (
                    "org.freedesktop.DBus.Error.InvalidArgs",
                    mistake(in: "pusch entry")
                )),
            "Simulate": .init(reply: []),
            "CollectCoins": .init(checkpoint: CollectTests.counted(3_150)),
            "TestOutput lamp_go": .init(signals: [
                FakeGate.signal(.done(.test, by: me)), FakeGate.signal(.selfTestFinished),
            ]),
            "TestOutput lock_entry": refused(.outOfRange),
            "FollowEdges": .init(
                reply: [],
                signals: [
                    FakeGate.edge("coin_pulse", true, before: 9_000_000),
                    FakeGate.edge("coin_pulse", false, before: 8_998_800),
                    FakeGate.edge("lock_entry", true, before: 8_998_000),
                ] + FakeGate.coin(pulses: 1, before: 8_997_500)
                    + FakeGate.coin(pulses: 3, before: 6_000_000)
                    + FakeGate.coin(pulses: 3, before: 4_000_000)),
            "ReloadSettings": .init(reply: HandbookTests.newFare),
        ]
    }
}
