import Hardware
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// The laws of contacts, and of what may break.
@Suite struct ContactTests {
    @Test(arguments: 1...50)
    func `a contact bounces within its time and comes to rest where it was moved`(seed: UInt64) {
        var scene = Scene(seed: seed, exact: false)
        scene.at(10, .contactMoved(.fire, isActive: true))
        scene.at(20, .contactMoved(.fire, isActive: false))
        scene.at(30)
        let edges = scene.edges(of: .fire)
        #expect(scene.world.levels == [])
        #expect(edges.count >= 2 && edges.count <= 2 + 2 * 2 * 3)
        for (number, edge) in edges.enumerated() {
            #expect(edge.isActive == number.isMultiple(of: 2), "levels alternate")
            let moved = Instant.milliseconds(edge.time < .milliseconds(20) ? 10 : 20)
            #expect(edge.time - moved <= .milliseconds(2))
        }
    }

    @Test func `some contacts bounce and some do not`() {
        let counts = (1...50).map { (seed: UInt64) in
            var scene = Scene(seed: seed, exact: false)
            scene.at(0, .contactMoved(.fire, isActive: true))
            scene.at(10)
            return scene.reports.count
        }
        #expect(Set(counts) == [1, 3, 5, 7])
    }

    @Test func `a key is turned for a while`() {
        var scene = Scene()
        scene.at(100, .contactPressed(.serviceKey, for: .milliseconds(200)))
        scene.at(500)
        #expect(scene.diagram(.serviceKey, every: 50) == "__####____")
    }

    @Test func `a contact that is moved to where it is says nothing`() {
        var scene = Scene(exact: false)
        scene.at(0, .contactMoved(.fire, isActive: false))
        scene.at(10)
        #expect(scene.reports == [])
    }

    @Test func `a broken wire opens the emergency loop`() {
        var scene = Scene()
        scene.at(0, .defectAppeared(.brokenWire(.fire)))
        #expect(scene.reports == [.edge(.fire, isActive: true, at: .zero)])
        scene.at(10, .contactMoved(.fire, isActive: true), .contactMoved(.fire, isActive: false))
        scene.at(20, .defectRepaired(.brokenWire(.fire)))
        #expect(scene.reports.last == .edge(.fire, isActive: false, at: .milliseconds(20)))
        #expect(scene.reports.count == 2)
    }

    @Test func `a rotor sensor without its wire is dead`() {
        var scene = Scene(lock: .failSafe)
        scene.at(0, .defectAppeared(.brokenWire(.rotorA)), .armPushed(.entry))
        scene.at(2_000)
        #expect(scene.edges(of: .rotorA).isEmpty)
        #expect(scene.edges(of: .rotorB).map(\.isActive) == [true, false])
        #expect(scene.world.passages(.entry) == 1)
    }

    @Test func `a stuck coin line hides the pulses`() {
        var scene = Scene()
        scene.at(
            0, .outputDriven(.coinEnable, energised: true), .coinInserted(value: 100),
            .defectAppeared(.stuckActive(.coinPulse)))
        scene.at(2_000, .everythingRepaired)
        #expect(
            scene.reports == [
                .edge(.coinPulse, isActive: true, at: .zero),
                .edge(.coinPulse, isActive: false, at: .milliseconds(2_000)),
            ])
        #expect(scene.world.valueInBox == 100)
    }

    @Test func `an unreadable line reports its present level once it is repaired`() {
        var scene = Scene()
        scene.at(0, .defectAppeared(.unreadable(.externalFault)))
        scene.at(10, .contactMoved(.externalFault, isActive: true))
        #expect(scene.reports == [])
        scene.at(20, .defectRepaired(.unreadable(.externalFault)))
        #expect(
            scene.reports == [.edge(.externalFault, isActive: true, at: .milliseconds(20))])
    }

    @Test func `an output that does not follow stays as it is, and so does the lock`() {
        var scene = Scene()
        scene.at(0, .outputDriven(.lockEntry, energised: true))
        scene.at(100, .defectAppeared(.stuckOutput(.lockEntry)))
        scene.at(200, .outputDriven(.lockEntry, energised: false))
        scene.at(300)
        #expect(scene.world.energised == OutputSet(.lockEntry))
        #expect(!scene.world.boltIsOut)
    }

    @Test func `a full queue loses edges and says how many`() {
        var scene = Scene(lock: .failSafe)
        scene.at(0, .queueOverflowed(edges: 3), .armPushed(.entry, degreesPerSecond: 100))
        scene.at(2_000)
        #expect(
            scene.reports == [
                .lost(count: 3, at: .milliseconds(650)),
                .edge(.rotorB, isActive: false, at: .milliseconds(1_000)),
            ])
    }

    @Test func `a missed edge skips a state of the rotor, and nobody says so`() {
        var scene = Scene(lock: .failSafe)
        scene.at(0, .edgeMissed(.rotorB), .armPushed(.entry, degreesPerSecond: 100))
        scene.at(2_000)
        #expect(
            scene.reports == [
                .edge(.rotorA, isActive: true, at: .milliseconds(200)),
                .edge(.rotorA, isActive: false, at: .milliseconds(650)),
                .edge(.rotorB, isActive: false, at: .milliseconds(1_000)),
            ])
    }
}
