import StateMachines
import Testing
import Turnstile

/// Walks of the rotor: each digit is a sensor state, in the order in which a passage in shows
/// them: 0 neither, 1 A, 2 both, 3 B. `x` before a digit marks lost edges.
@Suite struct RotorDecoderTests {
    typealias Sensors = RotorDecoder.Sensors

    private func walk(_ states: String) -> [RotorDecoder.Command] {
        let shown: [Character: Sensors] = [
            "0": .home, "1": Sensors(a: true, b: false), "2": Sensors(a: true, b: true),
            "3": Sensors(a: false, b: true),
        ]
        var decoder = RotorDecoder()
        var said: [RotorDecoder.Command] = []
        var isLost = false
        for state in states {
            guard let sensors = shown[state] else {
                isLost = true
                continue
            }
            said += decoder.handle(isLost ? .edgesLost(sensors) : .changed(sensors)).commands
            isLost = false
        }
        return said
    }

    @Test(
        arguments: [
            ("1230", [.begin(.entry), .reachMiddle(.entry), .complete(.entry)]),
            ("3210", [.begin(.exit), .reachMiddle(.exit), .complete(.exit)]),
            // Back-outs, from each quarter.
            ("10", [.begin(.entry), .backOut(.entry)]),
            (
                "1210",
                [.begin(.entry), .reachMiddle(.entry), .leaveMiddle(.entry), .backOut(.entry)]
            ),
            (
                "123210",
                [.begin(.entry), .reachMiddle(.entry), .leaveMiddle(.entry), .backOut(.entry)]
            ),
            ("30", [.begin(.exit), .backOut(.exit)]),
            // Hesitation at the middle says so each time.
            (
                "121230",
                [
                    .begin(.entry), .reachMiddle(.entry), .leaveMiddle(.entry),
                    .reachMiddle(.entry), .complete(.entry),
                ]
            ),
            // Two people, one after the other.
            (
                "12301230",
                [
                    .begin(.entry), .reachMiddle(.entry), .complete(.entry), .begin(.entry),
                    .reachMiddle(.entry), .complete(.entry),
                ]
            ),
        ] as [(String, [RotorDecoder.Command])])
    func `follows a passage`(states: String, said: [RotorDecoder.Command]) {
        #expect(walk(states) == said)
    }

    @Test(
        arguments: [
            ("2", [.reportIllegalTransition]),
            ("20", [.reportIllegalTransition, .findHome]),
            ("13", [.begin(.entry), .reportIllegalTransition]),
            ("130", [.begin(.entry), .reportIllegalTransition, .findHome]),
            ("1320", [.begin(.entry), .reportIllegalTransition, .findHome]),
        ] as [(String, [RotorDecoder.Command])])
    func `a skipped state is a fault, and home ends it`(
        states: String, said: [RotorDecoder.Command]
    ) {
        #expect(walk(states) == said)
    }

    @Test(
        arguments: [
            ("1x2", [.begin(.entry), .loseTrack]),
            ("1x230", [.begin(.entry), .loseTrack, .findHome]),
            ("1x0", [.begin(.entry), .findHome]),
            ("x0", []),
        ] as [(String, [RotorDecoder.Command])])
    func `lost edges are no guess`(states: String, said: [RotorDecoder.Command]) {
        #expect(walk(states) == said)
    }

    @Test func `a rotor that is not home at the start is lost until it is`() {
        var decoder = RotorDecoder(sensors: Sensors(a: true, b: false))
        #expect(decoder.state == .lost)
        #expect(decoder.handle(.changed(.home)) == .handled(.findHome))
    }

    /// The oracle: of all walks of seven steps between neighbouring states, those that come home
    /// complete exactly when they went all the way round.
    @Test func `agrees with counting quarters, on all walks of seven steps`() {
        var completed = 0
        for walk in 0..<(1 << 7) {
            var decoder = RotorDecoder()
            var quarters = 0
            for step in 0..<7 {
                quarters += walk >> step & 1 == 0 ? 1 : -1
                let state = ((quarters % 4) + 4) % 4
                let shown = Sensors(a: state == 1 || state == 2, b: state == 2 || state == 3)
                let said = Array(decoder.handle(.changed(shown)).commands)
                switch quarters {
                case 4:
                    #expect(said == [.complete(.entry)])
                    quarters = 0
                    completed += 1
                case -4:
                    #expect(said == [.complete(.exit)])
                    quarters = 0
                    completed += 1
                case 0: #expect(said == [.backOut(.entry)] || said == [.backOut(.exit)])
                default: #expect(!said.contains(.complete(.entry)))
                }
            }
        }
        #expect(completed > 0)
    }
}
