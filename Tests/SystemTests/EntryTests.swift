import StateMachines
import Testing

@testable import System
@testable import Turnstile

@Suite struct EntryTests {
    static let entries =
        Record.samples.map(\.entry) + ShellRecord.samples.map { JournalEntry($0) }

    @Test func `a coin's entry has all that there is to know`() {
        let entry = JournalEntry(
            .coinAccepted(value: 100, pulses: 2), state: "released", credit: 0,
            commands: [.release, .record(.creditUsed(value: 100)), .inhibitCoins])
        #expect(
            entry
                == JournalEntry(
                    messageID: EntryKind.coinAccepted.id, priority: .info,
                    message: "coin of 100 credited (2 pulses)",
                    fields: [
                        .init(.event, "coin_accepted"),
                        .init(.value, "100"),
                        .init(.pulses, "2"),
                        .init(.state, "released"),
                        .init(.credit, "0"),
                        .init(.command, "release"),
                        .init(.command, "inhibit_coins"),
                    ]))
    }

    @Test(arguments: [
        (Record.coinLate(value: 50, pulses: 1), "coin of 50 credited (1 pulse), though the"),
        (.coinNoise(width: .microseconds(7_250)), "pulse of 7250 µs on the coin line is no coin"),
        (.released(by: .credit(fare: 150)), "released for one person, who paid 150"),
        (.passageCompleted(.entry), "somebody passed (entry)"),
        (.alarmRaised(.forcedPassage), "alarm: the rotor of the locked gate was forced"),
        (.faultRaised(.line(.output(.alarm), .mismatch)), "fault: the line alarm does not carry"),
        (.outOfService(.external), "out of service: the machine reports a fault of its own"),
    ])
    func `a record is a sentence`(record: Record, beginning: String) {
        #expect(record.entry.message.hasPrefix(beginning))
    }

    @Test func `a fault tells its name and its line`() {
        let entry = Record.faultRaised(.line(.input(.rotorA), .unreadable)).entry
        #expect(entry[.event] == "fault_line_unreadable")
        #expect(entry[.fault] == "line_unreadable")
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

    @Test func `different records have different sentences`() {
        #expect(Set(Self.entries.map(\.message)).count == Self.entries.count)
    }

    @Test(arguments: entries) func `a sentence shows nothing of the code`(entry: JournalEntry) {
        #expect(!entry.message.isEmpty)
        for trace in ["Optional(", "Turnstile.", "System.", "nil", "  "] {
            #expect(!entry.message.contains(trace))
        }
        #expect(entry.fields.allSatisfy { !$0.value.isEmpty })
    }
}
