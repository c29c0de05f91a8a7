import Journal
import StateMachines
import TestSupport
import Testing
import Turnstile

@testable import Controller

@Suite struct SnapshotTests {
    private func registers(_ gate: TestGate) -> [JournalEntry] {
        gate.journal.take().filter { $0[.event] == "registers" }
    }

    // MARK: The machine by itself

    /// What happens to registers that are written down every hour, and what is answered to the last
    /// of it.
    @Test(
        arguments: [
            ([.looked(at: .second(9_999))], nil),
            ([.started(at: .zero), .looked(at: .second(3_599))], nil),
            ([.started(at: .zero), .looked(at: .second(3_600))], [.write(.interval)]),
            (
                [.started(at: .zero), .looked(at: .second(3_600)), .looked(at: .second(7_199))],
                nil
            ),
            (
                [.started(at: .zero), .looked(at: .second(3_700)), .looked(at: .second(7_300))],
                [.write(.interval)]
            ),
            // A shorter interval is in force at once, a longer one after the entry that is due.
            (
                [
                    .started(at: .zero), .intervalChanged(.seconds(60), at: .second(100)),
                    .looked(at: .second(160)),
                ], [.write(.interval)]
            ),
            (
                [
                    .started(at: .zero), .intervalChanged(.seconds(7_200), at: .second(100)),
                    .looked(at: .second(3_600)),
                ], [.write(.interval)]
            ),
            (
                [
                    .started(at: .zero), .intervalChanged(.seconds(7_200), at: .second(100)),
                    .looked(at: .second(3_600)), .looked(at: .second(10_799)),
                ], nil
            ),
            ([.recorded(.vaultRemoved)], [.count]),
            ([.recorded(.vaultReplaced)], [.write(.collection), .count]),
            ([.stopped], [.write(.stop)]),
        ] as [([Snapshots.Event], [Snapshots.Command]?)])
    func `are due at the interval, with each collection and at the stop`(
        events: [Snapshots.Event], said: [Snapshots.Command]?
    ) {
        var snapshots = Snapshots(interval: .seconds(3_600))
        #expect(snapshots.answers(to: events).last == .some(said))
    }

    // MARK: The shell

    @Test func `the registers are written down at the interval and at the stop`() throws {
        let gate = try TestGate(registerSnapshot: .seconds(300))
        gate.press(.releaseEntry)
        gate.loop.advance(by: .seconds(900))
        let entries = registers(gate)
        #expect(entries.map { $0[.occasion] } == ["interval", "interval", "interval"])
        #expect(entries[0].fields.contains(.init(.register, "releases_entry=1")))
        gate.controller.stop()
        #expect(registers(gate).map { $0[.occasion] } == ["stop"])
    }

    @Test func `a shorter interval is in force at once`() throws {
        let gate = try TestGate()
        gate.controller.change(
            policy: gate.controller.turnstile.gate.policy, registerSnapshot: .seconds(300))
        gate.loop.advance(by: .seconds(301))
        #expect(registers(gate).map { $0[.occasion] } == ["interval"])
    }

    @Test func `a vault that is replaced closes its books`() throws {
        let gate = try TestGate(inputs: [.vaultPresent], prepare: { $0.active = [.vaultPresent] })
        gate.press(.releaseEntry)
        gate.change(.vaultPresent, isActive: false)
        gate.change(.vaultPresent, isActive: true)
        let entries = registers(gate)
        #expect(entries.map { $0[.occasion] } == ["collection"])
        #expect(entries[0].fields.contains(.init(.collected, "releases_entry=1")))
        #expect(gate.controller.registers.sinceCollection.releases[.entry] == 0)
        #expect(gate.controller.registers.sinceInit.releases[.entry] == 1)
    }

    @Test func `registers that do not add up are told with both sums, and change nothing`() throws {
        let gate = try TestGate(
            registers: Registers([.passagesMade: .init(sinceInit: 3, sinceCollection: 0)]),
            registerSnapshot: .seconds(300))
        let status = gate.status
        gate.loop.advance(by: .seconds(301))
        let entries = gate.journal.take().filter { $0[.event] == "books_disagree" }
        #expect(
            entries.map { $0[.detail] } == [
                "passages since the gate was new: 3, but passages of all kinds: 0"
            ])
        #expect(gate.status == status)
    }
}
