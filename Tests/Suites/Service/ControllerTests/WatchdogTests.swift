import Checkout
import Foundation
import Hardware
import Journal
import Keeping
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@testable import Controller

/// Whether the service manager hears a sign of life, as docs/operations.md says.
@Suite struct WatchdogTests {
    // MARK: The policy by itself

    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// The seconds, counted from the start, at which a gate that is looked at every second and
    /// whose lines never work is to be started anew; each start takes none of them.
    private func starts(within seconds: Int) -> [Int] {
        var policy = WatchdogPolicy()
        return (0..<seconds).filter { second in
            let look = WatchdogPolicy.Event(
                isTroubled: true, situation: .other, time: Self.start + .seconds(second))
            guard policy.handle(look) == .handled(.withhold) else { return false }
            policy = WatchdogPolicy(withheld: policy.withheld)
            return true
        }
    }

    @Test func `starts that do not help become rare`() {
        // Each pause counts from the first look of the new process.
        let starts = starts(within: 24 * 3600)
        #expect(starts.prefix(6) == [0, 11, 32, 73, 154, 315])
        let last = starts.suffix(3)
        #expect(zip(last, last.dropFirst()).allSatisfy { $1 - $0 == 3601 })
    }

    @Test func `a line that worked for long is started for at once`() {
        var policy = WatchdogPolicy(withheld: Recurrence(count: 3, last: Self.start))
        func decision(
            after seconds: Int, isTroubled: Bool = true
        ) -> Outcome<WatchdogPolicy.Command> {
            policy.handle(
                .init(
                    isTroubled: isTroubled, situation: .other,
                    time: Self.start + .seconds(seconds)))
        }
        #expect(decision(after: 600) == .handled(.feed))
        #expect(decision(after: 601, isTroubled: false) == .handled(.feed))
        #expect(decision(after: 681) == .handled(.withhold))
        #expect(policy.withheld?.count == 1)
    }

    @Test func `nothing is withheld from people, and the pause begins when they are gone`() {
        for situation in WatchdogPolicy.Situation.allCases where situation != .other {
            var policy = WatchdogPolicy(withheld: Recurrence(count: 1, last: Self.start))
            for second in 0..<100 {
                let look = WatchdogPolicy.Event(
                    isTroubled: true, situation: situation, time: Self.start + .seconds(second))
                #expect(policy.handle(look) == .handled(.feed))
            }
            for second in 100..<111 {
                let look = WatchdogPolicy.Event(
                    isTroubled: true, situation: .other, time: Self.start + .seconds(second))
                #expect(policy.handle(look) == .handled(second < 110 ? .feed : .withhold))
            }
        }
    }

    @Test func `the pause begins anew when the lines have worked in between`() {
        var policy = WatchdogPolicy(withheld: Recurrence(count: 1, last: Self.start))
        for second in 0..<60 {
            let look = WatchdogPolicy.Event(
                isTroubled: second % 10 != 0, situation: .other,
                time: Self.start + .seconds(second))
            #expect(policy.handle(look) == .handled(.feed))
        }
    }

    // MARK: The table of the page, row by row

    /// A row of the table: what fails, what follows in each situation, and which fault it is.
    struct Row: CustomTestStringConvertible {
        var trouble: String
        var decisions: [String]
        var fault: String
        var testDescription: String { trouble }
    }

    private static let situations = [
        "emergency", "somebody in the gate", "service mode", "otherwise",
    ]

    static let table: [Row] = {
        let page = Checkout.root.appending(path: "docs/operations.md")
        let lines = (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
        let head = "| what fails | \(situations.joined(separator: " | ")) | fault |"
        return lines.drop { $0 != head }.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ").reversed() }
                .map { String($0.trimmingPrefix(" ").reversed()) }
            return Row(
                trouble: cells[0], decisions: Array(cells[1...4]),
                fault: cells.count > 5 ? cells[5] : "")
        }
    }()

    /// What to do to the lines, before the gate starts, for each kind of trouble.
    private static let troubles: [String: @Sendable (TestBank) -> Void] = [
        "nothing": { _ in },
        "an input cannot be read": { $0.unreadable = [.cabinetTamper] },
        "an output that the gate needs cannot be driven": { $0.undrivable = [.coinEnable] },
        "an output that the gate needs does not carry its level": { $0.dead = [.lockEntry] },
        "a lamp, siren or passage counter fails": { $0.undrivable = [.lampStop] },
        "no line works any more": { _ in },
    ]

    @Test func `the page knows every trouble`() {
        #expect(
            Set(Self.table.map(\.trouble)) == Set(Self.troubles.keys).union(["the program hangs"]))
    }

    @Test(arguments: table) func `the gate does what the page says`(row: Row) throws {
        for (situation, decision) in zip(Self.situations, row.decisions) {
            let gate = try TestGate(
                outputs: [
                    .lockEntry: .wired(powerLoss: .failSafe), .coinEnable: .wired(),
                    .lampStop: .wired(),
                ], inputs: [.coinPulse, .cabinetTamper],
                prepare: Self.troubles[row.trouble] ?? { _ in })
            gate.loop.advance(by: .seconds(1))
            switch situation {
            case "emergency": gate.change(.fire, isActive: true)
            case "somebody in the gate":
                gate.change(.rotorA, isActive: true)
                // Not before the sensor has kept its level are they there.
                gate.loop.advance(by: .milliseconds(10))
            case "service mode":
                gate.change(.serviceKey, isActive: true)
                gate.loop.advance(by: .seconds(4))
                #expect(gate.status.state.name.contains(/service|testing/))
            default: break
            }
            _ = gate.service.take()
            gate.bank.isLost = row.trouble == "no line works any more"
            if row.trouble == "the program hangs" {
                gate.loop.holdUp(until: gate.loop.now + .seconds(10))
            } else {
                gate.loop.advance(by: .seconds(10))
            }
            let indicators = gate.service.take().filter { $0 == .alive }.count
            #expect((gate.loss != nil) == (decision == "end, 74"), "\(row.trouble), \(situation)")
            if gate.loss != nil { continue }
            #expect(indicators == (decision == "feed" ? 10 : 0), "\(row.trouble), \(situation)")
            let isUp = gate.journal.entries.contains { $0[.code] == row.fault }
            #expect(isUp == !row.fault.isEmpty, "\(row.trouble), \(situation)")
        }
    }

    // MARK: The shell

    @Test func `an emergency that begins while nothing is told is told of at once`() throws {
        let gate = try TestGate(
            inputs: [.cabinetTamper], prepare: { $0.unreadable = [.cabinetTamper] })
        gate.loop.advance(by: .milliseconds(1_900))
        #expect(!gate.service.take().contains(.alive))
        gate.change(.fire, isActive: true)
        #expect(gate.service.take().contains(.alive))
    }

    @Test func `whoever keeps in mind how often is told before the end, once`() throws {
        let gate = try TestGate(
            inputs: [.cabinetTamper], prepare: { $0.unreadable = [.cabinetTamper] })
        var told: [Recurrence?] = []
        gate.controller.onWithhold = { told.append($0.withheld) }
        let start = gate.loop.now
        gate.loop.advance(by: .seconds(5))
        #expect(told == [Recurrence(count: 1, last: start + .seconds(1))])
    }

    @Test(arguments: [nil, Duration.milliseconds(400)])
    func `the lines are looked at now and then with and without a watchdog`(
        interval: Duration?
    ) throws {
        let gate = try TestGate(watchdogInterval: interval)
        let before = gate.loop.wakeUps
        gate.loop.advance(by: .seconds(10))
        #expect(gate.loop.wakeUps - before == (interval == nil ? 10 : 50))
    }
}
