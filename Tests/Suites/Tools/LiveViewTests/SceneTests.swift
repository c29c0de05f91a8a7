import Console
import StateMachines
import Testing

@testable import LiveView
@testable import Turnstile

/// What the drawing shows of a gate, by what is known.
@Suite struct SceneTests {
    private static let full = Equipment(
        inputs: [.rotorA, .rotorB, .home, .coinPulse, .lockFeedback],
        outputs: [.lockEntry, .lockExit, .dropArm, .coinEnable, .coinReject])

    private func scene(
        _ levels: [Input] = [.home], _ equipment: Equipment = full, on: OutputSet = [],
        passing: Direction? = nil, last: LastCoin? = nil,
        _ change: (inout StatusReport) -> Void = { _ in }
    ) -> GateScene {
        var model = ViewModel.locked
        model.report = .resting(equipment, on: on)
        model.levels = InputLevels(levels)
        switch passing {
        case .entry: model.report.entry.isPassing = true
        case .exit: model.report.exit.isPassing = true
        case nil: break
        }
        change(&model.report)
        return GateScene(model, last)
    }

    @Test(arguments: [
        ([Input.home], GateScene.Arm.atRest, GateScene.Place?.none),
        ([.rotorA], .aThird, .outside), ([.rotorA, .rotorB], .half, .middle),
        ([.rotorB], .twoThirds, .inside), ([], .unknown, nil),
    ])
    func `the sensors tell where the arm stands and somebody is`(
        levels: [Input], arm: GateScene.Arm, person: GateScene.Place?
    ) {
        #expect(scene(levels).arm == arm)
        #expect(scene(levels).person == person)
    }

    @Test func `whoever is past both sensors is seen nowhere until the arm is home`() {
        #expect(scene([], passing: .entry).person == .inside)
        #expect(scene([], passing: .exit).person == .outside)
        #expect(scene([.home], passing: .entry).person == nil)
    }

    @Test func `without a home contact nobody knows when the arm is round`() {
        let blind = Equipment(inputs: [.rotorA, .rotorB], outputs: [.lockEntry])
        #expect(scene([], blind).arm == .atRest)
        #expect(scene([], blind, passing: .entry).arm == .unknown)
        #expect(scene([], blind, passing: .entry).person == nil)
    }

    @Test func `without a sensor nothing is known of the arm`() {
        let bare = Equipment(inputs: [.coinPulse], outputs: [.lockEntry, .dropArm])
        #expect(scene([], bare).arm == .unknown)
        let beams = Equipment(inputs: [.beamA, .beamB], outputs: [.lockEntry])
        #expect(scene([.beamA], beams).arm == .none)
        #expect(scene([.beamA], beams).person == .outside)
    }

    @Test func `an arm that was let drop is down`() {
        #expect(scene([], on: OutputSet(.dropArm)).arm == .dropped)
    }

    @Test func `a bolt is where its contact says, else where it was driven`() {
        let bolts = scene([.home, .lockFeedback], on: OutputSet(.lockExit)).bolts
        #expect(bolts.map(\.isOut) == [false, false])
        #expect(scene([.home]).bolts.map(\.isOut) == [true, true])
    }

    @Test func `a bolt is doubted where its lock does not respond, or is not driven`() {
        let lost = scene {
            $0.faults = [.init(value: .lockNotResponding(.exit), since: nil, end: .cause)]
        }
        #expect(lost.bolts.map(\.isDoubtful) == [false, true])
        let cut = Fault.energisedTooLong(.lockEntry)
        let driven = scene { $0.outputs = [.init(output: .lockEntry, isOn: false, fault: cut)] }
        #expect(driven.bolts.map(\.isDoubtful) == [true, false])
    }

    @Test func `the ways that are open are those that the gate says`() {
        #expect(scene().released == [])
        #expect(scene { $0.exit.isReleased = true }.released == [.exit])
        #expect(scene { $0.entry.isReleased = true }.released == [.entry])
    }

    @Test func `a slot that nothing opens takes coins unless they are refused`() {
        let simple = Equipment(inputs: [.coinPulse], outputs: [.lockEntry])
        #expect(scene([], simple) { $0.coinRefusal = nil }.takesCoins)
        #expect(!scene([], simple) { $0.coinRefusal = .storeFull }.takesCoins)
    }

    @Test func `a coin falls while it is counted, and is then where it was told to be`() {
        let coin = LastCoin(value: 50, fate: .accepted)
        #expect(scene().coin == .none)
        #expect(scene([.home, .coinPulse], last: coin).coin == .falling)
        let counted = scene { $0.due = [.init(time: .zero, reason: .coinCounted)] }
        #expect(counted.coin == .falling, "between two pulses")
        #expect(scene(last: coin).coin == .inBox)
        #expect(scene(last: LastCoin(value: 50, fate: .late)).coin == .inBox)
        #expect(scene(last: LastCoin(value: 50, fate: .rejected)).coin == .returning)
        #expect(scene(last: LastCoin(value: 50, fate: .inhibited)).coin == .none)
        #expect(scene(on: OutputSet(.coinReject), last: coin).coin == .returning)
        #expect(scene(on: OutputSet(.coinEnable)).takesCoins && !scene().takesCoins)
    }

    @Test(arguments: [true, false]) func `each scene has a drawing of its own`(isUnicode: Bool) {
        let appearance = Appearance(isColoured: false, isUnicode: isUnicode)
        let scenes = [
            scene(), scene([.rotorA]), scene([.rotorA, .rotorB]), scene([.rotorB]), scene([]),
            scene(on: OutputSet(.dropArm)), scene([.rotorA], passing: .entry),
            scene([.rotorA], passing: .exit), scene(on: OutputSet(.lockExit)),
            scene([.home, .lockFeedback]), scene(on: OutputSet(.coinEnable)),
            scene([.home, .coinPulse]), scene(last: LastCoin(value: 5, fate: .accepted)),
            scene(on: OutputSet(.coinReject)),
        ]
        let drawings = scenes.map { scene in
            GatePicture(scene, caption: "", appearance).lines.map { $0.map(\.text).joined() }
        }
        #expect(Set(drawings).count == scenes.count)
        for lines in drawings {
            #expect(lines.count == GatePicture.rows)
            #expect(lines.allSatisfy { $0.count == GatePicture.columns })
            #expect(isUnicode || lines.allSatisfy { $0.allSatisfy(\.isASCII) })
        }
    }

    private func drawing(_ scene: GateScene) -> [String] {
        let appearance = Appearance(isColoured: false, isUnicode: false)
        return GatePicture(scene, caption: "in words", appearance).lines
            .map { appearance.text(of: $0.trimmed) }
    }

    @Test func `an open way has its arrow at the side that people come from`() {
        let scene = scene([.home], on: OutputSet([.lockExit, .coinEnable])) {
            $0.exit.isReleased = true
        }
        #expect(
            drawing(scene) == [
                "               |",
                "|   |          |    <--",
                "|   |          |",
                "+---+==========+=========",
                "        in  [#>+ <#] out",
                "in words",
            ])
    }

    @Test func `whoever passes has the arrow of their way before them`() {
        var entering = scene([.rotorA, .rotorB], passing: .entry)
        entering.bolts = [.init(direction: .entry, isOut: false, isDoubtful: true)]
        #expect(
            drawing(entering) == [
                "               o",
                "+---+         /|\\ >",
                "|   |         / \\",
                "+---+======----+----=====",
                "     bolt? [#> +",
                "in words",
            ])
        let leaving = drawing(scene([.rotorB], passing: .exit))
        #expect(leaving[0] == "            \\        o")
        #expect(leaving[1] == "+---+        \\    < /|\\")
    }
}
