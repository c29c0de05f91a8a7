import StateMachines
import Testing
import Turnstile

/// Timelines of the coin line: `#` is 10 ms active, `.` is 10 ms inactive, `x` marks lost edges
/// after which the line is inactive.
@Suite struct CoinDecoderTests {
    private static let policy = Policy(price: 250, coinUnit: 50)

    /// Plays a timeline and lists what was said, with the milliseconds at which it was said.
    private func play(_ timeline: String) -> [String] {
        var decoder = CoinDecoder(policy: Self.policy)
        var said: [String] = []
        var wasActive = false
        func note(_ outcome: Outcome<CoinDecoder.Command>, at time: Instant) {
            for command in outcome.commands {
                said.append("\(time.nanoseconds / 1_000_000) \(command)")
            }
        }
        for (index, mark) in timeline.enumerated() {
            let now = Instant.zero + .milliseconds(10 * index)
            while let due = decoder.deadline, due <= now {
                note(decoder.handle(.timePassed(due)), at: due)
            }
            if mark == "x" {
                note(decoder.handle(.edgesLost(isActive: false, at: now)), at: now)
                wasActive = false
            } else if (mark == "#") != wasActive {
                wasActive.toggle()
                note(decoder.handle(.changed(isActive: wasActive, at: now)), at: now)
            }
        }
        return said
    }

    private static let quiet = String(repeating: ".", count: 25)
    private static let gap = String(repeating: ".", count: 10)

    @Test(arguments: [
        ("#####" + quiet, ["250 credit(pulses: 1)"]),
        ("#####" + gap + "#####" + quiet, ["400 credit(pulses: 2)"]),
        // Two coins that run into one another are worth what both are worth.
        ("#####" + gap + "#####" + gap + "#####" + quiet, ["550 credit(pulses: 3)"]),
        // A train that stays quiet for long enough is two.
        ("#####" + quiet + "#####" + quiet, ["250 credit(pulses: 1)", "550 credit(pulses: 1)"]),
        // Half and double of the nominal width are the last that count.
        ("###" + quiet, ["230 credit(pulses: 1)"]),
        ("##########" + quiet, ["300 credit(pulses: 1)"]),
    ])
    func `counts the pulses of a train`(timeline: String, said: [String]) {
        #expect(play(timeline) == said)
    }

    @Test(arguments: [
        ("#" + quiet, ["10 reportNoise(width: 0.01 seconds)"]),
        ("##" + quiet, ["20 reportNoise(width: 0.02 seconds)"]),
        ("###########" + quiet, ["110 reportNoise(width: 0.11 seconds)"]),
        // Noise within a train costs none of its pulses.
        (
            "#####" + gap + "#" + gap + "#####" + quiet,
            ["160 reportNoise(width: 0.01 seconds)", "510 credit(pulses: 2)"]
        ),
    ])
    func `reports noise and does not count it`(timeline: String, said: [String]) {
        #expect(play(timeline) == said)
    }

    @Test func `a line that stays active is stuck, and what was counted is credited`() {
        let stuck = String(repeating: "#", count: 110)
        #expect(
            play("#####" + Self.gap + stuck + Self.quiet)
                == ["1150 credit(pulses: 1)", "1150 reportStuck", "1250 reportReleased"])
    }

    @Test func `edges that are lost cost nothing that was counted`() {
        #expect(play("#####.#####.x" + Self.quiet) == ["120 credit(pulses: 2)"])
        #expect(play("#####..x" + Self.quiet) == ["70 credit(pulses: 1)"])
        // Nobody knows how wide the pulse was whose end is missing.
        #expect(play("#####.#####x" + Self.quiet) == ["110 credit(pulses: 1)"])
        #expect(play("....x" + Self.quiet) == [])
    }

    @Test func `says that it is counting from the first edge to the end of the train`() {
        var decoder = CoinDecoder(policy: Self.policy)
        #expect(!decoder.isCounting)
        _ = decoder.handle(.changed(isActive: true, at: .zero))
        #expect(decoder.isCounting)
        _ = decoder.handle(.changed(isActive: false, at: .zero + .milliseconds(50)))
        #expect(decoder.isCounting)
        _ = decoder.handle(.timePassed(.zero + .milliseconds(250)))
        #expect(!decoder.isCounting)
    }

    @Test func `ignores an edge to the level that the line has`() {
        var decoder = CoinDecoder(policy: Self.policy)
        let before = decoder
        #expect(
            decoder.handle(.changed(isActive: false, at: .zero))
                == .ignored("the coin line was inactive already"))
        #expect(decoder == before)
    }
}
