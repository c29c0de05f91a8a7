import CLinux
import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A folder of a test's own, which goes with it.
final class Folder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    subscript(name: String) -> String { url.appending(path: name).path }

    /// The files of the ledger `name`, as they are now, under another name: what a crash would
    /// leave behind.
    func copy(_ name: String, to other: String) throws {
        for part in ["", "-wal", "-shm"] where exists(name + part) {
            try FileManager.default.copyItem(atPath: self[name + part], toPath: self[other + part])
        }
    }

    /// Gives a file another name, over whatever has it.
    func move(_ name: String, to other: String) throws {
        try #require(unsafe rename(self[name], self[other]) == 0)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self[name]) }

    /// Calls `body` with a mask for the modes of new files, on a thread that has it for itself:
    /// others make files meanwhile.
    static func withUmask(_ mask: mode_t, _ body: @escaping () throws -> Void) throws {
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result<Void, any Error>?
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            #expect(unshare(CLONE_FS) == 0)
            umask(mask)
            unsafe result = Result { try unsafe body() }
            done.signal()
        }
        done.wait()
        try unsafe #require(result).get()
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

    func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: self[name])) }

    func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(filePath: self[name]))
    }
}

extension Folder {
    /// What all gates of tests sign with, so that their ledgers can be copied.
    static let key = SigningKey(name: "turnstiled", [UInt8](repeating: 7, count: 32))

    /// How the ledger `name` in it comes to be open.
    func opening(
        _ name: String = "ledger.db", gate: String = "gate", bootID: String = "boot"
    ) -> Opening {
        if !exists(name + ".key") { try? write(Data(Self.key.text.utf8), to: name + ".key") }
        return Opening(place: Place(path: self[name]), gate: gate, bootID: bootID)
    }

    /// What the ledger `name` in it holds, once it is open.
    func contents(of name: String = "ledger.db") throws -> Contents {
        try opening(name).open().file.contents
    }

    /// Makes a ledger with these records, and closes it.
    func make(_ records: [Record], as name: String = "ledger.db") throws {
        let file = try opening(name).open().file
        let entries = records.map { Entry(record: $0, time: .zero) }
        var contents = file.contents
        for record in records { contents.count(record) }
        try file.write(entries, missing: 0, contents: contents, wallOffset: .zero)
    }

    /// Why the ledger `name` in it cannot be opened.
    func error(opening name: String = "ledger.db", gate: String = "gate") throws -> LedgerError {
        try #require(throws: LedgerError.self) { try opening(name, gate: gate).open() }
    }

    /// Has another program change the database `name` in it.
    func execute(_ sql: String, on name: String = "ledger.db") throws {
        try Database(path: self[name], .create).execute(sql)
    }

    /// The columns of a table, row by row.
    func rows(_ sql: String, of name: String = "ledger.db", columns: CInt) throws -> [[Value?]] {
        var rows: [[Value?]] = []
        try Database(path: self[name], .create).prepare(sql).run { row in
            rows.append((0..<columns).map { row[$0] })
        }
        return rows
    }

    /// The kinds of the records in the ledger `name`, in their order.
    func kinds(in name: String = "ledger.db") throws -> [String] {
        try rows("SELECT kind FROM records ORDER BY sequence", of: name, columns: 1)
            .compactMap { $0[0]?.text }
    }

    /// The names of the files in it, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: self[""]).sorted() }
    }
}

extension Ledger {
    /// Waits until the ledger is open, and returns what it held.
    @discardableResult func opened() throws -> Contents {
        while true {
            for answer in try nextAnswers() {
                if case .opened(let balances, let registers) = answer {
                    return Contents(balances: balances, registers: registers)
                }
            }
        }
    }

    /// Writes `records`, and waits until they are durable.
    func store(_ records: [Record]) throws {
        write(records, at: MonotonicTimer.now, confirms: true)
        try awaitStored()
    }

    /// Waits until all is durable; returns the checkpoints that were signed meanwhile.
    @discardableResult func awaitStored() throws -> [SignedCheckpoint] {
        var signed: [SignedCheckpoint] = []
        while true {
            for answer in try nextAnswers() {
                if case .noted(.checkpoint(_, _, let note)) = answer {
                    signed.append(try #require(SignedCheckpoint(note)))
                } else if case .branch = answer {
                    continue
                } else if case .collected = answer {
                    // It follows the opening, and may come later.
                    continue
                } else {
                    #expect(answer == .durable)
                    return signed
                }
            }
        }
    }

    /// Waits for answers.
    func nextAnswers() throws -> [StoreAnswer] {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // A ledger that says nothing must fail the test, not hang it.
        // Sound: one structure is read and written.
        try #require(unsafe poll(&watched, 1, 60_000) == 1, "no answer came within a minute")
        return takeAnswers()
    }
}

extension Record {
    /// A coin of the first acceptor.
    static func coin(_ value: Int) -> Record {
        .coinAccepted(Coin(.first, pulses: value / 50, value: value))
    }
}

extension Contents {
    /// What these records come to.
    init(_ records: [Record]) {
        self.init()
        for record in records { count(record) }
    }
}
