import Foundation
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

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

    func bytes(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: self[name])) }

    func write(_ bytes: Data, to name: String) throws {
        try bytes.write(to: URL(filePath: self[name]))
    }
}

extension Ledger {
    /// Writes `records`, and waits until they are durable.
    func store(_ records: [Record]) throws {
        write(records, at: MonotonicTimer.now, confirms: true)
        #expect(try nextAnswers() == [.stored])
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

/// The columns of a table, row by row.
func rows(_ sql: String, of path: String, columns: CInt) throws -> [[Value?]] {
    var rows: [[Value?]] = []
    try Database(path: path).prepare(sql).run { row in
        rows.append((0..<columns).map { row[$0] })
    }
    return rows
}
