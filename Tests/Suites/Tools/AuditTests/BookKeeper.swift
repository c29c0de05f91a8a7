import Audit
import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger of a test's own, written as the service writes one, at any time by the clock on the
/// wall; it goes with its folder.
final class BookKeeper {
    private let folder: URL
    private let file: LedgerFile
    private let clock: LocalClock
    private(set) var contents: Contents
    private var waiting: [Entry] = []
    private var day: CalendarDay?
    /// When the last record was made, by the clock on the wall.
    private(set) var wall: Duration = .zero
    /// What that is ahead of the monotonic one: all of it is long after a boot in 1998.
    private static let ahead = Duration.seconds(900_000_000)

    /// Where the ledger is.
    var path: String { folder.appending(path: "ledger.db").path }

    /// Begins one.
    ///
    /// - Parameters:
    ///   - inMemory: Whether no disk is waited for, where the system has such a folder.
    ///   - isTrial: Whether it is a trial's.
    init(
        clock: LocalClock = .utc, limits: RecordLimits = RecordLimits(), inMemory: Bool = false,
        isTrial: Bool = false
    ) throws {
        self.clock = clock
        let disk = FileManager.default.temporaryDirectory
        let memory = URL(filePath: "/dev/shm")
        let isThere = FileManager.default.fileExists(atPath: memory.path)
        folder = (inMemory && isThere ? memory : disk).appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let place = Place(path: folder.appending(path: "ledger.db").path)
        let opening = Opening(
            place: place, gate: "north", bootID: "boot", limits: limits,
            trial: isTrial ? SystemWallClock() : nil)
        file = try opening.open().file
        contents = file.contents
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes these records down, each a second after the one before.
    func record(_ records: [Record], at wall: Duration) throws {
        for (index, record) in records.enumerated() {
            try self.record(record, at: wall + .seconds(index))
        }
    }

    /// Has the clock on the wall show this time, which ends another day.
    func show(_ wall: Duration) throws {
        let today = clock.day(at: wall)
        if let day, day != today {
            try write(day)
            self.wall = wall
            try close(.day(day.asNumber), newDay: today)
        }
        (day, self.wall) = (today, wall)
    }

    /// Writes a record down that was made then.
    func record(_ record: Record, at wall: Duration) throws {
        try show(wall)
        let today = clock.day(at: wall)
        let expected = contents.registers.sinceCollection.valueInVault
        waiting.append(Entry(record: record, time: Instant.zero + (wall - Self.ahead)))
        contents.count(record)
        if record.isCollection {
            try write(today)
            try close(.collection(0, expected: expected))
        } else if case .collectionCounted(let value) = record {
            try write(today)
            try close(.counted(0, Checkpoint.Count(expected: 0, counted: Int64(value))))
        }
    }

    /// Counts records that cannot be kept.
    func lose(_ records: [Record]) throws {
        try flush()
        for record in records { contents.count(record) }
        try file.write(
            [], missing: records.count, contents: contents, wallOffset: offset, closing: .gap)
    }

    /// Makes a checkpoint that is not kept for good.
    func sign() throws {
        try flush()
        try close(.interval)
    }

    /// Has all of it be in the file.
    func flush() throws { if let day { try write(day) } }

    private func write(_ day: CalendarDay) throws {
        try file.write(
            waiting, missing: 0, contents: contents, wallOffset: Self.ahead,
            day: Int64(day.asNumber))
        waiting = []
    }

    /// What the clock on the wall is ahead, as it shows the time of the last record.
    private var offset: Duration { wall - (MonotonicTimer.now - .zero) }

    private func close(_ occasion: Checkpoint.Occasion, newDay: CalendarDay? = nil) throws {
        try file.write(
            [], missing: 0, contents: contents, wallOffset: offset,
            day: newDay.map { Int64($0.asNumber) }, closing: occasion)
    }

    /// What is read of it.
    func snapshot() throws -> LedgerSnapshot {
        try flush()
        return try LedgerReader(path: path).open()
    }

    /// A report of it.
    func report(
        _ period: Period, by grouping: Report.Grouping? = nil, readAtMost: Int64 = .max
    ) throws -> Report {
        try Report(
            of: snapshot(), period, by: grouping, clock: clock, readAtMost: readAtMost)
    }

    /// Has another program change it.
    func execute(_ sql: String) throws {
        try flush()
        try Database(path: path, .create).execute(sql)
    }
}

extension CalendarDay {
    /// `20011122`.
    var asNumber: Int { year * 10_000 + month * 100 + day }
}

extension LocalClock {
    /// That of Greenwich in winter.
    static let utc = LocalClock { _ in 0 }

    /// That of central Europe in the year 2002: an hour ahead, and two from the end of March to the
    /// end of October.
    static let berlin = LocalClock { time in
        let summer = Duration.at(2002, 3, 31, 1)..<Duration.at(2002, 10, 27, 1)
        return summer.contains(time) ? 7_200 : 3_600
    }
}

extension Duration {
    /// A time of UTC since 1970.
    static func at(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0
    )
        -> Duration
    {
        .seconds(CalendarDay(year, month, day)!.number * 86_400 + hour * 3_600 + minute * 60)
    }
}

extension Record {
    /// A coin of the first acceptor.
    static func coin(_ value: Int) -> Record { .coinAccepted(.of(value)) }

    /// A coin of 250, and somebody who passes for it.
    static let paidPassage: [Record] = [
        .coin(200), .coin(50), .creditUsed(value: 250),
        .released(.entry, by: .credit(fare: 250)), .passageStarted(.entry),
        .passageCompleted(.entry, .paid),
    ]
}

extension Coin {
    /// A coin of the first acceptor.
    static func of(_ value: Int) -> Coin { Coin(.first, pulses: value / 50, value: value) }
}
