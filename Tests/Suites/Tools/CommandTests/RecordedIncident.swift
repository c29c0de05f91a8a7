import Controller
import Foundation
import StateMachines
import System
import Turnstile

@testable import Ledger
@testable import Trace

/// The trace of docs/turnstilectl.md: somebody pays and passes, and somebody else pays and does
/// not, since a pulse of their coin is too short.
///
/// It is the same to the last byte wherever and whenever it is made: its times and the gate are
/// given. The gate's clock is an hour ahead of UTC.
final class RecordedIncident {
    /// Where all of it is.
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    /// What the gate heard and decided.
    private(set) var steps: [TraceStep] = []

    private var turnstile: Turnstile
    private var shell = ShellMachines.blank
    private var now = Instant.zero
    private var pageStart = Instant.zero

    /// Names of what is in the folder.
    enum Name: String {
        /// The trace.
        case trace = "gate.trace"
        /// Settings by which a pulse may be shorter.
        case shorter = "shorter.yaml"
        /// Settings by which a passage costs more.
        case dearer = "dearer.yaml"
    }

    /// What the clock on the wall is ahead of the time since the machine was started.
    static let clock = ClockOffset(utc: Duration(utcText: "2026-11-24T04:58:30Z")!, local: 3_600)

    /// Makes all of it, at a gate with these lines.
    init(equipment: Equipment = .oneWay) throws {
        let policy = Policy(price: 150, coinUnit: 50)
        turnstile = Turnstile(Beginning(policy: policy, equipment: equipment))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        live()
        try write(steps, to: .trace)
        try writeSettings(to: .shorter, "pulse_width: 50ms", "pulse_width: 40ms")
        try writeSettings(to: .dearer, "price: 150", "price: 200")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file in the folder.
    subscript(name: Name) -> String { self[name.rawValue] }

    /// The path of any file in the folder.
    subscript(name: String) -> String { folder.appending(path: name).path }

    /// What is known of the recording.
    static func header(
        gate: String = "north gate", start: Duration = .zero
    ) -> TraceHeader {
        TraceHeader(
            serviceVersion: "0.2.0", gate: gate, bootID: "5d1e6f0a9c7b4d3e8f2a1b0c9d8e7f60",
            start: .zero + start, isSimulated: false, settings: "gate: {name: \(gate)}\n")
    }

    /// The bytes of a trace of these steps, by a gate of this name, with states of this version.
    static func bytes(
        of steps: [TraceStep], gate: String = "north gate", start: Duration = .zero,
        stateVersion: Int = Turnstile.snapshotVersion
    ) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = SystemTraceFolder(path: folder.path)
        var writer = TraceWriter(
            in: files, TraceLimits(), header(gate: gate, start: start),
            stateVersion: stateVersion, clock: clock)
        writer.write(steps)
        writer.finish()
        return try files.read(1)
    }

    private func write(_ steps: [TraceStep], to name: Name) throws {
        try Data(Self.bytes(of: steps)).write(to: URL(filePath: self[name]))
    }

    private func writeSettings(to name: Name, _ old: String, _ new: String) throws {
        let standard = Command.repository.appending(path: "config/turnstiled.yaml")
        var text = try String(contentsOf: standard, encoding: .utf8)
        text.replace("\(old) ", with: "\(new) ")
        try text.write(to: URL(filePath: self[name]), atomically: true, encoding: .utf8)
    }
}

// What happens.
extension RecordedIncident {
    private func live() {
        begin(at: "06:00:02")
        coin([50, 50], at: "06:02:10")
        coin([50], at: "06:02:14")
        pass(at: "06:02:17")
        coin([52, 51], at: "06:10:03")
        look(at: "06:10:05")
        coin([21], at: "06:10:06")
        happens(.requested(.grant(.entry), by: Self.anna), at: "06:12:30")
        pass(at: "06:12:33")
        happens(.changed(.serviceKey, isActive: true), at: "06:16:00")
        happens(.changed(.serviceKey, isActive: false), at: "06:16:01")
    }

    /// Who lets people pass.
    private static var anna: Requester { .person(Operator(number: 1_000, name: "anna")!) }

    private func begin(at time: String) {
        now = instant(time)
        pageStart = now
        steps.append(.state(turnstile, .blank, at: now))
        handle(.started([]))
    }

    /// The lines are looked at, and are as they should be.
    private func look(at time: String) {
        let moment = instant(time)
        passTime(until: moment)
        steps.append(.shell(.lines(.lookBegan(at: moment)), at: moment))
        steps.append(.shell(.lines(.lookEnded(heard: [], taken: [])), at: moment))
    }

    /// A coin whose pulses are so many milliseconds wide.
    private func coin(_ pulses: [Int], at time: String) {
        var moment = instant(time)
        for width in pulses {
            happens(.changed(.coinPulse, isActive: true), at: moment)
            happens(.changed(.coinPulse, isActive: false), at: moment + .milliseconds(width))
            moment = moment + .milliseconds(150)
        }
    }

    /// Somebody walks in, in a second.
    private func pass(at time: String) {
        let edges: [(Input, Bool)] = [
            (.rotorA, true), (.rotorB, true), (.rotorA, false), (.rotorB, false),
        ]
        for (index, (sensor, isActive)) in edges.enumerated() {
            let moment = instant(time) + .milliseconds(260 * index)
            happens(.changed(sensor, isActive: isActive), at: moment)
        }
    }

    private func happens(_ kind: Event.Kind, at time: String) { happens(kind, at: instant(time)) }

    /// Lets time pass, with all that falls due, and then this happen.
    private func happens(_ kind: Event.Kind, at moment: Instant) {
        passTime(until: moment)
        now = moment
        handle(kind)
    }

    private func passTime(until moment: Instant) {
        while let due = turnstile.deadline, due <= moment {
            now = max(now, due)
            handle(.timePassed)
        }
    }

    private func handle(_ kind: Event.Kind) {
        // A page is of ten minutes at most.
        if now - pageStart >= .seconds(600) {
            pageStart = now
            steps.append(.state(turnstile, shell, at: now))
        }
        let event = Event(kind, at: now)
        let outcome = turnstile.handle(event)
        steps.append(.event(event, outcome.verdict))
        var records: [TraceStep] = []
        var driven: [TraceStep] = []
        outcome.commands.forEach { command in
            if case .record(let record) = command {
                records.append(.record(record))
            } else {
                steps.append(.command(command))
            }
            // Each of these outputs is on while it is energised.
            guard case .set(let output, let isOn) = command else { return }
            let took = ShellEvent.output(output, .took(isOn, for: now, at: now))
            _ = shell.handle(took)
            driven.append(.shell(took, at: now))
        }
        steps += records + driven
    }

    /// When it is that time by the gate's clock.
    private func instant(_ time: String) -> Instant {
        let utc = Duration(utcText: "2026-11-24T\(time)Z"[...])!
        return .zero + (utc - .seconds(Self.clock.local) - Self.clock.utc)
    }
}

extension Outcome {
    /// What became of the event.
    fileprivate var verdict: Verdict {
        switch self {
        case .handled: .handled
        case .ignored(let reason): .ignored(reason)
        case .unhandled: .unhandled
        }
    }
}
