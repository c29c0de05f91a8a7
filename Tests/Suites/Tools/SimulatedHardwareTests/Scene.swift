import Hardware
import SimulatedHardware
import StateMachines
import Turnstile

/// A gate and all that its lines have reported, for stories told in milliseconds.
struct Scene {
    var world: World
    var reports: [LineEvent] = []

    /// A gate without chance: contacts do not bounce, pulses have their nominal width.
    ///
    /// - Parameters:
    ///   - inputs: what is wired beside the least of gates.
    ///   - outputs: the same.
    ///   - edit: what is different about its measures.
    init(
        lock: PowerLoss = .failSecure, inputs: [Input] = [], outputs: [Output] = [],
        seed: UInt64 = 1, exact: Bool = true, edit: (inout Physics) -> Void = { _ in }
    ) {
        var physics = Physics(lock: lock, coinUnit: 50)
        physics.equipment.inputs.formUnion(InputLevels(inputs))
        physics.equipment.outputs.formUnion(OutputSet(outputs))
        if exact {
            physics.bounce = .zero
            physics.pulseJitterPercent = 0
        }
        edit(&physics)
        world = World(physics, seed: seed)
    }

    /// Lets time pass until `milliseconds`, then lets these things happen.
    mutating func at(_ milliseconds: Int, _ events: World.Event...) {
        for event in [.timePassed(until: .milliseconds(milliseconds))] + events {
            reports += world.handle(event).commands
        }
    }

    /// What the lines reported, one marble diagram per line: a column for each `step`
    /// milliseconds until now, `#` where the line is active when the column begins.
    func diagram(_ inputs: Input..., every step: Int) -> String {
        inputs.map { input in
            let columns = stride(from: Instant.zero, to: world.now, by: step).map { moment in
                levels(at: moment)[input] ? "#" : "_"
            }
            return columns.joined()
        }.joined(separator: "\n")
    }

    /// The edges of `input`: when, in nanoseconds, and to which level.
    func edges(of input: Input) -> [(time: Instant, isActive: Bool)] {
        reports.compactMap {
            if case .edge(input, let isActive, let time) = $0 { (time, isActive) } else { nil }
        }
    }

    private func levels(at moment: Instant) -> InputLevels {
        var levels = InputLevels()
        for case .edge(let input, let isActive, let time) in reports where time <= moment {
            levels[input] = isActive
        }
        return levels
    }
}

extension Instant {
    /// The moment this many milliseconds after the clock's origin.
    static func milliseconds(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }
}

private func stride(from start: Instant, to end: Instant, by milliseconds: Int) -> [Instant] {
    Swift.stride(
        from: start.nanoseconds, to: end.nanoseconds, by: milliseconds * 1_000_000
    ).map { Instant(nanoseconds: $0) }
}
