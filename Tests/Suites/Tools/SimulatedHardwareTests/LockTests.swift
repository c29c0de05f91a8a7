import Hardware
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// The laws of locks, one or two of them, and of the arm that drops. A bolt takes 30 ms.
@Suite struct LockTests {
    private func drive(_ output: Output, _ energised: Bool) -> World.Event {
        .outputDriven(output, energised: energised)
    }

    private func twoWays(_ exitLock: PowerLoss = .failSecure) -> Scene {
        Scene(inputs: [.lockFeedback, .lockFeedbackExit], outputs: [.lockExit]) {
            $0.exitLock = exitLock
        }
    }

    @Test(arguments: Direction.allCases)
    func `each of two locks holds its own way`(direction: Direction) {
        var scene = twoWays()
        scene.at(0, drive(direction.lock, true))
        scene.at(100, .armPushed(direction.opposite))
        scene.at(2_000)
        #expect(scene.world.passages(direction.opposite) == 0)
        scene.at(2_000, .armPushed(direction))
        scene.at(4_000)
        #expect(scene.world.passages(direction) == 1)
    }

    @Test func `the one lock of the way out holds both ways`() {
        var scene = Scene {
            $0.equipment.outputs = OutputSet([.lockExit])
            $0.exitLock = .failSafe
        }
        #expect(!scene.world.boltIsOut(.entry) && !scene.world.boltIsOut(.exit))
        scene.at(0, drive(.lockExit, true))
        scene.at(100, .armPushed(.entry))
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 0)
    }

    @Test func `each lock does without power what it is made for`() {
        let scene = twoWays(.failSafe)
        #expect(scene.world.boltIsOut(.entry))
        #expect(!scene.world.boltIsOut(.exit))
        #expect(scene.world.levels == InputLevels(.lockFeedbackExit))
    }

    @Test func `the feedback follows the bolt, not its line`() {
        var scene = twoWays()
        scene.at(100, drive(.lockEntry, true))
        scene.at(200, drive(.lockEntry, false))
        scene.at(300)
        #expect(
            scene.reports == [
                .edge(.lockFeedback, isActive: true, at: .milliseconds(130)),
                .edge(.lockFeedback, isActive: false, at: .milliseconds(230)),
            ])
    }

    @Test func `a bolt that comes out in mid-turn is in its notch when the arm is at rest`() {
        var scene = twoWays()
        scene.at(0, drive(.lockEntry, true), .armPushed(.entry, degreesPerSecond: 100))
        scene.at(700, drive(.lockEntry, false))
        scene.at(2_000)
        #expect(
            scene.edges(of: .lockFeedback).map { $0.time.nanoseconds / 1_000_000 } == [30, 1_200])
    }

    @Test func `a jammed bolt stays where it is until it is repaired`() {
        var scene = twoWays()
        scene.at(0, .defectAppeared(.jammedBolt(.entry)))
        scene.at(100, drive(.lockEntry, true), drive(.lockExit, true))
        scene.at(1_000)
        #expect(scene.world.boltIsOut(.entry))
        #expect(!scene.world.boltIsOut(.exit))
        scene.at(1_000, .defectRepaired(.jammedBolt(.entry)))
        scene.at(1_030)
        #expect(!scene.world.boltIsOut(.entry))
    }

    @Test(arguments: PowerLoss.allCases)
    func `a holding coil keeps what was pulled, and pulls nothing itself`(lock: PowerLoss) {
        var scene = Scene(lock: lock, outputs: [.lockEntryHold])
        let atRest = scene.world.boltIsOut
        scene.at(0, drive(.lockEntryHold, true))
        scene.at(1_000)
        #expect(scene.world.boltIsOut == atRest, "it is too weak")
        scene.at(1_000, drive(.lockEntry, true))
        scene.at(1_150, drive(.lockEntry, false))
        scene.at(5_000)
        #expect(scene.world.boltIsOut != atRest, "it holds")
        scene.at(5_000, drive(.lockEntryHold, false))
        scene.at(5_030)
        #expect(scene.world.boltIsOut == atRest)
    }

    @Test func `a pull that is too short moves nothing`() {
        var scene = Scene(outputs: [.lockEntryHold])
        scene.at(0, drive(.lockEntryHold, true), drive(.lockEntry, true))
        scene.at(20, drive(.lockEntry, false))
        scene.at(1_000)
        #expect(scene.world.boltIsOut)
    }

    // MARK: The arm that drops

    @Test func `a dropped arm leaves the way free until somebody raises it`() {
        var scene = Scene(inputs: [.home], outputs: [.dropArm])
        #expect(!scene.world.armIsUp, "there is no power yet")
        scene.at(0, drive(.dropArm, true), .armRaised)
        #expect(scene.world.armIsUp)
        scene.at(100, .armPushed(.entry))
        scene.at(1_500)
        #expect(scene.world.passages(.entry) == 0)
        scene.at(1_500, drive(.dropArm, false))
        scene.at(1_799)
        #expect(scene.world.armIsUp)
        scene.at(1_800, .armPushed(.entry), .armPushed(.exit), .armPushed(.exit))
        #expect(!scene.world.armIsUp)
        #expect(scene.world.passagesUnseen(.entry) == 1)
        #expect(scene.world.passagesUnseen(.exit) == 2)
        scene.at(2_000, .armRaised)
        #expect(!scene.world.armIsUp, "nothing holds it")
        scene.at(3_000, drive(.dropArm, true))
        scene.at(4_000, .armRaised)
        #expect(
            scene.edges(of: .home).map { $0.time.nanoseconds / 1_000_000 } == [0, 1_800, 4_000])
    }

    @Test func `an arm that drops on command stays up without power`() {
        var scene = Scene(outputs: [.dropArm]) { $0.dropArm = .failSecure }
        #expect(scene.world.armIsUp)
        scene.at(0, drive(.dropArm, true))
        scene.at(300)
        #expect(!scene.world.armIsUp)
    }

    @Test func `beams see whoever goes past a dropped arm`() {
        var scene = Scene(inputs: [.beamA, .beamB], outputs: [.dropArm])
        scene.at(0, .armPushed(.exit))
        scene.at(2_000)
        #expect(scene.world.passages(.exit) == 1)
        #expect(scene.world.passagesUnseen(.exit) == 0)
    }

    // MARK: Counters

    @Test func `counters count the pulses that they get`() {
        var scene = Scene(outputs: [.countPulse, .coinMeter])
        for _ in 1...3 {
            scene.at(0, drive(.countPulse, true), drive(.countPulse, true))
            scene.at(0, drive(.countPulse, false))
        }
        scene.at(0, drive(.coinMeter, true))
        #expect(scene.world.countPulses == 3)
        #expect(scene.world.meterPulses == 1)
    }

    @Test func `a vault that is wired is in its place at first`() {
        let scene = Scene(inputs: [.vaultPresent, .vaultDoor, .cabinetTamper])
        #expect(scene.world.levels == InputLevels(.vaultPresent))
    }
}
