import Hardware
import Seeds
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// Nothing but the seed and the events decides what the lines report.
@Suite struct DeterminismTests {
    @Test(arguments: 1...20) func `the same seed and events give the same edges`(seed: UInt64) {
        #expect(play(seed: seed).reports == play(seed: seed).reports)
        #expect(play(seed: seed).world == play(seed: seed).world)
    }

    @Test func `another seed gives other edges`() {
        #expect(play(seed: 1).reports != play(seed: 2).reports)
    }

    @Test(arguments: 1...20)
    func `time may pass in one step or in many`(seed: UInt64) {
        let whole = play(seed: seed)
        let pieces = play(seed: seed, pieces: 7)
        #expect(whole.reports == pieces.reports)
        #expect(whole.world == pieces.world)
    }

    @Test func `time never runs backwards`() {
        var scene = Scene()
        scene.at(100)
        scene.at(50, .contactMoved(.fire, isActive: true))
        #expect(scene.world.now == .milliseconds(100))
        #expect(scene.reports == [.edge(.fire, isActive: true, at: .milliseconds(100))])
    }

    @Test func `edges come in the order of time and never twice to the same level`() {
        let reports = play(seed: 7).reports
        var levels = InputLevels()
        var last = Instant.zero
        var edges = 0
        for case .edge(let input, let isActive, let time) in reports {
            #expect(time >= last)
            #expect(levels[input] != isActive)
            levels[input] = isActive
            last = time
            edges += 1
        }
        #expect(edges > 100)
    }

    /// Plays 200 events drawn from `seed`, each after a while, with that while cut in `pieces`.
    private func play(seed: UInt64, pieces: Int = 1) -> Scene {
        var script = SeededGenerator(seed: seed)
        var scene = Scene(
            inputs: [.coinPulse2, .coinJam, .home, .lockFeedback, .lockFeedbackExit],
            outputs: [.lockExit, .dropArm, .coinReject, .lockEntryHold], seed: seed, exact: false)
        scene.at(0, .outputDriven(.coinEnable, energised: true))
        var moment = 0
        for _ in 0..<200 {
            let pause = Int.random(in: 0...600, using: &script)
            for piece in 1...pieces { scene.at(moment + pause * piece / pieces) }
            moment += pause
            scene.at(moment, events.randomElement(using: &script)!)
        }
        return scene
    }

    private let events: [World.Event] = [
        .coinInserted(value: 50), .coinInserted(value: 200), .armPushed(.entry), .armPushed(.exit),
        .armForced(.entry), .armLetGo, .steppedBack(), .contactPressed(.releaseEntry),
        .contactMoved(.fire, isActive: true), .contactMoved(.fire, isActive: false),
        .outputDriven(.lockEntry, energised: true), .outputDriven(.lockEntry, energised: false),
        .outputDriven(.coinEnable, energised: false), .outputDriven(.coinEnable, energised: true),
        .outputDriven(.lockExit, energised: true), .outputDriven(.lockExit, energised: false),
        .outputDriven(.lockEntryHold, energised: true), .outputDriven(.dropArm, energised: true),
        .outputDriven(.dropArm, energised: false), .outputDriven(.coinReject, energised: true),
        .coinInserted(value: 50, into: .second), .coinFished(pulses: 3), .acceptorStruck(.second),
        .tailgated(.entry), .stoodStill, .armRaised, .defectAppeared(.jammedBolt(.exit)),
        .defectAppeared(.jammedAcceptor(.first)), .everythingRepaired,
    ]
}
