import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger in a folder of a test's own, which goes with it.
final class Books {
    private let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private(set) var contents = Contents()
    private let file: LedgerFile
    /// When the next record is made: a second after the one before.
    var time = Instant.zero

    /// The records of a new ledger, with what is said of it before.
    ///
    /// - Parameters:
    ///   - gate: The gate's name.
    init(gate: String = "north", limits: RecordLimits = RecordLimits()) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        let path = url.appending(path: "ledger.db").path
        file = try Opening(place: Place(path: path), gate: gate, bootID: "boot", limits: limits)
            .open().file
        contents = file.contents
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Where it is.
    var path: String { url.appending(path: "ledger.db").path }

    /// The ledger as it is now.
    func snapshot() throws -> LedgerSnapshot { try LedgerReader(path: path).open() }

    /// When `time` is by the clock on the wall: it begins with the year 2050, UTC, after what the
    /// ledger itself writes down at its beginning.
    static let wallOffset = Duration.seconds(2_524_608_000)

    /// Writes down what happened, and closes the books for this occasion.
    func write(_ records: [Record], _ occasion: Checkpoint.Occasion? = nil) throws {
        var entries: [Entry] = []
        for record in records {
            contents.count(record)
            entries.append(Entry(record: record, time: time))
            time = time + .seconds(1)
        }
        try file.write(
            entries, missing: 0, contents: contents, wallOffset: Self.wallOffset,
            closing: occasion)
    }

    /// Has another program change it.
    func execute(_ sql: String) throws { try Database(path: path, .create).execute(sql) }
}

extension Contents {
    /// What these records come to.
    init(_ records: [Record]) {
        self.init()
        for record in records { count(record) }
    }
}

extension Record {
    /// A coin that was taken.
    static func coin(_ value: Int, by acceptor: Acceptor = .first) -> Record {
        .coinAccepted(Coin(acceptor, pulses: value / 50, value: value))
    }

    /// What is recorded of somebody who pays and passes.
    static func paidPassage(with values: Int...) -> [Record] {
        let price = values.reduce(0, +)
        return values.map { .coin($0) } + [
            .creditUsed(value: price), .released(.entry, by: .credit(fare: price)),
            .passageStarted(.entry), .passageCompleted(.entry, .paid),
        ]
    }
}
