import Exploration
import StateMachines
import Testing

@testable import Turnstile

/// Timelines of the coin line, 10 ms a mark: `#` active while coins are taken, `&` while somebody
/// may come in already, `%` while coins are refused, `.` inactive, `x` edges lost after which the
/// line is inactive, `X` edges lost after which it is active.
@Suite struct CoinDecoderTests {
    private static let policy = CoinPolicy(unit: 50)

    /// Plays a timeline and lists what was said, with the milliseconds at which it was said.
    private static func play(_ timeline: String, reportsProvisionally: Bool = false) -> [String] {
        var clockwork = Clockwork(
            CoinDecoder(policy: policy, reportsProvisionally: reportsProvisionally))
        var wasActive = false
        clockwork.play(timeline, tick: .milliseconds(10)) { clockwork, mark in
            let isActive = mark != "." && mark != "x"
            let reception: CoinDecoder.Reception =
                mark == "%" ? .refused : mark == "&" ? .unlocked : .locked
            if mark == "x" || mark == "X" {
                clockwork.send { .edgesLost(isActive: isActive, reception, at: $0) }
            } else if isActive != wasActive {
                clockwork.send { .changed(isActive: isActive, reception, at: $0) }
            }
            wasActive = isActive
        }
        return clockwork.said.map { $0.replacing("Turnstile.CoinDecoder.Reception.", with: "") }
    }

    private static let quiet = String(repeating: ".", count: 25)
    private static let gap = String(repeating: ".", count: 10)
    private static let second = String(repeating: ".", count: 100)

    @Test(arguments: [
        ("#####" + quiet, ["250 credit(pulses: 1, locked)"]),
        ("#####" + gap + "#####" + quiet, ["400 credit(pulses: 2, locked)"]),
        // Two coins that run into one another count what both count.
        (
            "#####" + gap + "#####" + gap + "#####" + quiet,
            ["550 credit(pulses: 3, locked)"]
        ),
        // A train that stays quiet for long enough is two.
        (
            "#####" + quiet + "#####" + quiet,
            ["250 credit(pulses: 1, locked)", "550 credit(pulses: 1, locked)"]
        ),
        // Half and double of the nominal width are the last that count; half is 25 ms.
        ("###" + quiet, ["230 credit(pulses: 1, locked)"]),
        ("##########" + quiet, ["300 credit(pulses: 1, locked)"]),
    ])
    func `counts the pulses of a train`(timeline: String, said: [String]) {
        #expect(Self.play(timeline) == said)
    }

    @Test(arguments: [
        ("#####" + quiet, ["200 reportProvisional(pulses: 1)", "250 confirm(pulses: 1, locked)"]),
        // The next pulse of a train comes before anything is reported.
        (
            "#####" + gap + "#####" + quiet,
            ["350 reportProvisional(pulses: 2)", "400 confirm(pulses: 2, locked)"]
        ),
        // One that comes late makes another coin of it.
        (
            "#####" + String(repeating: ".", count: 16) + "#####" + quiet,
            [
                "200 reportProvisional(pulses: 1)", "410 reportProvisional(pulses: 2)",
                "460 confirm(pulses: 2, locked)",
            ]
        ),
        // Noise makes none, and the silence begins anew.
        (
            "#####" + String(repeating: ".", count: 16) + "#" + quiet,
            [
                "200 reportProvisional(pulses: 1)", "232 reportNoise(width: 0.01 seconds)",
                "420 confirm(pulses: 1, locked)",
            ]
        ),
        // Nor is what was reported confirmed where edges are missing.
        (
            "#####" + String(repeating: ".", count: 16) + "#####.x" + quiet,
            ["200 reportProvisional(pulses: 1)", "470 creditInDoubt(pulses: 2, locked)"]
        ),
        ("%%%%%" + quiet, ["250 credit(pulses: 1, refused)"]),
    ])
    func `a coin is reported provisionally when three quarters of its silence have passed`(
        timeline: String, said: [String]
    ) {
        #expect(Self.play(timeline, reportsProvisionally: true) == said)
    }

    @Test(arguments: [
        (Duration.milliseconds(25), true), (.milliseconds(100), true),
        (.milliseconds(25) - .nanoseconds(1), false), (.milliseconds(100) + .nanoseconds(1), false),
        (.zero, false),
    ])
    func `pulses at the limits count`(width: Duration, counts: Bool) {
        var clockwork = Clockwork(CoinDecoder(policy: Self.policy))
        clockwork.send { .changed(isActive: true, .locked, at: $0) }
        clockwork.wait(width)
        clockwork.send { .changed(isActive: false, .locked, at: $0) }
        clockwork.wait(.milliseconds(12))
        // As records tell it.
        let told = width.inWholeMicroseconds
        #expect(clockwork.said.isEmpty == counts)
        #expect(counts || clockwork.said[0].hasSuffix("reportNoise(width: \(told))"))
        #expect(clockwork.machine.isCounting == counts)
    }

    @Test(arguments: [
        // What counts is the moment at which the first pulse of the train began.
        ("%%%%%" + quiet, ["250 credit(pulses: 1, refused)"]),
        ("#####" + gap + "%%%%%" + quiet, ["400 credit(pulses: 2, locked)"]),
        ("%%%%%" + gap + "#####" + quiet, ["400 credit(pulses: 2, refused)"]),
        ("#%%%%" + quiet, ["250 credit(pulses: 1, locked)"]),
        // Noise is no pulse of the train that follows it.
        (
            "%" + gap + "#####" + quiet,
            ["22 reportNoise(width: 0.01 seconds)", "360 credit(pulses: 1, locked)"]
        ),
        // A train that is found when edges were lost begins there.
        ("..x%%%%%" + quiet, ["280 creditInDoubt(pulses: 1, refused)"]),
        ("%%%%%..X####" + quiet, ["320 creditInDoubt(pulses: 2, refused)"]),
    ])
    func `a train is in the accept window when its beginning is`(timeline: String, said: [String]) {
        #expect(Self.play(timeline) == said)
    }

    @Test(arguments: [
        ("#" + quiet, ["22 reportNoise(width: 0.01 seconds)"]),
        ("##" + quiet, ["32 reportNoise(width: 0.02 seconds)"]),
        ("###########" + quiet, ["122 reportNoise(width: 0.11 seconds)"]),
        // Noise within a train costs none of its pulses.
        (
            "#####" + gap + "#" + gap + "#####" + quiet,
            ["172 reportNoise(width: 0.01 seconds)", "510 credit(pulses: 2, locked)"]
        ),
        // It does not end a train either: the silence begins anew.
        (
            "#####" + gap + "#" + gap + quiet,
            ["172 reportNoise(width: 0.01 seconds)", "360 credit(pulses: 1, locked)"]
        ),
    ])
    func `reports noise and does not count it`(timeline: String, said: [String]) {
        #expect(Self.play(timeline) == said)
    }

    @Test func `a line that stays active is stuck, and what was counted is credited`() {
        let stuck = String(repeating: "#", count: 110)
        #expect(
            Self.play("#####" + Self.gap + stuck + Self.quiet) == [
                "1150 credit(pulses: 1, locked)", "1150 reportStuck",
                "1250 reportReleased",
            ])
    }

    @Test func `edges that are lost cost nothing that was counted, and leave it in doubt`() {
        let one = "creditInDoubt(pulses: 1, locked)"
        #expect(
            Self.play("#####...#####.x" + Self.quiet) == ["340 creditInDoubt(pulses: 2, locked)"])
        #expect(Self.play("#####..x" + Self.quiet) == ["270 \(one)"])
        // Nobody knows how wide the pulse was whose end is missing.
        #expect(Self.play("#####...#####x" + Self.quiet) == ["330 \(one)"])
        // A coin that begins at once may have begun before, and another may not.
        #expect(Self.play("....x" + Self.gap + "#####" + Self.quiet) == ["400 \(one)"])
        #expect(
            Self.play("....x" + Self.quiet + "#####" + Self.quiet)
                == ["550 credit(pulses: 1, locked)"])
        #expect(Self.play("....x" + Self.quiet) == [])
        let stuck = String(repeating: "#", count: 110)
        #expect(Self.play(stuck + "X##x") == ["1000 reportStuck", "1130 reportReleased"])
    }

    @Test func `says that it is counting from the first edge to the end of the train`() {
        var clockwork = Clockwork(CoinDecoder(policy: Self.policy))
        #expect(!clockwork.machine.isCounting)
        clockwork.send { .changed(isActive: true, .locked, at: $0) }
        #expect(clockwork.machine.isCounting)
        clockwork.wait(.milliseconds(50))
        clockwork.send { .changed(isActive: false, .locked, at: $0) }
        #expect(clockwork.machine.isCounting)
        clockwork.wait(.milliseconds(200))
        #expect(!clockwork.machine.isCounting)
    }

    /// Milliseconds of activity and silence in turn.
    private static func play(_ times: [Int], _ policy: CoinPolicy = policy) -> [String] {
        var clockwork = Clockwork(CoinDecoder(policy: policy))
        for (place, time) in times.enumerated() {
            clockwork.send { .changed(isActive: place % 2 == 0, .locked, at: $0) }
            clockwork.wait(.milliseconds(time))
        }
        return clockwork.said.map { $0.replacing("Turnstile.CoinDecoder.Reception.", with: "") }
    }

    @Test(arguments: [
        // In the middle, where either part would count or neither, at the ends, and between pulses.
        ([25, 1, 24, 300], ["250 credit(pulses: 1, locked)"]),
        ([24, 1, 24, 300], ["249 credit(pulses: 1, locked)"]),
        ([1, 1, 48, 300], ["250 credit(pulses: 1, locked)"]),
        ([48, 1, 1, 300], ["250 credit(pulses: 1, locked)"]),
        ([40, 11, 40, 300], ["291 credit(pulses: 1, locked)"]),
        ([40, 12, 40, 300], ["292 credit(pulses: 2, locked)"]),
        // What was interrupted for longer in all is none, however long it was active.
        (
            [10, 5, 10, 5, 10, 5, 10, 300],
            ["45 reportNoise(width: 0.03 seconds)", "67 reportNoise(width: 0.01 seconds)"]
        ),
        ([10, 4, 10, 4, 10, 4, 10, 300], ["252 credit(pulses: 1, locked)"]),
        ([2, 2, 2, 2, 2, 2, 2, 2, 2, 300], ["30 reportNoise(width: 0.01 seconds)"]),
    ])
    func `a pulse that is interrupted is one pulse`(times: [Int], said: [String]) {
        #expect(Self.play(times) == said)
    }

    @Test func `a pulse is judged by the policy that it ended under`() {
        var decoder = CoinDecoder(policy: Self.policy)
        var wide = Self.policy
        wide.pulseWidth = .milliseconds(100)
        let end = Instant.zero + .milliseconds(120)
        _ = decoder.handle(.changed(isActive: true, .locked, at: .zero))
        _ = decoder.handle(.changed(isActive: false, .locked, at: end))
        decoder.adopt(wide)
        let known = decoder.deadline
        #expect(known == end + .milliseconds(12))
        #expect(
            decoder.handle(.timePassed(end + .milliseconds(12)))
                == .handled(.reportNoise(width: .milliseconds(120))))
    }

    @Test func `mains hum is no money`() {
        var policy = CoinPolicy(unit: 50)
        policy.pulseWidth = .milliseconds(20)
        // Half waves of 50 Hz and of 60 Hz, for a second.
        for half in [10, 8] {
            let hum = Array(repeating: half, count: 2 * (500 / half)) + [half, 300]
            let said = Self.play(hum, policy)
            #expect(said.allSatisfy { !$0.contains("credit") }, "\(half) ms: \(said)")
        }
    }

    @Test func `a train that is not one coin's alone is no coin of a table`() {
        var table = CoinPolicy(unit: 1)
        table.values = .exact([2: 50, 4: 200])
        // Two coins of 50 that follow each other by less than the silence that ends a train.
        let two = [50, 50, 50, 150, 50, 50, 50, 300]
        #expect(Self.play(two, table) == ["650 creditInDoubt(pulses: 4, locked)"])
        #expect(Self.play(two) == ["650 credit(pulses: 4, locked)"])
        // Acceptors are not exact to the millisecond.
        #expect(
            Self.play([50, 90, 50, 110, 50, 100, 50, 300], table)
                == ["700 credit(pulses: 4, locked)"])
        // Noise in it, right before it, and after its last pulse, each may have been a pulse.
        let doubtful = [
            [50, 100, 5, 100, 50, 300], [5, 100, 50, 100, 50, 300], [50, 100, 50, 100, 5, 300],
            [50, 100, 120, 100, 50, 300],
        ]
        for times in doubtful {
            #expect(Self.play(times, table).last?.contains("InDoubt(pulses: 2") == true)
            #expect(Self.play(times).last?.contains("credit(pulses: 2") == true)
        }
        #expect(Self.play([5, 300, 50, 100, 50, 300], table).last?.contains("credit(") == true)
    }

    @Test func `ignores an edge to the level that the line has`() {
        var decoder = CoinDecoder(policy: Self.policy)
        let before = decoder
        #expect(
            decoder.handle(.changed(isActive: false, .locked, at: .zero))
                == .ignored("the coin line was inactive already"))
        #expect(decoder == before)
    }
}

// Noise, much of it.
extension CoinDecoderTests {
    /// A pulse of noise, and the rest of 100 ms.
    private static let noise = "#........."

    private static func noise(_ count: Int) -> String { String(repeating: noise, count: count) }

    /// What is said of the first pulses of noise, 100 ms apart.
    private static func reports(_ count: Int) -> [String] {
        (0..<count).map { "\(22 + 100 * $0) reportNoise(width: 0.01 seconds)" }
    }

    private static func seconds(_ count: Int) -> String { String(repeating: second, count: count) }

    @Test func `five pulses of noise in a row are no burst`() {
        #expect(Self.play(Self.noise(5) + Self.seconds(12)) == Self.reports(5))
    }

    @Test(arguments: [6, 7, 40])
    func `more are a burst, which counts them all and reports no more of them`(count: Int) {
        let end = 22 + 100 * (count - 1) + 10_000
        #expect(
            Self.play(Self.noise(count) + Self.seconds(12)) == Self.reports(5) + [
                "522 reportNoiseBurst", "\(end) reportNoiseOver(pulses: \(count))",
            ])
    }

    @Test func `a hum is no coin, however even`() {
        let pulse = "#####....."
        let most = Self.play(String(repeating: pulse, count: 255) + Self.second)
        #expect(most.last?.contains("credit(pulses: 255") == true)
        let hum = Self.play(String(repeating: pulse, count: 256) + Self.seconds(11))
        #expect(hum == ["25550 reportNoiseBurst", "35550 reportNoiseOver(pulses: 261)"])
        let long = Self.play(String(repeating: pulse, count: 600) + Self.seconds(11))
        #expect(long.filter { $0.contains("credit") } == ["60150 credit(pulses: 88, locked)"])
    }

    @Test func `noise that is a second apart is no row`() {
        // From the end of one to the end of the next: 990 ms, and a second.
        let near = String(("#" + Self.second).dropLast(2))
        let apart = String(("#" + Self.second).dropLast(1))
        #expect(Self.play(String(repeating: near, count: 6)).last == "4972 reportNoiseBurst")
        #expect(Self.play(String(repeating: apart, count: 6)).last?.hasSuffix("seconds)") == true)
    }

    @Test func `a burst goes on while noise follows within ten seconds`() {
        let pause = String(Self.seconds(10).dropLast(2))
        #expect(
            Self.play(Self.noise(5) + "#" + pause + "#" + Self.seconds(11)).suffix(2) == [
                "522 reportNoiseBurst", "20512 reportNoiseOver(pulses: 7)",
            ])
    }

    @Test func `after a burst noise is told again`() {
        let said = Self.play(Self.noise(6) + Self.seconds(11) + Self.noise(1))
        #expect(
            said.suffix(2) == [
                "10522 reportNoiseOver(pulses: 6)", "11622 reportNoise(width: 0.01 seconds)",
            ])
    }

    @Test func `coins count during a burst`() {
        let coin = "#####" + Self.gap + "#####" + Self.quiet
        let said = Self.play(Self.noise(6) + coin + "#..." + coin + Self.seconds(11))
        #expect(
            said.suffix(4) == [
                "522 reportNoiseBurst", "1000 credit(pulses: 2, locked)",
                "1490 credit(pulses: 2, locked)", "11072 reportNoiseOver(pulses: 7)",
            ])
    }

    @Test func `noise, a stuck line and lost edges do not end a burst`() {
        let stuck = String(repeating: "#", count: 110)
        let said = Self.play(Self.noise(6) + stuck + "..x" + Self.seconds(12))
        #expect(
            said.suffix(4) == [
                "522 reportNoiseBurst", "1600 reportStuck", "1700 reportReleased",
                "10522 reportNoiseOver(pulses: 6)",
            ])
    }

    @Test func `a shell that is late is told the same, the first thing first`() {
        var decoder = CoinDecoder(policy: Self.policy)
        func pulse(_ start: Int, _ width: Int) {
            for (level, time) in [(true, start), (false, start + width)] {
                let now = Instant.zero + .milliseconds(time)
                while let due = decoder.deadline, due <= now {
                    _ = decoder.handle(.timePassed(due))
                }
                _ = decoder.handle(.changed(isActive: level, .locked, at: now))
            }
        }
        for index in 0..<6 { pulse(index * 100, 10) }
        pulse(700, 50)
        var said: [CoinDecoder.Command] = []
        let late = Instant.zero + .seconds(60)
        while let due = decoder.deadline, due <= late {
            said += decoder.handle(.timePassed(late)).commands
        }
        #expect(said == [.credit(pulses: 1, .locked), .reportNoiseOver(pulses: 6)])
        #expect(decoder == CoinDecoder(policy: Self.policy))
    }
}

// Every state.
extension CoinDecoderTests {
    /// A decoder in a world that ticks four times a second: a pulse of 1–4 ticks is good, 2 ticks
    /// of silence end a train, 5 of activity are stuck. (In a pulse that is too long to be one and
    /// too short to be stuck it would not matter any longer when a coin came.)
    private static func explored() -> StateGraph<RelativeTime<CoinDecoder>> {
        var policy = CoinPolicy(unit: 1)
        policy.pulseWidth = .milliseconds(500)
        policy.trainQuiet = .milliseconds(500)
        policy.stuckAfter = .milliseconds(1250)
        return StateGraph(
            from: RelativeTime(CoinDecoder(policy: policy)),
            events: { world in
                let decoder = world.machine
                let mayRise = !decoder.hasMuchNoise && !decoder.hasManyPulses
                let fall = CoinDecoder.Event.changed(isActive: false, .locked, at: .zero)
                let gap = CoinDecoder.Event.edgesLost(isActive: false, .locked, at: .zero)
                let rises: [CoinDecoder.Event] = CoinDecoder.Reception.allCases.flatMap {
                    reception in
                    [
                        .changed(isActive: true, reception, at: .zero),
                        .edgesLost(isActive: true, reception, at: .zero),
                    ]
                }
                return world.events(
                    [fall, gap] + (mayRise ? rises : []), tick: .milliseconds(250))
            })
    }

    @Test func `its states are finite, and each decides every event`() {
        let graph = Self.explored()
        #expect(graph.isComplete)
        #expect(graph.deadEnds == [])
        #expect(graph.undecided.isEmpty)
    }
}

extension CoinDecoder {
    /// Whether there are as many pulses as the explorer lets happen.
    fileprivate var hasManyPulses: Bool {
        switch state {
        case .idle, .stuck: false
        case .pulse(_, let train), .gap(_, let train): train.counted > 1
        }
    }

    /// Whether there was as much noise as the explorer lets happen.
    fileprivate var hasMuchNoise: Bool {
        if case .burst(let pulses, _) = noise { pulses >= 7 } else { false }
    }
}
