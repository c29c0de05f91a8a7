import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger that cannot be opened holds nobody up, and is tried again until it can.
@Suite struct WriterTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func ledger(_ name: String = "ledger.db") throws -> Ledger {
        try Ledger(
            folder.opening(name),
            pace: Pace(first: .milliseconds(1), longest: .milliseconds(5)))
    }

    /// Waits until a reason is told that says so.
    private func awaitFailure(_ ledger: Ledger, _ words: String) throws {
        while true {
            for case .failed(let reason) in try ledger.nextAnswers() where reason.contains(words) {
                return
            }
        }
    }

    @Test func `it is opened as soon as its folder is there, and counts what came before`() throws {
        let ledger = try ledger("later/ledger.db")
        ledger.write([.started, .passageCompleted(.exit, .free)], at: .zero, confirms: true)
        let reason =
            "the ledger \(folder["later/ledger.db"]): there is no folder "
            + "\(folder["later"]): make it, or mount its disk"
        // It is said once.
        #expect(try ledger.nextAnswers() == [.failed(reason)])
        try FileManager.default.createDirectory(
            atPath: folder["later"], withIntermediateDirectories: false)
        #expect(try ledger.opened() == Contents())
        #expect(ledger.close())
        let expected = Contents([.started, .passageCompleted(.exit, .free)])
        #expect(try folder.contents(of: "later/ledger.db") == expected)
    }

    private static let locking = """
        import fcntl, sys
        index = open(sys.argv[1])
        fcntl.lockf(index, fcntl.LOCK_SH, 1, 120)
        print("locked", flush=True)
        sys.stdin.read()
        """

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "no Python"))
    func `a reader that locks the index is named, and all is kept once it has gone`() throws {
        let ledger = try ledger()
        _ = try ledger.opened()
        let reader = Process()
        reader.executableURL = URL(filePath: "/usr/bin/python3")
        reader.arguments = ["-c", Self.locking, folder["ledger.db-shm"]]
        let (told, said) = (Pipe(), Pipe())
        (reader.standardInput, reader.standardOutput) = (told, said)
        try reader.run()
        _ = try #require(try said.fileHandleForReading.read(upToCount: 1))
        ledger.write([.started], at: .zero, confirms: true)
        try awaitFailure(
            ledger, "process \(reader.processIdentifier) has locked \(folder["ledger.db-shm"])")
        try told.fileHandleForWriting.close()
        reader.waitUntilExit()
        while try !ledger.nextAnswers().contains(.durable) {}
        #expect(ledger.close())
        #expect(try folder.contents() == Contents([.started]))
    }

    @Test func `whoever asks hears when all is durable, and which numbers the records have`() throws
    {
        let ledger = try ledger()
        ledger.write([.started, .stopBegan, .stopEnded], at: .zero, confirms: false)
        ledger.confirm(1)
        // The first record of a ledger is a note of its own.
        #expect(try awaitConfirmation(ledger) == .confirmed(1, first: 2))
        ledger.write([.started], at: .zero, confirms: true)
        ledger.confirm(2)
        #expect(try awaitConfirmation(ledger) == .confirmed(2, first: 2))
        #expect(ledger.close())
        // The next start goes on from there.
        let later = try self.ledger()
        later.write([.started], at: .zero, confirms: false)
        later.confirm(1)
        #expect(try awaitConfirmation(later) == .confirmed(1, first: 6))
    }

    @Test func `what was lost is never confirmed`() throws {
        let ledger = try ledger("later/ledger.db")
        try awaitFailure(ledger, "there is no folder")
        ledger.write(
            Array(repeating: .started, count: Writer.waitingAtMost + 1), at: .zero,
            confirms: false)
        ledger.confirm(1)
        var answers: [StoreAnswer] = []
        while answers.isEmpty { answers = try ledger.nextAnswers() }
        #expect(answers == [.unconfirmed(1)])
        try FileManager.default.createDirectory(
            atPath: folder["later"], withIntermediateDirectories: false)
        try ledger.opened()
        ledger.write([.started], at: .zero, confirms: false)
        ledger.confirm(2)
        // Numbers go on behind the two notes: of the beginning, and of what is missing.
        let first = Int64(3 - 1)
        #expect(try awaitConfirmation(ledger) == .confirmed(2, first: first))
    }

    private func awaitConfirmation(_ ledger: Ledger) throws -> StoreAnswer {
        while true {
            for answer in try ledger.nextAnswers() {
                if case .confirmed = answer { return answer }
            }
        }
    }

    @Test func `records that could not wait are counted all the same`() throws {
        let ledger = try ledger("later/ledger.db")
        try awaitFailure(ledger, "there is no folder")
        let count = Writer.waitingAtMost + 10
        ledger.write(
            Array(repeating: .passageCompleted(.exit, .free), count: count), at: .zero,
            confirms: false)
        try FileManager.default.createDirectory(
            atPath: folder["later"], withIntermediateDirectories: false)
        try ledger.opened()
        #expect(ledger.close(within: .seconds(60)))
        let registers = try folder.contents(of: "later/ledger.db").registers
        #expect(registers.sinceInit.passagesMade == Int64(count))
    }

    @Test func `another reason is said as well, and what is accepted is opened`() throws {
        let ledger = try ledger("later/ledger.db")
        try awaitFailure(ledger, "there is no folder")
        try FileManager.default.createDirectory(
            atPath: folder["made"], withIntermediateDirectories: false)
        try folder.write(Data(), to: "made/ledger.db")
        try folder.move("made", to: "later")
        try awaitFailure(
            ledger,
            "it is damaged: it is empty; coins are refused until you decide: "
                + "turnstiled --accept-ledger")
        let keeper = LedgerKeeper(path: folder["later/ledger.db"], gate: "gate", bootID: "boot")
        #expect(
            try keeper.accept()
                == .begun(
                    aside: folder["later/ledger.db.set-aside-1"],
                    newKey: folder["later/ledger.db.key"]))
        #expect(try ledger.opened() == Contents())
    }

    @Test(arguments: [false, true])
    func `a ledger that goes away while it is open is missed, and all that was in it is known`(
        isExchanged: Bool
    ) throws {
        let ledger = try ledger()
        try ledger.opened()
        try ledger.store([.coin(100)])
        for part in ["", "-wal", "-shm"] { try folder.remove("ledger.db" + part) }
        if isExchanged {
            try folder.make([.coin(5_000)], as: "other.db")
            try folder.move("other.db", to: "ledger.db")
        }
        ledger.write([.coin(50)], at: .zero, confirms: true)
        let reason = isExchanged ? "it is not the ledger that was in use" : "it is gone"
        try awaitFailure(ledger, reason)
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
        _ = try keeper.accept()
        while try !ledger.nextAnswers().contains(.durable) {}
        #expect(ledger.close())
        #expect(try folder.contents() == Contents([.coin(100), .coin(50)]))
    }

    @Test func `a second service gets the ledger when the first is gone`() throws {
        let first = try ledger()
        try first.opened()
        let second = try ledger()
        try awaitFailure(second, "it is in use by another process (PID \(getpid()))")
        try first.store([.coin(100)])
        #expect(first.close())
        #expect(try second.opened() == Contents([.coin(100)]))
    }

    @Test func `what is not written by the end is told`() throws {
        let ledger = try ledger("missing/ledger.db")
        ledger.write([.coin(100)], at: .zero, confirms: false)
        #expect(!ledger.close())
    }

    // Whose the files are.

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `what root makes belongs to the folder's owner`()
        throws
    {
        try #require(unsafe chown(folder[""], 65_534, 65_534) == 0)
        try folder.make([.coin(100)])
        for name in ["ledger.db", "ledger.db.known", "ledger.db.lock"] {
            #expect(Files.status(of: folder[name])?.st_uid == 65_534, "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a ledger that is not the service's to write is told with what to do`() async throws {
        try folder.make([.coin(100)])
        try #require(unsafe chown(folder[""], 65_534, 65_534) == 0)
        try #require(unsafe chmod(folder["ledger.db"], 0o644) == 0)
        try #require(unsafe chmod(folder["ledger.db.lock"], 0o666) == 0)
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try #require(setuid(65_534) == 0)
            let opening = Opening(place: Place(path: path), gate: "gate", bootID: "boot")
            let error = try #require(throws: LedgerError.self) { try opening.open() }
            #expect(error.remedy == .person)
            #expect(
                error.problem == """
                    \(path) belongs to root (mode 644), and this runs as nobody, who may not use \
                    it: sudo chown nobody:root \(path)
                    """)
        }
    }
}
