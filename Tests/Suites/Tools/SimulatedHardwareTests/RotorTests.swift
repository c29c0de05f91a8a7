import Hardware
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// The laws of rotor and lock. A column is 50 ms; at 100°/s a passage takes 1.2 s.
@Suite struct RotorTests {
    private let released = World.Event.outputDriven(.lockEntry, energised: true)
    private let locked = World.Event.outputDriven(.lockEntry, energised: false)
    private let in100 = World.Event.armPushed(.entry, degreesPerSecond: 100)

    @Test(arguments: [(Direction.entry, Input.rotorA, Input.rotorB), (.exit, .rotorB, .rotorA)])
    func `a person on the way in moves sensor A first, and B on the way out`(
        direction: Direction, first: Input, second: Input
    ) {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, .armPushed(direction, degreesPerSecond: 100))
        scene.at(1400)
        #expect(
            scene.diagram(first, second, every: 50) == """
                _____#########______________
                ____________#########_______
                """)
        #expect(scene.world.passages(.entry) == (direction == .entry ? 1 : 0))
        #expect(scene.world.passages(.exit) == (direction == .exit ? 1 : 0))
    }

    @Test(arguments: 1_150...1_250)
    func `whoever is through as the bolt moves is`(lockedAt: Int) {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(lockedAt, locked)
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 1)
    }

    @Test(arguments: [Direction.entry, .exit])
    func `a locked rotor gives way a little and no sensor sees it`(direction: Direction) {
        var scene = Scene()
        scene.at(0, .armPushed(direction))
        scene.at(500)
        #expect(abs(scene.world.rotorDegrees) == 4)
        scene.at(5_000)
        #expect(scene.world.rotorDegrees == 0, "whoever leaned on it has given up")
        #expect(scene.reports == [])
        #expect(scene.world.passages(direction) == 0)
    }

    @Test func `whoever leans on the arm passes when the bolt has moved`() {
        var scene = Scene()
        scene.at(0, in100)
        scene.at(500, released)
        scene.at(529)
        #expect(scene.world.boltIsOut)
        scene.at(530)
        #expect(!scene.world.boltIsOut)
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 1)
    }

    @Test
    func `a bolt that comes out in mid-turn lets the rotation finish and catches the next arm`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(700, locked)
        scene.at(1_300, in100)
        scene.at(4_000)
        #expect(scene.world.passages(.entry) == 1)
        #expect(scene.edges(of: .rotorA).count == 2)
    }

    @Test func `an arm let go before the middle comes back`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(450, .armLetGo)
        scene.at(1_000)
        #expect(
            scene.diagram(.rotorA, .rotorB, every: 50) == """
                _____#######________
                ____________________
                """)
        #expect(scene.world.rotorDegrees == 0)
        #expect(scene.world.passages(.entry) == 0)
    }

    @Test func `an arm let go past the middle goes on to its rest`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(750, .armLetGo)
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 1)
    }

    @Test func `a person who steps back turns the sensors back`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(950, .steppedBack(degreesPerSecond: 100))
        scene.at(2_000)
        #expect(
            scene.diagram(.rotorA, .rotorB, every: 50) == """
                _____#########___________#########______
                ____________###############_____________
                """)
        #expect(scene.world.rotorDegrees == 0)
        #expect(scene.world.passages(.entry) == 0)
        #expect(scene.world.passages(.exit) == 0)
    }

    @Test func `past the last sensor nobody can turn the arm back`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(1_100, .steppedBack())
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 1)
        #expect(scene.edges(of: .rotorB).count == 2)
    }

    @Test func `past the last sensor not even force turns the arm back`() {
        var scene = Scene()
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(1_100, .armForced(.exit))
        scene.at(2_000)
        #expect(scene.world.passages(.entry) == 1)
        #expect(scene.world.passages(.exit) == 0)
    }

    @Test func `force breaks through the bolt, which catches the next arm`() {
        var scene = Scene()
        scene.at(0, .armForced(.exit, degreesPerSecond: 200))
        scene.at(1_000, .armPushed(.exit))
        scene.at(5_000)
        #expect(scene.world.passages(.exit) == 1)
        #expect(scene.edges(of: .rotorB).map(\.isActive) == [true, false])
    }

    @Test(arguments: [PowerLoss.failSafe, .failSecure])
    func `without power a fail-safe lock opens and a fail-secure one stays shut`(lock: PowerLoss) {
        for energised in [false, true] {
            var scene = Scene(lock: lock)
            scene.at(0, .outputDriven(.lockEntry, energised: energised))
            scene.at(100, .armPushed(.entry))
            scene.at(5_000)
            let opens = lock == .failSafe ? !energised : energised
            #expect(scene.world.passages(.entry) == (opens ? 1 : 0))
        }
    }

    @Test func `a bolt that is called back before it arrives has not moved`() {
        var scene = Scene()
        scene.at(0, in100, released)
        scene.at(20, locked)
        scene.at(5_000)
        #expect(scene.world.passages(.entry) == 0)
    }

    // MARK: What else people do

    @Test func `whoever squeezes in is faster than the bolt`() {
        var scene = Scene()
        scene.at(0, released, in100)
        scene.at(700, locked, .tailgated(.entry))
        scene.at(4_000)
        #expect(scene.world.passages(.entry) == 2)
        #expect(scene.world.boltIsOut)
    }

    @Test func `whoever squeezes in behind nobody is held`() {
        var scene = Scene()
        scene.at(0, .tailgated(.entry))
        scene.at(4_000)
        #expect(scene.world.passages(.entry) == 0)
    }

    @Test func `nobody squeezes in behind somebody who turns back`() {
        var scene = Scene()
        scene.at(0, released, in100)
        scene.at(400, .tailgated(.entry), .steppedBack())
        scene.at(4_000)
        #expect(scene.world.passages(.entry) == 0)
    }

    @Test func `whoever stands still stays where they are`() {
        var scene = Scene()
        scene.at(0, released, in100)
        scene.at(400, .stoodStill)
        scene.at(60_000)
        #expect(scene.world.rotorDegrees == 40)
        scene.at(60_000, in100)
        scene.at(62_000)
        #expect(scene.world.passages(.entry) == 1)
    }

    @Test func `the arm is home up to ten degrees, and a locked one at all times`() {
        var scene = Scene(inputs: [.home])
        #expect(scene.world.levels == InputLevels(.home))
        scene.at(0, in100)
        scene.at(3_000)
        #expect(scene.reports == [])
        scene.at(3_000, released)
        scene.at(3_100, in100)
        scene.at(3_500, .armLetGo)
        scene.at(5_000, in100)
        scene.at(8_000)
        #expect(
            scene.edges(of: .home).map { $0.time.nanoseconds / 1_000_000 } == [
                3_200, 3_666, 5_100, 6_200,
            ])
        #expect(scene.edges(of: .home).map(\.isActive) == [false, true, false, true])
    }

    @Test func `a bent arm does not come home`() {
        var scene = Scene(inputs: [.home])
        scene.at(0, .defectAppeared(.bentArm))
        scene.at(10, .defectRepaired(.bentArm))
        #expect(scene.edges(of: .home).map(\.isActive) == [false, true])
    }

    // MARK: Light beams

    @Test func `light beams see what rotor sensors would`() {
        var scene = Scene { physics in
            physics.equipment.inputs.subtract(InputLevels([.rotorA, .rotorB]))
            physics.equipment.inputs.formUnion(InputLevels([.beamA, .beamB]))
        }
        scene.at(0, released)
        scene.at(50, in100)
        scene.at(400, .stoodStill)
        scene.at(900, in100)
        scene.at(2_000)
        #expect(
            scene.diagram(.beamA, .beamB, every: 50) == """
                _____###################________________
                ______________________#########_________
                """)
        #expect(scene.edges(of: .rotorA).isEmpty)
        #expect(scene.world.passages(.entry) == 1)
    }
}
