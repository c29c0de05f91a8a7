import Foundation
import System
import Testing
import Turnstile

@testable import Ledger

/// The commands about a ledger, each on one of its own.
@Suite(.timeLimit(.minutes(2))) struct LedgerCommandTests {
    let ledger: PaperLedger
    private let key = PaperLedger.key.verificationKey.description

    init() throws {
        ledger = try PaperLedger([
            .started, .coin(100), .coin(50), .coinsCollected, .collectionCounted(value: 150),
        ])
    }

    private func run(_ arguments: String...) throws -> Command {
        try Command(["ledger"] + arguments, at: nil)
    }

    private func verify(_ arguments: String...) throws -> Command {
        try Command(["ledger", "verify", ledger.path] + arguments, at: nil)
    }

    // Verifying.

    @Test func `what was verified is said, and against what`() throws {
        let command = try verify()
        #expect(command.code == 0 && command.errors == "")
        let lines = command.output.split(separator: "\n").map(String.init)
        let number = try LedgerReader(path: ledger.path).open().number
        #expect(
            lines == [
                "ledger       \(ledger.path)", "gate         north gate",
                "number       \(number)", "records      1 to 6", "checkpoints  3",
                "key          \(key)",
                "but          it was verified against its own key alone: see --key and "
                    + "--checkpoint", "all accounted for",
            ])
    }

    @Test func `the ledger is the one that the settings name`() throws {
        let command = try run("verify", "--settings", ledger["gate.yaml"])
        #expect(command.code == 0 && command.output.contains("ledger       \(ledger.path)\n"))
    }

    @Test func `programs are told the same`() throws {
        let command = try verify("--json", "--key", key)
        #expect(command.code == 0)
        for part in [
            "\"accounted_for\": true", "\"flaw\": \"\"", "\"first_record\": 1",
            "\"last_record\": 6", "\"checkpoints\": 3", "\"reservations\": []",
        ] {
            #expect(command.output.contains(part), "\(part)")
        }
    }

    @Test(arguments: ["text", "file"])
    func `a key that was kept elsewhere may be given`(form: String) throws {
        let word = form == "text" ? key : try ledger.write("\(key)\r\n", to: "gate.key")
        let command = try verify("--key", word)
        #expect(command.code == 0 && !command.output.contains("its own key alone"))
    }

    @Test func `slips may be files, and come through a pipe`() throws {
        let notes = try ledger.notes()
        let slip = try ledger.write("north gate\ncollection 1\n\n\(notes[1])", to: "slip.txt")
        let all = try ledger.write(
            notes.joined(separator: "\n").replacing("\n", with: "\r\n"), to: "journal.txt")
        let command = try verify("--checkpoint", slip, all)
        #expect(command.code == 0 && command.output.contains("\nslips        4\n"))
        #expect(!command.output.contains("its own key alone"))
        let piped = try Command(
            shell: "turnstilectl ledger verify \(ledger.path) --checkpoint - <\(all)", at: nil)
        #expect(piped.code == 0 && piped.output.contains("\nslips        3\n"))
        let pipe = ledger["pipe"]
        let named = try Command(
            shell: "mkfifo \(pipe); cat \(all) > \(pipe) & "
                + "turnstilectl ledger verify \(ledger.path) --checkpoint \(pipe)", at: nil)
        #expect(named.code == 0 && named.output.contains("\nslips        3\n"), "\(named)")
    }

    @Test func `the first thing that is wrong is said`() throws {
        try ledger.execute("UPDATE records SET wall_ns = 7 WHERE kind = 'coin_accepted'")
        let command = try verify()
        #expect(command.code == 1 && command.output == "")
        #expect(
            command.errors
                == "turnstilectl: \(ledger.path): the record 3 (coin_accepted) was altered, or one "
                + "before it\n")
        let told = try verify("--json")
        #expect(told.code == 1 && told.output.contains("\"accounted_for\": false"))
        #expect(told.output.contains("\"flaw\": \"the record 3"))
    }

    @Test func `4: records are missing since a damaged ledger was set aside`() throws {
        try ledger.execute("DELETE FROM records")
        #expect(try verify().code == 1)
        // As the start of the service does.
        _ = try Opening(place: Place(path: ledger.path), gate: "north gate", bootID: "boot").open()
        let command = try verify()
        #expect(command.code == 4 && command.errors == "")
        #expect(command.output.hasSuffix("\n6 records missing\n"), "\(command.output)")
        let told = try verify("--json")
        #expect(told.code == 4 && told.output.contains("\"missing_records\": 6"))
    }

    @Test func `another key and a slip that is newer are wrong`() throws {
        let other = SigningKey(name: "turnstiled", Array(repeating: 9, count: 32)).verificationKey
        let command = try verify("--key", "\(other)")
        #expect(
            command.code == 1
                && command.errors.contains("is signed with another key than the given one"))
        let slip = try ledger.write(try #require(ledger.notes().last), to: "slip.txt")
        let older = try PaperLedger([.started])
        let elsewhere = try Command(
            "ledger", "verify", older.path, "--checkpoint", slip, at: nil)
        #expect(elsewhere.code == 1 && elsewhere.errors.contains("is of another ledger"))
    }

    @Test func `what is no slip and no key is said to be none`() throws {
        let half = try ledger.write(String(try ledger.notes()[1].dropLast(60)), to: "half.txt")
        let page = try ledger.write("a page\n", to: "page.txt")
        let empty = try ledger.write("\n", to: "empty.txt")
        for (arguments, words) in [
            (
                ["--checkpoint", half],
                "\(half):1: the checkpoint here is not whole, or was altered"
            ),
            (["--checkpoint", page], "\(page): no checkpoint is in it"),
            (["--checkpoint", "/dev/zero"], "/dev/zero: it is larger than 64 MB"),
            (["--key", page], "\(page): 'apage' is no verification key"),
            (["--key", empty], "\(empty): no verification key is in it"),
            (["--key", String(key.dropLast())], "is no verification key, and no file"),
            (["--key", ledger["ledger.db.key"]], "this is the gate's private key"),
            (["--key", PaperLedger.key.text], "this is the gate's private key"),
        ] {
            let command = try Command(["ledger", "verify", ledger.path] + arguments, at: nil)
            #expect(command.code == 1 && command.errors.contains(words), "\(command.errors)")
        }
    }

    @Test func `what is not there, and what there is to be none of, is said`() throws {
        let gone = try run("verify", ledger["nothing.db"])
        #expect(gone.code == 66 && gone.errors.contains("there is no such file or folder"))
        let pipe = ledger["pipe"]
        // Sound: Swift lends the path.
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        for (path, words) in [
            (pipe, "it is no regular file"), ("/dev/null", "it is no regular file"),
            (ledger.folder.path, "it is no regular file"), ("", "there is no such file"),
        ] {
            let command = try run("key", path)
            #expect(command.code != 0 && command.errors.contains(words), "\(command)")
        }
        let slip = try verify("--checkpoint", ledger["nothing.txt"])
        #expect(slip.code == 66 && slip.errors.contains("No such file"))
        let settings = ledger.folder.appending(path: "gate.yaml")
        var text = try String(contentsOf: settings, encoding: .utf8)
        text.replace("path: \(ledger.path)", with: "path: off")
        let off = try ledger.write(text, to: "off.yaml")
        let command = try run("verify", "--settings", off)
        #expect(command.code == 78 && command.errors.contains("'ledger.path' is off"))
    }

    // Key and slips.

    @Test func `the key is one line, and verifies`() throws {
        let command = try run("key", ledger.path)
        #expect(command.code == 0 && command.output == "\(key)\n")
    }

    @Test func `the checkpoints that are kept are printed as they were signed`() throws {
        let command = try run("slips", "--ledger", ledger.path)
        #expect(command.code == 0)
        #expect(
            SlipReading(command.output)
                == .found(try ledger.notes().compactMap { SignedCheckpoint($0) }))
    }

    @Test func `one that is not kept for good is no slip`() throws {
        let kept = try run("slips", ledger.path).output
        let file = try Opening(place: Place(path: ledger.path), gate: "north gate", bootID: "boot")
            .open().file
        _ = try file.write(
            [], missing: 0, contents: file.contents, wallOffset: .zero, closing: .interval)
        #expect(try ledger.notes().last?.contains("\nfor interval\n") == true)
        #expect(try run("slips", ledger.path).output == kept)
    }

    @Test(arguments: [[], ["--csv"], ["--json"], ["--svg"]])
    func `a report ends with what it says, however that is written`(form: [String]) throws {
        let report = ["report", "--collection", "last", "--ledger"]
        #expect(try Command(report + [ledger.path] + form, at: nil).code == 0)
        let short = try PaperLedger([
            .started, .coin(100), .coinsCollected, .collectionCounted(value: 50),
        ])
        let command = try Command(report + [short.path] + form, at: nil)
        #expect(command.code == 1 && command.output != "")
    }

    @Test func `on a terminal nothing of a slip steers it`() throws {
        let name = "north\u{202E}gate"
        let other = try PaperLedger([.started, .coin(100), .coinsCollected], gate: name)
        let shown = try Running(Command.terminal("turnstilectl ledger slips \(other.path)"))
            .end().text
        #expect(shown.contains("north\\u{202E}gate") && !shown.contains(name), "\(shown)")
        // What is kept in a file has to verify.
        let kept = try run("slips", other.path).output
        #expect(SlipReading(kept) == .found(try other.notes().compactMap { SignedCheckpoint($0) }))
    }

    @Test(arguments: ["verify", "key", "slips"])
    func `a copy and another ledger are not meant both`(command: String) throws {
        let both = try run(command, ledger.path, "--ledger", ledger["other.db"])
        #expect(both.code == 64 && both.output == "")
        #expect(both.errors.contains("a file or --ledger, not both"), "\(both.errors)")
    }

    // Copies.

    @Test func `a copy is made, its last checkpoint printed, and no file lost`() throws {
        let copy = ledger["copy.db"]
        let command = try run("backup", copy, "--settings", ledger["gate.yaml"])
        #expect(command.code == 0)
        #expect(command.output == (try ledger.notes().last))
        #expect(try run("verify", copy).code == 0)
        let again = try run("backup", copy, "--ledger", ledger.path)
        #expect(
            again.code == 73 && again.errors.contains("a file of this name exists, and is not"))
        let nowhere = try run("backup", ledger["no/copy.db"], "--ledger", ledger.path)
        #expect(nowhere.code == 73)
        let gone = try run("backup", ledger["other.db"], "--ledger", ledger["nothing.db"])
        #expect(gone.code == 66)
    }

    @Test func `a copy is put back, and what is lost is said`() throws {
        _ = try run("backup", ledger["copy.db"], "--ledger", ledger.path)
        try ledger.write([.coin(100), .coin(100)])
        let settings = ledger["gate.yaml"]
        let command = try run("restore", ledger["copy.db"], "--settings", settings)
        #expect(command.code == 0)
        #expect(
            command.output == """
                \(ledger.path): \(ledger["copy.db"]) is in its place now
                the previous ledger is in \(ledger.path).set-aside-1

                """)
        #expect(
            command.errors
                == "turnstilectl: lost since the copy was made: 2 records\n")
        #expect(try run("verify", ledger.path).code == 0)
    }

    @Test func `what signs from then on is said`() throws {
        _ = try run("backup", ledger["copy.db"], "--ledger", ledger.path)
        let restore = ["ledger", "restore", ledger["copy.db"], "--settings", ledger["gate.yaml"]]
        let other = SigningKey(name: "turnstiled", Array(repeating: 9, count: 32))
        _ = try ledger.write(other.text, to: "ledger.db.key")
        let changed = try Command(restore, at: nil)
        #expect(changed.code == 0)
        #expect(changed.errors.contains("is another one than the copy was signed with"))
        try FileManager.default.removeItem(atPath: ledger["ledger.db.key"])
        let gone = try Command(restore, at: nil)
        #expect(gone.code == 0 && gone.errors.contains("there is no key beside it"))
    }

    @Test func `nothing is put back while the service has the ledger`() throws {
        _ = try run("backup", ledger["copy.db"], "--ledger", ledger.path)
        let lock = try FileLock(Place(path: ledger.path))
        let command = try run(
            "restore", ledger["copy.db"], "--settings", ledger["gate.yaml"])
        #expect(command.code == 75)
        #expect(command.errors.contains("in use by another process (PID \(getpid()))"))
        #expect(command.errors.contains("systemctl stop turnstiled"))
        withExtendedLifetime(lock) {}
    }

    @Test func `a copy of another gate is put back where the gate was renamed`() throws {
        let other = try PaperLedger([.started, .coin(100)], gate: "south gate")
        let arguments = ["ledger", "restore", other.path, "--settings", ledger["gate.yaml"]]
        let refused = try Command(arguments, at: nil)
        #expect(refused.code == 1)
        #expect(refused.errors.contains("of the gate 'south gate', not of 'north gate'"))
        let command = try Command(arguments + ["--gate-renamed"], at: nil)
        #expect(command.code == 0)
        #expect(command.errors.contains("it replaces another ledger, which had 6 records"))
    }
}
