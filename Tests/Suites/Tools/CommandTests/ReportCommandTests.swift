import Audit
import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger
@testable import turnstilectl

/// `turnstilectl report` on a ledger, and what it asks people for.
@Suite final class ReportCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    /// A copy of a ledger of an earlier version; what the service makes of one is in AuditTests.
    private var copy: String { folder.appending(path: "copy.db").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let fixture = "Tests/Suites/Service/Storage/LedgerTests/Fixtures/version-3.db"
        try FileManager.default.copyItem(
            atPath: Command.repository.appending(path: fixture).path, toPath: copy)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func report(_ arguments: String...) throws -> Command {
        try Command(["report", "--ledger", copy] + arguments, at: nil)
    }

    @Test func `prints a table, CSV, JSON or a picture`() throws {
        let all = ["--since", "1970-01-01", "--until", "2100-01-01"]
        let table = try Command(["report", "--ledger", copy] + all, at: nil)
        #expect(table.code == 0 && table.errors == "")
        #expect(table.output.contains("money     all accounted for: "))
        let csv = try report("--since", "1970-01-01", "--csv")
        #expect(csv.code == 0 && csv.output.hasPrefix("since,until,remark,credit_at_beginning,"))
        #expect(csv.output.components(separatedBy: "\r\n").count == 3)
        let json = try report("--since", "1970-01-01", "--json", "--by", "day")
        let read = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
        let object = try #require(read as? [String: Any])
        #expect(object["accounted_for"] as? Bool == true && object["rows"] is [Any])
        let picture = try report("--collection", "open", "--svg")
        #expect(picture.code == 0 && picture.output.hasPrefix("<svg "))
    }

    @Test(arguments: [
        (["--since", "tomorrow"], "'tomorrow' is no time: write 2026-11-22"),
        (["--since", "2026-02-30"], "'2026-02-30' is no time"),
        (["--since", "today", "--until", "yesterday"], "is not before --until"),
        (["--since", "today", "--until", "today"], "is not before --until"),
        (["--since", "today", "--collection", "1"], "--collection or times, not both"),
        (["--since", "2999-01-01"], "--since 2999-01-01 00:00 is in the future: it is "),
        (["--collection", "last"], "the coins were never collected: allowed is 'open'"),
        (["--collection", "7"], "no collection 7: allowed is 1 or 'open' for the period since"),
        (["--collection", "0"], "'0'"),
        (["--csv", "--json"], "one of --csv, --json and --svg"),
        (["--svg", "--by", "kind"], "--svg is by hour or by day"),
        (["--by", "week"], "'week'"),
    ]) func `says what is allowed`(arguments: [String], words: String) throws {
        let command = try Command(["report", "--ledger", copy] + arguments, at: nil)
        #expect(command.code == 64 && command.output == "")
        #expect(command.errors.contains(words), "\(command.errors)")
    }

    @Test func `days and hours are those of the time zone`() throws {
        let zone = "TZ=CET-1CEST,M3.5.0,M10.5.0/3"
        let command = try Command(
            shell: "\(zone) turnstilectl report --ledger \(copy) --csv --since 2026-07-01 "
                + "--until 2026-07-02T00:00:00+02:00", at: nil)
        let lines = command.output.components(separatedBy: "\r\n")
        try #require(lines.count == 3, "\(command.output)")
        #expect(lines[1].hasPrefix("2026-07-01T00:00:00+02:00,2026-07-02T00:00:00+02:00,,"))
    }

    @Test func `what is in the future here was told of by a clock that was ahead`() throws {
        let path = folder.appending(path: "ledger.db").path
        let trial = SystemWallClock(ahead: .seconds(30 * 86_400))
        _ = try Opening(place: Place(path: path), gate: "north", bootID: "boot", trial: trial)
            .open()
        func report(in days: Int) throws -> Command {
            let time = SystemWallClock.utc + .seconds(days * 86_400)
            return try Command(
                "report", "--ledger", path, "--since", LocalClock { _ in 0 }.timestamp(of: time),
                at: nil)
        }
        let command = try report(in: 20)
        #expect(command.code == 0 && command.output.contains("it is the ledger of a trial"))
        #expect(try report(in: 40).code == 64)
    }

    @Test func `a ledger that is not there is said`() throws {
        let command = try Command("report", "--ledger", "/nowhere/ledger.db", at: nil)
        #expect(command.code == ExitStatus.cannotRead.rawValue)
        #expect(command.errors.contains("/nowhere/ledger.db"))
    }

    @Test func `what the service has written is reported while it writes`() throws {
        let path = folder.appending(path: "ledger.db").path
        let ledger = try Ledger(path: path, gate: "north", bootID: "boot")
        let coin = Coin(.first, pulses: 2, value: 100)
        ledger.write(
            [.started, .coinAccepted(coin), .coinsCollected], at: MonotonicTimer.now,
            confirms: true)
        var watched = pollfd(fd: ledger.descriptor, events: Int16(POLLIN), revents: 0)
        var answers: [StoreAnswer] = []
        while !answers.contains(.durable) {
            // Sound: one structure is read and written.
            try #require(unsafe poll(&watched, 1, 60_000) == 1, "no answer within a minute")
            answers += ledger.takeAnswers()
        }
        let command = try Command("report", "--ledger", path, "--collection", "last", at: nil)
        #expect(command.code == 0, "\(command.errors)")
        #expect(command.output.contains("collection  1\n"))
        #expect(command.output.contains("100 should have been in it; no count was recorded"))
    }
}

/// Times as people write them.
@Suite struct WrittenTimeTests {
    /// Two hours ahead in summer, one in winter; put forward at two on the last day of March 2002.
    private static let clock = LocalClock { $0 < .seconds(1_017_536_400) ? 3_600 : 7_200 }
    /// 2002-03-31, 12:00 by that clock.
    private static let now = Duration.seconds(1_017_568_800)

    @Test(arguments: [
        ("now", "2002-03-31 12:00"), ("today", "2002-03-31 00:00"),
        ("yesterday", "2002-03-30 00:00"), ("06:30", "2002-03-31 06:30"),
        ("2002-03-05", "2002-03-05 00:00"), ("2002-03-05 06:00", "2002-03-05 06:00"),
        ("2002-03-05T06:00:30", "2002-03-05 06:00:30"), ("90min", "2002-03-31 10:30"),
        ("2d", "2002-03-29 11:00"), ("2002-03-05T06:00:00Z", "2002-03-05 07:00"),
        ("2002-03-05T06:00:00+01:00", "2002-03-05 06:00"),
        ("2002-03-05 06:00+01:00", "2002-03-05 06:00"),
        ("2002-03-05T06:00:00-02:00", "2002-03-05 09:00"),
    ]) func `are read`(text: String, shown: String) throws {
        let time = try WrittenTime.read(text).time(now: Self.now, Self.clock)
        #expect(Self.clock.text(of: time) == shown)
    }

    @Test(arguments: [
        "", "2002-3-5", "2002-02-29", "24:00", "6", "2002-03-05 6 o'clock", "2002-03-05T06:00X",
        "2002-03-05 06:60", "last week", "-1d", "2002-03-05 06:00 Z",
    ]) func `and others are refused`(text: String) {
        #expect(throws: (any Error).self) { try WrittenTime.read(text) }
    }

    @Test func `one that the clock never shows is refused`() throws {
        let time = try WrittenTime.read("2002-03-31 02:30")
        #expect(throws: (any Error).self) { try time.time(now: Self.now, Self.clock) }
    }

    @Test func `a day begins also where the clock is put forward over midnight`() throws {
        let day = try #require(CalendarDay(2002, 4, 28))
        let midnight = Duration.seconds(day.number * 86_400)
        let clock = LocalClock { $0 < midnight ? 0 : 3_600 }
        #expect(clock.text(of: clock.beginning(of: day)) == "2002-04-28 01:00")
        #expect(clock.end(of: CalendarDay(day.number - 1)) == clock.beginning(of: day))
    }
}
