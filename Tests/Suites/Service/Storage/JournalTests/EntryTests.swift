import Foundation
import Journal
import Keeping
import StateMachines
import SystemFixtures
import Testing

@testable import Turnstile

@Suite struct EntryTests {
    static let entries =
        Record.samples.map(\.journalEntry) + ShellRecord.samples.map { JournalEntry($0) }

    /// The names of all fields that entries have.
    static let fieldNames = Set(
        (entries.flatMap { $0.fields.map(\.name) } + [.command]).map(\.journalName))

    @Test func `a coin's entry has all that there is to know`() {
        let entry = JournalEntry(
            .coinAccepted(Coin(.second, pulses: 2, value: 100)), state: "released", credit: 0,
            commands: [
                .set(.lockEntry, isOn: true), .set(.lampStop, isOn: false),
                .record(.creditUsed(value: 100)), .set(.coinEnable, isOn: false),
            ])
        #expect(
            entry
                == JournalEntry(
                    messageID: Record.coinAccepted(.blank).entry.kind.id, priority: .info,
                    message: "coin of 100 (2 pulses on coin_pulse_2) credited",
                    fields: [
                        .init(.event, "coin_accepted"),
                        .init(.value, "100"),
                        .init(.pulses, "2"),
                        .init(.acceptor, "2"),
                        .init(.line, "coin_pulse_2"),
                        .init(.state, "released"),
                        .init(.credit, "0"),
                        .init(.command, "release_entry"),
                        .init(.command, "switch_off_lamp_stop"),
                        .init(.command, "inhibit_coins"),
                    ]))
    }

    @Test(arguments: [
        (
            Record.coinLate(Coin(.first, pulses: 1, value: 50)),
            "coin of 50 (1 pulse on coin_pulse) credited, though the"
        ),
        // The cause may be lost edges, a line that cannot be read, or the end of the service.
        (
            .coinInDoubt(Coin(.second, pulses: 2, value: 100)),
            "coin of 100 (2 pulses on coin_pulse_2) is in doubt: pulses of it may be missing"
        ),
        (
            .coinNoise(.third, width: .microseconds(7_250)),
            "pulse of 7250 µs on coin_pulse_3 is noise"
        ),
        (.clockAdjusted(by: .milliseconds(-3_593_938)), "the clock was set back by 59 min"),
        (
            .clockAdjusted(by: .microseconds(1_795_680_061_123_456)),
            "the clock was set forward by 20783 d"
        ),
        (.released(.entry, by: .credit(fare: 150)), "released for one person (entry), who paid"),
        (.passageCompleted(.exit, .unauthorised), "somebody passed (exit), without an author"),
        (.alarmRaised(.forcedPassage), "alarm A1: the rotor of the locked gate was forced"),
        (.faultRaised(.line(.output(.alarm), .mismatch)), "fault F17: the line alarm does not"),
        (.outOfService(.external), "out of service, F1: the machine reports a fault of its own"),
    ])
    func `a record is a sentence`(record: Record, beginning: String) {
        #expect(record.entry.sentence.hasPrefix(beginning))
    }

    @Test func `what is over is told as what was`() {
        let faults = Fault.Kind.words.flatMap(\.faults).map {
            (Record.faultRaised($0), Record.faultCleared($0))
        }
        let alarms = Alarm.allCases.map { (Record.alarmRaised($0), Record.alarmCleared($0)) }
        for (raised, cleared) in faults + alarms {
            let words = raised.entry.sentence.split(separator: ": ", maxSplits: 1)
            #expect(cleared.entry.sentence == "\(words[0]) is over (was: \(words[1]))")
        }
        #expect(
            Record.faultCleared(.vaultMissing).entry.sentence
                == "fault F10 is over (was: the coin vault is not in its place)")
    }

    @Test func `a fault tells its name, its code and its line`() {
        let entry = Record.faultRaised(.line(.input(.rotorA), .unreadable)).journalEntry
        #expect(entry[.event] == "fault_line_unreadable")
        #expect(entry[.fault] == "line_unreadable")
        #expect(entry[.code] == "F15")
        #expect(entry[.line] == "rotor_a")
        #expect(entry.priority == .error)
    }

    @Test func `a refused configuration lists its mistakes, one a line`() {
        let entry = JournalEntry(.configurationRefused(["a.yaml:1:2: one", "a.yaml:3:4: two"]))
        #expect(
            entry.message == """
                configuration refused, the old one stays in force:
                a.yaml:1:2: one
                a.yaml:3:4: two
                """)
        #expect(entry[.detail] == "a.yaml:1:2: one\na.yaml:3:4: two")
    }

    @Test func `a changed key has both values, where there are two`() {
        let entry = JournalEntry(
            .configurationChanged(key: "fare.price", old: "150", new: "200"))
        #expect(entry.message == "fare.price is to be 200, it was 150")
        #expect(
            entry.fields.dropFirst() == [
                .init(.key, "fare.price"), .init(.old, "150"), .init(.new, "200"),
            ])
        let added = JournalEntry(.configurationChanged(key: "coin.unit", old: nil, new: "10"))
        #expect(added.message == "coin.unit is to be 10, it was left out")
        #expect(added[.old] == nil && added[.new] == "10")
        let removed = JournalEntry(.configurationChanged(key: "coin.unit", old: "10", new: nil))
        #expect(removed.message == "coin.unit is to be left out, it was 10")
        #expect(removed[.old] == "10" && removed[.new] == nil)
    }

    @Test func `registers are a list for people, without zeros, and a field each for programs`() {
        let entry = JournalEntry(.registers(ShellRecord.registers, .collection))
        #expect(
            entry.message == """
                registers, at the collection:
                value_in 300, 200 since the collection
                credit_held 300, 300 since the collection
                passages_exit_free 1, 1 since the collection
                accepted_coin_pulse_100 1, 0 since the collection
                accepted_coin_pulse_2_200 1, 1 since the collection
                fault_F7 2, 2 since the collection
                """)
        #expect(entry[.occasion] == "collection")
        let fields = entry.fields.map { "\($0.name) \($0.value)" }
        #expect(fields.contains("register value_in=300"))
        #expect(fields.contains("collected value_in=200"))
        #expect(fields.contains("register passages_entry_paid=0"))
        #expect(fields.contains("collected fault_F7=2"))
    }

    @Test func `registers of a new gate say that there is nothing`() {
        let entry = JournalEntry(.registers(Registers(), .stop))
        #expect(entry.message == "registers, at the stop:\nnothing was counted yet")
    }

    @Test func `different records have different sentences`() {
        #expect(Set(Self.entries.map(\.message)).count == Self.entries.count)
    }

    @Test(arguments: entries) func `a sentence shows nothing of the code`(entry: JournalEntry) {
        #expect(!entry.message.isEmpty)
        for trace in ["Optional(", "Turnstile.", "Journal.", "Keeping.", "nil", "  "] {
            #expect(!entry.message.contains(trace))
        }
        #expect(entry.fields.allSatisfy { !$0.value.isEmpty })
    }

    @Test func `the page for the technician has every field`() throws {
        let page = try String(
            contentsOf: systemdFolder.appending(path: "../docs/operations.md"), encoding: .utf8)
        for name in Self.fieldNames { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
