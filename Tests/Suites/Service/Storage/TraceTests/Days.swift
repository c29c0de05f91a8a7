import Controller
import Simulation
import StateMachines
import Turnstile

@testable import Trace

/// A recorder that has each process write its own files, as a ring has them one behind the other.
final class DayRecorder: StepRecorder {
    private var disks: [DiskInMemory] = []
    private var writer: TraceWriter?
    /// What is gathered, as the queue does, and since when.
    private var gathered: [TraceStep] = []
    private var since = Instant.zero
    /// The whole of a simulated day.
    static func recording(
        seed: UInt64, deeds: Int, day: Simulation.Day = .troubled
    ) throws -> Recording {
        Recording(files: try files(seed: seed, deeds: deeds, day: day))
    }

    /// Its files.
    static func files(
        seed: UInt64, deeds: Int, day: Simulation.Day = .troubled
    ) throws -> [[UInt8]] {
        let recorder = DayRecorder()
        try Simulation.record(seed: seed, deeds: deeds, day: day, on: recorder)
        recorder.flush()
        return recorder.disks.flatMap(\.ordered)
    }

    /// What was recorded so far.
    var recording: Recording {
        flush()
        return Recording(files: disks.flatMap(\.ordered))
    }

    /// The bytes of all files.
    var size: Int { disks.flatMap(\.ordered).reduce(0) { $0 + $1.count } }

    var wantsState: Bool { writer?.wantsState ?? false }

    func take(_ steps: inout [TraceStep]) {
        for step in steps {
            guard case .state(let turnstile, _, let time) = step, turnstile.beginning != nil else {
                continue
            }
            flush()
            let disk = DiskInMemory()
            disks.append(disk)
            writer = TraceWriter(
                in: disk, TraceLimits(size: 1 << 30), .ofTests(start: time),
                clock: .ofTests)
        }
        for step in steps {
            if case .event(let event, _) = step, event.time - since >= StepQueue.gathering {
                flush()
                since = event.time
            }
            gathered.append(step)
        }
        steps.removeAll(keepingCapacity: true)
    }

    private func flush() {
        writer?.write(gathered)
        gathered.removeAll(keepingCapacity: true)
    }

    func takeFailure() -> String? { nil }
}
