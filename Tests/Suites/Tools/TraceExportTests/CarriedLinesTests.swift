import Controller
import Foundation
import Hardware
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Testing
import TraceExport
import Turnstile

@testable import Trace

/// What an export says of the outputs is what their lines carried, coil by coil.
@Suite struct CarriedLinesTests {
    /// A lock that opens without power, with a coil that pulls and one that holds.
    private static let outputs: [Output: OutputLine] = [
        .lockEntry: OutputLine(
            line: .name("lock_entry"), maximumOnTime: nil, powerLoss: .failSafe),
        .lockEntryHold: OutputLine(line: .name("lock_entry_hold"), maximumOnTime: nil),
    ]

    /// From which ms on what was carried.
    private typealias Levels = [(time: Int64, level: String)]

    /// The changes alone, of several in a ms the last.
    private static func changes(_ levels: Levels) -> Levels {
        var changes: Levels = []
        for level in levels {
            if changes.last?.time == level.time { changes.removeLast() }
            if changes.last?.level != level.level { changes.append(level) }
        }
        return changes
    }

    @Test func `a dump has each coil as its line was, and whether the way was released`() throws {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.passWait = .seconds(1)
        let wiring = Wiring(
            chip: .label("simulation"),
            inputs: [.rotorA, .rotorB, .releaseEntry].reduce(into: [:]) { lines, input in
                lines[input] = InputLine(line: .name(input.name))
            }, outputs: Self.outputs)
        let loop = VirtualEventLoop()
        let physics = Physics(wiring: wiring, policy: policy)
        let bank = try SimulatedBank(
            World(physics, seed: 1, now: loop.now), wiring: wiring)
        let recorder = ReplayingRecorder(keeps: true) { Issue.record("when replayed: \($0)") }
        let controller = Controller(
            turnstile: Turnstile(policy: policy, equipment: wiring.equipment), bank: bank,
            outputs: Self.outputs, loop: loop, journal: RecordingJournal(),
            service: RecordingServiceManager(), recorder: recorder,
            wallClock: VirtualWallClock(loop))
        let start = loop.now
        try controller.start()
        var carried: [Output: Levels] = [:]
        for millisecond in 0..<Int64(3_000) {
            if millisecond == 500 {
                let answer = controller.ask(for: .grant(.entry), by: .person(.blank))
                #expect(answer.result == .done)
            }
            let energised = bank.readOutputs { _, _ in }
            for output in Self.outputs.keys {
                carried[output, default: []].append((millisecond, energised[output] ? "1" : "0"))
            }
            bank.advance(to: loop.now + .milliseconds(1))
            loop.advance(by: .milliseconds(1))
        }

        let dump = try Self.dump(of: recorder.takeSteps(), wiring.equipment)
        func told(_ name: String) -> Levels {
            Self.changes(dump[name].map { (($0.time + 999) / 1000, $0.value) })
        }
        #expect(dump.sections["$comment"]?.contains("\(start.nanoseconds) ns") == true)
        for (output, levels) in carried {
            let (found, wanted) = (
                told("outputs.energised.\(output.name)"), Self.changes(levels)
            )
            #expect(found.map(\.time) == wanted.map(\.time), "\(output.name)")
            #expect(found.map(\.level) == wanted.map(\.level), "\(output.name)")
        }
        // The coil that pulls is switched off between two events of the gate.
        #expect(
            told("outputs.energised.lock_entry").map(\.level) == ["1", "0", "1", "0"])
        #expect(
            told("outputs.energised.lock_entry_hold").map(\.level) == ["1", "0", "1"])
        #expect(
            told("outputs.released.lock_entry_released").map(\.level) == ["0", "1", "0"])
    }

    /// The dump of what was recorded.
    private static func dump(of steps: [TraceStep], _ equipment: Equipment) throws -> VCDReader {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let header = TraceHeader(
            serviceVersion: "", gate: "north", bootID: "1", start: .zero, isSimulated: true,
            settings: "")
        var writer = TraceWriter(
            in: SystemTraceFolder(path: folder.path), TraceLimits(), header,
            clock: ClockOffset(utc: .seconds(1_795_496_400), local: 0))
        writer.write(steps)
        writer.finish()
        var text = ""
        var export = ExportFormat.vcd.export(of: "", with: equipment) { text += $0 }
        let result = Replay.run(try Trace.Recording(path: folder.path)) { news in
            switch news {
            case .page: break
            case .item(_, at: let moment): export.setOutputs(at: moment)
            case .step(let step): if let replayed = step.replayed { export.add(replayed) }
            }
            return true
        }
        #expect(result.difference == nil && result.isWhole)
        export.finish()
        return try VCDReader(text)
    }
}
