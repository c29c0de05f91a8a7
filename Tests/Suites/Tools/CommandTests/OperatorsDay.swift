import Foundation
import Journal
import StateMachines

@testable import GateClient
@testable import Turnstile

extension StatusReport {
    /// The gate of docs/operator.md, whose lock has just failed.
    static let outOfOrder: StatusReport = {
        var report = StatusReport.blank
        let fault = Fault.lockNotResponding(.entry)
        report.status = Status(state: .outOfService(fault), credit: 0, soundsAlarm: false)
        report.standing = .outOfService(fault)
        report.price = 150
        report.coinRefusal = .fault(fault)
        report.faults = [
            Raised(value: fault, since: asked - .seconds(1320), end: .causeThenKey)
        ]
        report.equipment = Equipment(
            inputs: [.coinPulse, .rotorA], outputs: [.lockEntry, .lockExit, .lampGo])
        report.outputs = [.lockEntry, .lockExit, .lampGo].map {
            OutputReport(output: $0, isOn: false, fault: nil)
        }
        return report
    }()
}

extension [(time: String, entry: JournalEntry)] {
    /// What the gate of docs/operator.md has written down, in the order in which gates do.
    static var day: Self {
        let passage: [(String, Record)] = [
            ("06:12:20", .passageStarted(.entry)), ("06:12:21", .passageCompleted(.entry, .paid)),
        ]
        let anna = Requester.person(Operator(number: 1000, name: "anna")!)
        let records: [(String, Record)] =
            [
                ("05:58:03", .faultRaised(.powerLow)), ("05:58:03", .outOfService(.powerLow)),
                ("05:59:40", .faultCleared(.powerLow)), ("05:59:40", .inService),
                ("06:11:41", .coinAccepted(Coin(.first, pulses: 2, value: 100))),
                ("06:11:43", .coinAccepted(Coin(.first, pulses: 1, value: 50))),
                ("06:11:43", .creditUsed(value: 150)),
                ("06:11:43", .released(.entry, by: .credit(fare: 150))),
                ("06:11:48", .waitTimedOut(.entry)), ("06:11:48", .creditReturned(value: 150)),
                ("06:12:20", .creditUsed(value: 150)),
                ("06:12:20", .released(.entry, by: .credit(fare: 150))),
            ] + passage + [
                ("06:31:07", .coinUnknown(.first, pulses: 9)),
                ("07:02:10", .released(.entry, by: .person(1000))),
                ("07:02:10", .done(.grant, by: anna)),
                ("07:02:12", .passageStarted(.entry)),
                ("07:02:13", .passageCompleted(.entry, .free)),
                ("07:40:02", .vaultRemoved), ("07:40:02", .faultRaised(.vaultMissing)),
                ("07:41:30", .vaultReplaced), ("07:41:30", .faultCleared(.vaultMissing)),
                ("08:15:26", .faultRaised(.lockNotResponding(.entry))),
                ("08:15:26", .outOfService(.lockNotResponding(.entry))),
            ]
        var registers = Registers()
        var entries: Self = []
        for (time, record) in records {
            entries.append((time, JournalEntry(record, state: "", credit: 0)))
            if record == .vaultReplaced {
                let written = JournalEntry(.registers(registers, .collection))
                entries.append((time, written))
            }
            registers.count(record)
        }
        return entries
    }
}
