import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// The laws of the coin acceptor. A coin falls for 150 ms to the gate, and its pulses, 50 ms wide
/// and 100 ms apart, begin 100 ms behind it. A column is 50 ms.
@Suite struct AcceptorTests {
    private let accept = World.Event.outputDriven(.coinEnable, energised: true)
    private let inhibit = World.Event.outputDriven(.coinEnable, energised: false)

    @Test func `a coin becomes one pulse for each unit of its value`() {
        var scene = Scene()
        scene.at(0, accept, .coinInserted(value: 150))
        scene.at(850)
        #expect(scene.diagram(.coinPulse, every: 50) == "_____#__#__#_____")
        #expect(scene.world.valueInBox == 150)
    }

    @Test func `two coins in a row make one train without a break`() {
        var scene = Scene()
        scene.at(0, accept, .coinInserted(value: 100))
        scene.at(50, .coinInserted(value: 100))
        scene.at(1_000)
        #expect(scene.diagram(.coinPulse, every: 50) == "_____#__#__#__#_____")
    }

    @Test func `coins come back while no current says that they are welcome`() {
        var scene = Scene()
        scene.at(0, .coinInserted(value: 100))
        scene.at(1_000)
        #expect(scene.reports == [])
        #expect(scene.world.valueReturned == 100)
        #expect(scene.world.valueInBox == 0)
    }

    @Test(arguments: [(149, 0), (151, 100)])
    func `a coin past the gate pays even if coins are inhibited after`(
        inhibitedAt: Int, valueInBox: Int
    ) {
        var scene = Scene()
        scene.at(0, accept, .coinInserted(value: 100))
        scene.at(inhibitedAt, inhibit)
        scene.at(1_000)
        #expect(scene.world.valueInBox == valueInBox)
        #expect(scene.world.valueInBox + scene.world.valueReturned == 100)
        #expect(scene.edges(of: .coinPulse).count == 2 * valueInBox / 50)
    }

    @Test(arguments: [0, 49, 51, 75]) func `an unknown coin comes back`(value: Int) {
        var scene = Scene()
        scene.at(0, accept, .coinInserted(value: value))
        scene.at(1_000)
        #expect(scene.reports == [])
        #expect(scene.world.valueReturned == value)
    }

    @Test func `widths and gaps stray from their nominal value within the jitter`() {
        var scene = Scene(exact: false)
        scene.at(0, accept, .coinInserted(value: 50 * 500))
        scene.at(100_000)
        let edges = scene.edges(of: .coinPulse)
        #expect(edges.count == 1_000)
        let spans = zip(edges, edges.dropFirst()).map { ($0.isActive, $1.time - $0.time) }
        let widths = Set(spans.filter(\.0).map(\.1))
        let gaps = Set(spans.filter { !$0.0 }.map(\.1))
        #expect(widths.count > 400 && gaps.count > 400, "every pulse is different")
        #expect(widths.allSatisfy { (.milliseconds(45) ... .milliseconds(55)).contains($0) })
        #expect(gaps.allSatisfy { (.milliseconds(90) ... .milliseconds(110)).contains($0) })
    }

    // MARK: Several acceptors, and what people do to them

    @Test func `each acceptor has its own line, coins and width, and one line inhibits all`() {
        var scene = Scene(inputs: [.coinPulse2, .coinPulse3]) { physics in
            physics.coins[.second].values = .exact([1: 100, 3: 500])
            physics.coins[.second].pulseWidth = .milliseconds(100)
        }
        scene.at(
            0, accept, .coinInserted(value: 100), .coinInserted(value: 500, into: .second),
            .coinInserted(value: 50, into: .third))
        scene.at(1_000)
        #expect(
            scene.diagram(.coinPulse, .coinPulse2, .coinPulse3, every: 50) == """
                _____#__#___________
                _____##__##__##_____
                _____#______________
                """)
        scene.at(
            1_000, inhibit, .coinInserted(value: 50), .coinInserted(value: 500, into: .second))
        scene.at(2_000)
        #expect(scene.world.valueInBox == 650)
        #expect(scene.world.valueReturned == 550)
    }

    @Test func `a coin that no table knows comes back`() {
        var scene = Scene { $0.coins[.first].values = .exact([2: 100]) }
        scene.at(0, accept, .coinInserted(value: 50), .coinInserted(value: 200))
        scene.at(2_000)
        #expect(scene.reports == [])
        #expect(scene.world.valueReturned == 250)
    }

    @Test func `a slot that is not there takes no coin`() {
        var scene = Scene()
        let before = scene.world
        scene.at(0, .coinInserted(value: 50, into: .second), .acceptorStruck(.third))
        #expect(scene.world == before)
    }

    @Test func `a coin on a string makes pulses and leaves nothing in the box`() {
        var scene = Scene()
        scene.at(0, .coinFished(pulses: 2))
        scene.at(400)
        #expect(scene.diagram(.coinPulse, every: 50) == "#__#____")
        #expect(scene.world.valueInBox == 0)
    }

    @Test func `a blow lets a coin past the gate that refuses it`() {
        var scene = Scene()
        scene.at(0, .coinInserted(value: 50))
        scene.at(50, .acceptorStruck())
        scene.at(400)
        #expect(scene.diagram(.coinPulse, every: 50) == "___#____")
        #expect(scene.world.valueInBox == 50)
    }

    @Test(arguments: [(false, 100, 0), (true, 0, 100)])
    func `what came while coins are refused can be ejected, until they are taken again`(
        isRefused: Bool, valueInBox: Int, valueEjected: Int
    ) {
        var scene = Scene(outputs: [.coinReject])
        scene.at(0, accept, .coinInserted(value: 100))
        scene.at(200, inhibit)
        scene.at(1_000)
        if !isRefused { scene.at(1_000, accept, inhibit) }
        scene.at(1_000, .outputDriven(.coinReject, energised: true))
        #expect(scene.world.valueInBox == valueInBox)
        #expect(scene.world.valueEjected == valueEjected)
        #expect(scene.world.valueReturned == 0)
    }

    @Test func `a jammed acceptor gives coins back and says so`() {
        var scene = Scene(inputs: [.coinJam])
        scene.at(0, accept, .defectAppeared(.jammedAcceptor(.first)), .coinInserted(value: 50))
        scene.at(1_000, .everythingRepaired)
        #expect(scene.edges(of: .coinJam).map(\.isActive) == [true, false])
        #expect(scene.world.valueReturned == 50)
    }
}
