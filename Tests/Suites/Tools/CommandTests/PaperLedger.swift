import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger in a folder of its own, as a gate would have written it.
final class PaperLedger {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    /// What the gate signs with.
    static let key = SigningKey(name: "turnstiled", [UInt8](repeating: 7, count: 32))

    /// The ledger of the gate of this name, in which these records were written, one after the
    /// other; a collection and a count of it are signed.
    init(_ records: [Record] = [], gate: String = "north gate") throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.key.text.utf8).write(to: folder.appending(path: "ledger.db.key"))
        try writeSettings(gate: gate)
        try write(records, gate: gate)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes more of them.
    func write(_ records: [Record], gate: String = "north gate") throws {
        let file = try Opening(place: Place(path: path), gate: gate, bootID: "boot").open().file
        var contents = file.contents
        for record in records {
            let vault = contents.registers.sinceCollection.valueInVault
            contents.count(record)
            var occasion: Checkpoint.Occasion?
            if record.isCollection { occasion = .collection(0, expected: vault) }
            if case .collectionCounted(let value) = record {
                occasion = .counted(0, Checkpoint.Count(expected: 0, counted: Int64(value)))
            }
            try file.write(
                [Entry(record: record, time: .zero)], missing: 0, contents: contents,
                wallOffset: .zero, closing: occasion)
        }
    }

    /// Writes settings that name the ledger, as `gate.yaml`.
    private func writeSettings(gate: String) throws {
        let standard = Command.repository.appending(path: "config/turnstiled.yaml")
        var text = try String(contentsOf: standard, encoding: .utf8)
        text.replace("name: turnstile ", with: "name: \(gate) ")
        text.replace("/var/lib/turnstiled/ledger.db", with: "\(path)")
        try text.write(
            to: folder.appending(path: "gate.yaml"), atomically: true, encoding: .utf8)
    }

    /// Where the ledger is.
    var path: String { self["ledger.db"] }

    /// The path of a file beside it.
    subscript(name: String) -> String { folder.appending(path: name).path }

    /// The notes that it keeps for good.
    func notes() throws -> [String] {
        try LedgerReader(path: path).open().checkpoints().map { $0.signed.note.description }
    }

    /// Writes a text beside it, and returns where.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return self[name]
    }

    /// Has another program change it.
    func execute(_ sql: String, on name: String = "ledger.db") throws {
        try Database(path: self[name], .create).execute(sql)
    }
}

extension Record {
    /// A coin of this value that an acceptor has taken.
    static func coin(_ value: Int, _ acceptor: Acceptor = .first) -> Record {
        .coinAccepted(Coin(acceptor, pulses: value / 50, value: value))
    }
}
