import Foundation
import Keeping
import StateMachines
import System
import Turnstile

@testable import Ledger

/// The ledger of docs/audit.md: two days at a gate with two ways.
///
/// It is the same to the last byte wherever and whenever it is made: its times, its identity and
/// its key are given. Beside it lie copies from before, and one that was altered.
final class AuditedLedger {
    /// Where all of it is.
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    /// What the gate has signed when the coins were last counted.
    private(set) var slip = ""

    private let database: Database
    private var file: LedgerFile
    private var contents = Contents()
    private var waiting: [Entry] = []
    /// When the machine was last started, by the clock on the wall.
    private var boot = Duration.at("2026-11-21T07:28:10Z")
    /// What the times that follow are of.
    private var date = "2026-11-21"

    /// Names of what is in the folder.
    enum Name: String {
        /// The ledger after two days.
        case whole = "north.db"
        /// The same, and somebody has made a coin another one.
        case altered = "altered.db"
        /// A copy of the end of the first day.
        case older = "older.db"
        /// As the coins are counted at the end of the second day.
        case counting = "counting.db"
        /// What its checkpoints are verified with.
        case key = "north.key"
        /// Settings that name the one of which the coins are counted.
        case settings = "gate.yaml"
    }

    /// Makes all of it.
    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        database = try Database(path: folder.appending(path: Name.whole.rawValue).path, .create)
        try Schema.create(in: database)
        var identity = Identity(of: "north gate")
        identity.number = "6b1f0c52d94e4a7f8c03a2e57d9b1846"
        identity.key = PaperLedger.key.verificationKey
        identity.branch = "c01d7e3a5b9f42688e14a6d0f3b72c95"
        file = try LedgerFile(
            database,
            LedgerFile.Progress(
                state: LedgerState(identity),
                chain: Chain(after: Chain.beginning(of: identity.number))),
            PaperLedger.key, bootID: "5d1e6f0a9c7b4d3e8f2a1b0c9d8e7f60", life: 1)
        try file.fill()
        try close(.begun, "07:30")
        try firstDay()
        try copy(to: .older)
        try secondDay()
        try copy(to: .altered)
        try Database(path: self[.altered], .create).execute(
            """
            UPDATE records SET details = replace(details, 'VALUE=200', 'VALUE=100')
            WHERE sequence =
                (SELECT max(sequence) FROM records WHERE details LIKE '%VALUE=200%')
            """)
        try Data("\(PaperLedger.key.verificationKey)\n".utf8).write(
            to: URL(filePath: self[.key]))
        try writeSettings()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file in the folder.
    subscript(name: Name) -> String { folder.appending(path: name.rawValue).path }

    /// What was signed on an occasion, in its words: `day 2026-11-21`.
    func checkpoint(for occasion: String) throws -> Checkpoint? {
        try LedgerReader(path: self[.whole]).open().checkpoints().map(\.checkpoint)
            .first { $0.occasion.text == occasion }
    }

    private func copy(to name: Name) throws {
        try FileManager.default.copyItem(atPath: self[.whole], toPath: self[name])
    }

    private func writeSettings() throws {
        let standard = Command.repository.appending(path: "config/turnstiled.yaml")
        var text = try String(contentsOf: standard, encoding: .utf8)
        text.replace("/var/lib/turnstiled/ledger.db", with: self[.counting])
        try text.write(to: URL(filePath: self[.settings]), atomically: true, encoding: .utf8)
    }
}

// The two days.
extension AuditedLedger {
    private func firstDay() throws {
        happens("07:30:02", .started)
        try people([8: 3, 9: 5, 10: 4, 11: 6, 12: 2, 13: 3, 14: 5, 15: 4, 16: 6, 17: 3])
        try collect("18:00", counted: 0, "18:07")
        try people([18: 4, 19: 2])
        date = "2026-11-22"
        try close(.day(20_261_121), "00:00")
    }

    private func secondDay() throws {
        try people([8: 4, 9: 6])
        happens("10:01", .coinUnknown(.first, pulses: 9))
        happens("10:12", .faultRaised(.coinJam))
        happens("10:31:20", .faultCleared(.coinJam))
        try people([10: 2, 11: 7])
        happens(
            "11:55", .alarmRaised(.forcedPassage), .passageCompleted(.entry, .unauthorised))
        happens("11:55:11", .alarmCleared(.forcedPassage))
        try people([12: 5])
        happens("12:50", .faultRaised(.powerLow), .outOfService(.powerLow))
        happens("12:57:30", .faultCleared(.powerLow), .inService)
        try losePower()
        try people([13: 3])
        happens("14:05", .coin(50))
        happens("14:10", .creditExpired(value: 50))
        try people([14: 6, 15: 5])
        happens("16:02", .serviceStarted(by: .contact(.serviceKey)))
        happens("16:04", .passageStarted(.entry), .passageCompleted(.entry, .service))
        happens("16:06", .serviceEnded)
        try people([16: 7, 17: 4])
        try collect("18:00", counted: -50, "18:12")
        try people([18: 3])
        date = "2026-11-23"
        try close(.day(20_261_122), "00:00")
    }

    /// The power goes while somebody passes and somebody else puts a coin in.
    private func losePower() throws {
        let coin = Coin(.second, pulses: 2, value: 100)
        happens(
            "13:05:10", .coin(100), .coin(50), .creditUsed(value: 150),
            .released(.entry, by: .credit(fare: 150)), .passageStarted(.entry),
            .coinCounted(coin))
        try write()
        boot = .at("2026-11-22T13:08:40Z")
        file = try LedgerFile(
            database, file.progress, PaperLedger.key,
            bootID: "0b7a41c2e6d84f95a3c8d7e6f5041b2c", life: 2)
        happens(
            "13:09:02", .started, .coinInDoubt(coin), .coinLate(coin),
            .passageInDoubt(.entry, .paid, .made), .passageLost(.entry, .paid),
            .creditRecovered(value: 100))
        happens(
            "13:10", .coin(50), .creditUsed(value: 150),
            .released(.entry, by: .credit(fare: 150)), .passageStarted(.entry),
            .passageCompleted(.entry, .paid))
    }

    /// So many people come in these hours, one every four minutes from a quarter past on; the
    /// registers are signed at the end of each hour.
    private func people(_ counts: [Int: Int]) throws {
        for (hour, count) in counts.sorted(by: { $0.key < $1.key }) {
            for person in 0..<count {
                let minute = 15 + 4 * person
                happens("\(twoDigits(hour)):\(minute)", visit(hour + person))
            }
            try close(.interval, "\(twoDigits(hour)):58")
        }
    }

    /// What is recorded of one of them, or of two who have one purse.
    private func visit(_ number: Int) -> [Record] {
        func passage(_ way: Direction, _ authorisation: Authorisation) -> [Record] {
            [
                .released(way, by: authorisation), .passageStarted(way),
                .passageCompleted(way, authorisation.kind),
            ]
        }
        let paid = [.creditUsed(value: 150)] + passage(.entry, .credit(fare: 150))
        return switch number % 6 {
        case 0: [.coin(50), .coin(50), .coin(50)] + paid
        case 1: passage(.exit, .free)
        case 2: [.coin(200, .second), .coin(100, .second)] + paid + paid
        case 3: passage(.entry, .contact)
        case 4: [.coin(100), .coin(50)] + paid
        default: [.coin(100, .second), .coin(50)] + paid + passage(.exit, .free)
        }
    }

    /// The coins are collected, and counted a while later: as many as expected, or others.
    private func collect(_ time: String, counted difference: Int64, _ later: String) throws {
        let expected = contents.registers.sinceCollection.valueInVault
        happens(time, .coinsCollected)
        try close(.collection(0, expected: expected), time)
        try? FileManager.default.removeItem(atPath: self[.counting])
        try copy(to: .counting)
        let counted = expected + difference
        happens(later, .collectionCounted(value: Int(counted)))
        let count = Checkpoint.Count(expected: expected, counted: counted)
        slip = try close(.counted(0, count), later)?.note.description ?? ""
    }
}

// Writing.
extension AuditedLedger {
    private func happens(_ time: String, _ records: Record...) { happens(time, records) }

    /// One after the other, a second apart.
    private func happens(_ time: String, _ records: [Record]) {
        for (second, record) in records.enumerated() {
            contents.count(record)
            waiting.append(Entry(record: record, time: instant(time) + .seconds(second)))
        }
    }

    /// Writes down what has happened.
    private func write() throws { _ = try close(nil, "00:00") }

    @discardableResult
    private func close(
        _ occasion: Checkpoint.Occasion?, _ time: String
    ) throws -> SignedCheckpoint? {
        let signed = try file.write(
            waiting, missing: 0, contents: contents, wallOffset: boot,
            day: Int64(date.filter { $0 != "-" }), closing: occasion, at: instant(time))
        waiting = []
        return signed
    }

    /// When it is that time of the day, from the start of the machine on.
    private func instant(_ time: String) -> Instant {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        let seconds = parts[0] * 3_600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        return .zero + (.at("\(date)T00:00:00Z") + .seconds(seconds) - boot)
    }
}

extension Duration {
    /// A time since 1970, UTC.
    fileprivate static func at(_ text: String) -> Duration { Duration(utcText: text[...])! }
}
