import Foundation
import StateMachines
import System
import Testing

@testable import GateClient
@testable import Ledger
@testable import Turnstile
@testable import turnstilectl

/// The coins are collected: what should be there, what was counted, and the slip.
@Suite(.timeLimit(.minutes(2))) struct CollectTests {
    /// What a gate signs of a collection: of 3200, or of another amount.
    static func note(
        _ occasion: Checkpoint.Occasion, number: Int64 = 7, of trial: String = ""
    ) -> String {
        let checkpoint = Checkpoint(
            ledger: trial + String(repeating: "5f", count: 16), sequence: 1_204,
            hash: Digest(of: "hash"),
            gate: "north gate", time: .seconds(1_795_328_000), occasion: occasion, number: number,
            page: 4, registers: Digest(of: "registers"), valueIn: 48_150, held: 50, passages: 320)
        return SignedNote(checkpoint.text, by: PaperLedger.key).description
    }

    static func counted(_ amount: Int64, of expected: Int64 = 3_200) -> String {
        note(.counted(3, Checkpoint.Count(expected: expected, counted: amount)))
    }

    /// A gate that answers with this note.
    ///
    /// - Parameter signed: What it has signed once it was asked how it is; nil for what was before.
    private func gate(
        _ note: String, report: StatusReport = .busy, isDurable: Bool = true, before: String = "",
        signed: String? = nil
    ) throws -> FakeGate {
        try FakeGate(
            report,
            [
                "CollectCoins": .init(
                    reply: [.string("done"), .string(""), .boolean(isDurable)], checkpoint: note),
                "GetAll": .init(checkpoint: signed),
            ], settings: "/nowhere/gate.yaml", checkpoint: before)
    }

    private static let closed = """
        ------------------------------------------
        north gate
        collection 3
        to    2026-11-22 06:13:20
        coins   expected  counted  differs

        """
    private static let rule = "------------------------------------------\n"

    @Test func `the slip shows coin by coin what was expected and counted, and what was signed`()
        throws
    {
        let note = Self.counted(3_150)
        let gate = try gate(note)
        let command = try Command(
            "collect", "--coins", "100=20", "50=23", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 0 && command.errors == "")
        #expect(
            command.output == Self.closed + """
                of 50         24       23       -1
                of 100        20       20
                in all      3200     3150      -50

                """ + Self.rule + note)
        #expect(gate.calls == [.init(member: "CollectCoins", arguments: [.int64(3_150)])])
    }

    @Test(arguments: ["", "--json"])
    func `whoever gets no slip is told that all was recorded`(form: String) throws {
        let gate = try gate(Self.counted(3_200))
        let command = try Command(
            shell: "turnstilectl collect --counted 3200 --yes \(form) >/dev/full; echo $?",
            at: gate.address)
        gate.stop()
        #expect(command.output.contains("do not collect again\nSee: turnstilectl ledger slips\n"))
        #expect(command.output.hasSuffix("\n74\n"), "\(command.output)")
    }

    @Test func `where a sum alone was counted, the sums are compared`() throws {
        let note = Self.counted(3_200)
        let gate = try gate(note)
        let command = try Command("collect", "--counted", "3200", "--yes", at: gate.address)
        gate.stop()
        #expect(
            command.output == Self.closed + """
                of 50         24
                of 100        20
                in all      3200     3200

                """ + Self.rule + note)
        #expect(SlipReading(command.output) == .found([SignedCheckpoint(note)!]))
    }

    @Test func `where nobody has counted, the books are closed all the same`() throws {
        let note = Self.note(.collection(3, expected: 3_250))
        let gate = try gate(note)
        let command = try Command("collect", "--yes", at: gate.address)
        gate.stop()
        // A coin has come since the gate was asked.
        #expect(command.output.contains("\nmeanwhile        50\nin all         3250\n"))
        #expect(command.output.hasSuffix(note))
        #expect(gate.calls == [.init(member: "CollectCoins", arguments: [.int64(-1)])])
    }

    @Test func `the slip of a trial says so`() throws {
        let gate = try gate(Self.note(.collection(3, expected: 3_200), of: "trial-"))
        let command = try Command("collect", "--yes", at: gate.address)
        gate.stop()
        #expect(
            command.output.contains(
                "north gate\nTRIAL: no gate has taken this money\ncollection 3\n"))
    }

    @Test func `programs are told the same`() throws {
        let note = Self.counted(3_150)
        let gate = try gate(note)
        let command = try Command(
            "collect", "--counted", "3150", "--yes", "--json", at: gate.address)
        gate.stop()
        for part in [
            "\"result\": \"done\"", "\"durable\": true", "\"collection\": 3", "\"expected\": 3200",
            "\"counted\": 3150", "\"difference\": -50",
            "{\"value\": 50, \"acceptor\": 1, \"expected\": 24}",
            "\"note\": \"turnstiled/5f5f",
        ] {
            #expect(command.output.contains(part), "\(part)")
        }
    }

    @Test(arguments: [false, true]) func `without a ledger that has kept it there is no slip`(
        isDurable: Bool
    ) throws {
        // What it tells is of the collection before.
        let old = Self.note(.collection(2, expected: 100))
        let gate = try gate(old, isDurable: isDurable, before: old)
        let command = try Command("collect", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 0 && command.output == "done\n")
        #expect(command.errors.contains("there is no slip"))
        #expect(command.errors.contains("a power failure may lose the record") == !isDurable)
    }

    @Test func `69: a service that goes away once it has answered has recorded it`() throws {
        let gate = try FakeGate(
            .busy, ["CollectCoins": .init(leaves: true)], settings: "/nowhere/gate.yaml")
        let command = try Command("collect", "--counted", "3200", "--yes", at: gate.address)
        gate.awaitEnd()
        #expect(command.code == 69 && command.output == "done\n", "\(command.errors)")
        #expect(command.errors.contains("the gate has recorded it: do not collect again"))
    }

    @Test func `what is signed of the collection alone is no slip of a count`() throws {
        let gate = try gate(Self.note(.collection(3, expected: 3_200)))
        let command = try Command("collect", "--counted", "3150", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 0 && command.output == "done\n")
        #expect(command.errors.contains("there is no slip"))
        #expect(command.errors.hasSuffix("3150 counted, 50 too little\n"))
    }

    @Test func `what the gate refuses has no slip`() throws {
        let gate = try FakeGate(
            .busy,
            [
                "CollectCoins": .init(
                    reply: [.string("refused"), .string("out_of_range"), .boolean(true)])
            ])
        let command = try Command("collect", "--counted", "1", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 1 && command.output == "")
        #expect(command.errors.contains("(out_of_range)"))
    }

    @Test(arguments: [
        (["--counted=-1"], "'-1' is no amount: allowed is 0 to 10000000000"),
        (["--counted", "10000000001"], "'10000000001' is no amount"),
        (["--counted", "1", "--coins", "50=1"], "not both"),
        (["--coins", "50=1", "50=2"], "a value twice"), (["--coins", "0=1"], "0=1"),
        (["--coins", "50"], "50"), (["--coins", "50=-1"], "50=-1"),
        (["--coins", "0.50=3"], "in minor units of the currency, and the nearest is 50=3"),
        (["--coins", "50=10000001"], "each up to 10000000, as 100=12"),
        (["--coins", "10000=10000000"], "'100000000000' is no amount"),
    ]) func `what makes no sense is not asked`(arguments: [String], words: String) throws {
        let command = try Command(["collect"] + arguments, at: nil)
        #expect(command.code == 64 && command.errors.contains(words), "\(command.errors)")
    }

    @Test(arguments: [[], ["--counted", "3200"], ["--counted", "3200", "--json"]])
    func `where nobody can be asked, books are closed by a word alone`(
        arguments: [String]
    ) throws {
        let gate = try gate("")
        let command = try Command(["collect"] + arguments, at: gate.address)
        gate.stop()
        #expect(command.code == 64 && gate.calls == [])
        #expect(command.errors.contains("confirm with --yes"))
    }

    @Test func `coins are of values that the gate has taken, or that its settings name`() throws {
        func errors(_ coins: String, settings: String = "/nowhere/gate.yaml") throws -> String {
            let gate = try FakeGate(.busy, settings: settings)
            let command = try Command("collect", "--yes", "--coins", coins, at: gate.address)
            gate.stop()
            #expect(gate.calls.isEmpty == (command.code == 64))
            return command.errors
        }
        #expect(
            try errors("99=1") == """
                turnstilectl: --coins: no coin of 99 can be here: allowed are 50, 100; nearest is \
                100

                """)
        #expect(try errors("150=1").contains("no coin of 150"))
        // Those have a unit of 50, which adds up.
        let settings = Command.repository.appending(path: "config/turnstiled.yaml").path
        #expect(try !errors("150=1", settings: settings).contains("no coin"))
        #expect(try errors("99=1", settings: settings).contains("50, 100, multiples of 50;"))
    }

    // With the ledger.

    /// A ledger of two collections, with three acceptors.
    private func ledger() throws -> PaperLedger {
        try PaperLedger([
            .started, .coin(100), .coinsCollected, .coin(100), .coin(50, .second),
            .coin(100, .third),
            .coinsCollected,
        ])
    }

    @Test func `who may read the ledger sees each acceptor, and since when`() throws {
        let ledger = try ledger()
        try ledger.write([.collectionCounted(value: 250)])
        // The service tells nothing.
        let gate = try FakeGate(.busy, settings: "/nowhere/gate.yaml")
        let early = try Command(
            "collect", "--counted", "250", "--yes", "--ledger", ledger.path, at: gate.address)
        gate.stop()
        #expect(early.errors.contains("there is no slip"), "it was there before")
        let page = try #require(try LedgerReader(path: ledger.path).open().checkpoints().last)
        let told = try self.gate(page.signed.note.description)
        try ledger.execute("DELETE FROM checkpoints WHERE number = \(page.checkpoint.number)")
        let command = try Command(
            "collect", "--counted", "250", "--yes", "--ledger", ledger.path, at: told.address)
        told.stop()
        let times = try LedgerReader(path: ledger.path).open().checkpoints()
            .filter { $0.checkpoint.occasion.text.hasPrefix("collection") }
            .map { $0.checkpoint.time.utcText.dropLast().replacing("T", with: " ") }
        #expect(
            command.output.contains(
                """
                collection 2
                from  \(times[0])
                to    \(times[1])
                coins         expected  counted  differs
                of 50                1
                  acceptor 2         1
                of 100               2
                  acceptor 1         1
                  acceptor 3         1
                in all             250      250

                """), "\(command.output)")
        for line in command.output.split(separator: "\n").prefix(13) {
            #expect(line.count <= 42)
        }
    }

    // A switch tells of the vault.

    /// A gate with such a switch.
    private static func switched(hasVault: Bool = true) -> StatusReport {
        var report = StatusReport.busy
        report.equipment = Equipment(
            inputs: [.coinPulse, .vaultPresent], outputs: [.lockEntry, .lockExit, .lampGo])
        report.inputs[.vaultPresent] = hasVault
        return report
    }

    @Test func `the count is that of the vault that the switch told of`() throws {
        let note = Self.counted(3_100)
        let gate = try gate(
            note, report: Self.switched(),
            before: Self.note(.collection(3, expected: 3_200), number: 6))
        let command = try Command("collect", "--counted", "3100", "--yes", at: gate.address)
        gate.stop()
        // What the registers show belongs to the vault that is there now.
        #expect(
            command.output == """
                \(Self.rule)north gate
                collection 3
                coins   expected  counted  differs
                in all      3200     3100     -100

                """ + Self.rule + note)
    }

    @Test func `and coin by coin, where the ledger may be read`() throws {
        let ledger = try ledger()
        let gate = try gate("", report: Self.switched())
        let command = try Command(
            "collect", "--coins", "50=1", "100=2", "--yes", "--ledger", ledger.path, "--json",
            at: gate.address)
        gate.stop()
        #expect(gate.calls == [.init(member: "CollectCoins", arguments: [.int64(250)])])
        #expect(command.code == 0)
    }

    @Test func `there is something to record only where somebody has counted`() throws {
        let gate = try gate("", report: Self.switched())
        let command = try Command("collect", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 64 && gate.calls == [])
        #expect(command.errors.contains("give the amount with --counted"))
    }

    @Test func `nobody is asked for coins where no collection waits to be counted`() throws {
        let (shown, calls) = try dialogue("23\\n20\\ny\\n", report: Self.switched())
        #expect(calls == [] && !shown.contains("of 50:"), "\(shown)")
        #expect(shown.contains("no collection waits to be counted (nothing_to_count)"))
    }

    @Test(arguments: [("3", true), ("2", false)])
    func `a count is that of the collection that is named, or none`(
        number: String, isIt: Bool
    ) throws {
        for (report, last) in [(Self.switched(), 3), (.busy, 2)] as [(StatusReport, Int64)] {
            let before = Self.note(.collection(last, expected: 3_200), number: 6)
            let gate = try gate(Self.counted(3_100), report: report, before: before)
            let command = try Command(
                "collect", "--counted", "3100", "--collection", number, "--yes", at: gate.address)
            gate.stop()
            #expect(gate.calls.isEmpty != isIt && command.code == (isIt ? 0 : 1))
            let words = "the count would belong to collection 3, not 2"
            #expect(command.errors.contains(words) != isIt, "\(command.errors)")
        }
    }

    @Test func `a collection that comes while somebody counts is not theirs`() throws {
        var report = Self.switched()
        report.isCountAwaited = true
        let gate = try gate(
            "", report: report, before: Self.note(.collection(2, expected: 100), number: 5),
            signed: Self.note(.collection(3, expected: 3_200), number: 6))
        let command = try Command(
            shell: "echo y | script --quiet --return --command 'turnstilectl collect --counted 9'"
                + " /dev/null", at: gate.address)
        gate.stop()
        #expect(gate.calls == [])
        #expect(
            command.output.contains("the count belongs to collection 2, known since 2026-11-22"))
        #expect(command.output.contains("the coins were collected meanwhile"), "\(command.output)")
    }

    @Test func `what nobody counted before the next collection is named`() throws {
        let ledger = try ledger()
        let gate = try gate("", report: Self.switched())
        let command = try Command(
            "collect", "--counted", "250", "--yes", "--ledger", ledger.path, at: gate.address)
        gate.stop()
        #expect(
            command.errors.contains(
                "collection 1: never counted, and too late to, since another followed"))
        // Who collects without a switch has been told as it was done.
        let plain = try self.gate(Self.note(.collection(3, expected: 3_200)))
        let told = try Command(
            "collect", "--counted", "250", "--yes", "--ledger", ledger.path, at: plain.address)
        plain.stop()
        #expect(!told.errors.contains("too late"), "\(told.errors)")
        let report = { (number: String) in
            try Command("report", "--collection", number, "--ledger", ledger.path, at: nil).output
        }
        #expect(try report("1").contains("100 should have been in it; not counted, and too late"))
        #expect(try report("2").contains("250 should have been in it; no count was recorded"))
    }

    @Test func `who collects and counts nothing is told that it is too late to`() throws {
        let gate = try gate(Self.note(.collection(3, expected: 3_200)))
        let command = try Command("collect", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 0 && command.errors.contains("recorded without a count"))
    }

    @Test func `a vault that is out belongs to a collection that is not over`() throws {
        let gate = try gate("", report: Self.switched(hasVault: false))
        let command = try Command("collect", "--counted", "3100", "--yes", at: gate.address)
        gate.stop()
        #expect(command.code == 1 && gate.calls == [])
        #expect(command.errors.contains("put one there first"))
    }

    // Somebody is asked.

    /// What is shown to somebody who types this.
    private func dialogue(
        _ typed: String, _ arguments: String = "", report: StatusReport = .busy,
        note: String = note(.collection(3, expected: 3_200)), before: String = ""
    ) throws -> (shown: String, calls: [FakeGate.Call]) {
        let gate = try gate(note, report: report, before: before)
        let command = try Command(
            shell: """
                printf '\(typed)' | script --quiet --return --echo never \\
                    --command 'turnstilectl collect \(arguments)' /dev/null
                """, at: gate.address)
        gate.stop()
        return (command.output.replacing("\r\n", with: "\n"), gate.calls)
    }

    private static func collected(_ amount: Int64) -> [FakeGate.Call] {
        [.init(member: "CollectCoins", arguments: [.int64(amount)])]
    }

    @Test func `nothing tells what should be there before it was counted`() throws {
        let (shown, calls) = try dialogue("23\\n20\\ny\\n", note: Self.counted(3_150))
        #expect(calls == Self.collected(3_150))
        #expect(
            shown.hasPrefix(
                """
                how many were counted (Enter: none, =AMOUNT: all coins)
                of 50: of 100: 3150 counted
                close the books? [y/N] \(Self.rule)
                """), "\(shown)")
        #expect(shown.contains("of 50         24       23       -1\n"))
    }

    @Test func `a sum may be given, and what makes no sense is asked again`() throws {
        let (shown, calls) = try dialogue(
            "many\\n=10000000001\\n=3200\\nyes\\n", note: Self.counted(3_200))
        #expect(calls == Self.collected(3_200))
        #expect(shown.contains("'many' is no number of coins"))
        #expect(shown.contains("'10000000001' is no amount: allowed is 0 to 10000000000"))
    }

    @Test(arguments: ["", "\\n", "\\n\\n", "\\n\\nn\\n", "\\n\\n\\n"])
    func `who does not agree has nothing recorded`(typed: String) throws {
        let (shown, calls) = try dialogue(typed)
        #expect(calls == [] && shown.contains("nothing was recorded"))
    }

    @Test func `who says what was counted is asked before the books are closed`() throws {
        let before = Self.note(.collection(2, expected: 100), number: 6)
        for (typed, isAgreed) in [("y\\n", true), ("n\\n", false)] {
            let (shown, calls) = try dialogue(
                typed, "--counted 3150", note: Self.counted(3_150), before: before)
            #expect(calls == (isAgreed ? Self.collected(3_150) : []))
            #expect(
                shown.hasPrefix(
                    """
                    the books were last closed 2026-11-22 06:13:20
                    3150 counted
                    close the books? [y/N]
                    """), "\(shown)")
        }
    }

    @Test func `who is told to ask nothing does not`() throws {
        let (shown, calls) = try dialogue("", "--yes")
        #expect(calls == Self.collected(-1) && shown.hasPrefix(Self.rule))
    }

    @Test func `the slip may go to a file, and nobody is asked less`() throws {
        let slip = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        defer { try? FileManager.default.removeItem(at: slip) }
        let note = Self.counted(3_200)
        let (shown, calls) = try dialogue("24\\n20\\ny\\n", ">\(slip.path)", note: note)
        #expect(calls == Self.collected(3_200))
        #expect(shown.hasSuffix("close the books? [y/N] "), "\(shown)")
        #expect(try String(contentsOf: slip, encoding: .utf8).hasSuffix(note))
    }

    @Test func `a collection that a switch told of is counted without a hint as well`() throws {
        let before = Self.note(.collection(3, expected: 3_200), number: 6)
        var report = Self.switched()
        report.isCountAwaited = true
        let (shown, calls) = try dialogue(
            "=3100\\ny\\n", report: report, note: Self.counted(3_100), before: before)
        #expect(calls == Self.collected(3_100))
        #expect(shown.contains("of 50: 3100 counted\nrecord it? [y/N] \(Self.rule)"))
    }

    @Test func `where no coin is known there is none to ask for`() throws {
        let books = CollectionBooks(
            try GateState(
                FakeGate.properties(of: .busy).filter { $0.0 != "Registers" }.map {
                    (key: $0.0, value: $0.1)
                } + [("Registers", .dictionary(of: "x", []))]), nil, path: nil)
        #expect(books.coins.values.isEmpty)
        #expect(books.coins.objection(to: 50)?.contains("none is known") == true)
    }
}
