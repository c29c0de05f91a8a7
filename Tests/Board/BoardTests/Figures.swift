import Checkout
import Foundation
import Testing
import VirtualBoard

/// What the service costs, and how fast it answers, beside the least that a C program over
/// libgpiod can do: the same boot, the same scheduling policy, measured from outside by the
/// kernel's trace of its lines. `make board-bench` prints the table.
///
/// Every edge is pulled, and every silence ends, halfway between two of the kernel's ticks. A tick
/// holds up whoever runs for as long as an answer takes, the C loop like the service: all edges of
/// one might meet it, and none of the other's.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["TURNSTILED_BOARD_FIGURES"] != nil,
        "figures of the virtual boards: make board-bench"))
struct Figures {
    private static let edges = 1000
    private static let period: Duration = .milliseconds(4)
    private static let coinCount = 100
    /// The edges of which the worst is told come in rounds, for which the kernel's trace has room.
    private static let (rounds, beats) = (20, 5000)
    /// The time between two of them: what the service does about one is over when the next comes.
    private static let beat: Duration = .microseconds(1514)

    /// What else the board has to do while edges are answered.
    private enum Condition: CaseIterable {
        /// Nothing.
        case idle
        /// Other inputs flood in beside the edges, and what is recorded of both is written down.
        case flood
        /// Everybody on the bus wants to know everything, all the time.
        case bus
        /// Other processes want the processor and the disk.
        case load
    }

    /// A program that answers edges of one line on another.
    private struct Responder {
        var name: String
        var input: BoardLine
        var output: BoardLine

        /// How many microseconds after each edge the answer came.
        func answers(in changes: [LineChange]) -> [Double] {
            var times: [Double] = []
            var pulled: LineChange?
            for change in changes {
                if change.cause == .pull {
                    if change.line == input { pulled = change }
                } else if let pull = pulled, change.line == output, change.level == pull.level {
                    times.append((change.time - pull.time) / .microseconds(1))
                    pulled = nil
                }
            }
            return times
        }
    }

    private static let emergency = Responder(name: "fire", input: .fire, output: .lockEntry)
    private static let coins = Responder(name: "coin", input: .coin, output: .lockEntry)
    private static let loop = Responder(name: "C loop", input: .benchIn, output: .benchOut)
    /// How long a coin's pulse is, and how long its line is silent when a train of them is over:
    /// the least that the settings allow.
    private static let pulse: Duration = .milliseconds(20)
    private static let quiet: Duration = .milliseconds(120)
    /// How long after a silence the agent is still awake.
    private static let vigil: Duration = .microseconds(200)
    /// Two doors that swing, each as often as it settles in between, until 1 ms before a silence of
    /// that length is over; and how long they do.
    private static let swings: [Board.Move] = (0..<8).map { swing in
        .init(
            after: .milliseconds(swing == 0 ? 8 : 13), swing % 2 == 0 ? .vaultDoor : .cabinet,
            swing % 4 < 2 ? .high : .low)
    }
    private static let swinging: Duration = .milliseconds(8 + 7 * 13)

    @Test("latency from edge to output, beside a C loop", arguments: Debian.selected)
    func latency(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            // A loop that opens releases the lock; one that closes then locks it again.
            try await board.changeSettings(["fire_reset: manual": "fire_reset: auto"])
            try await board.check("systemctl reload turnstiled")
            try await start("edge-loop", on: board)
            for condition in Condition.allCases {
                try await begin(condition, on: board)
                let theirs = try await answers(of: Self.loop, during: condition, on: board)
                let ours = try await answers(of: Self.emergency, during: condition, on: board)
                let ratio = tell(ours, of: Self.emergency, theirs, "\(debian) \(condition)")
                try #expect(ratio.median <= budget("edge-median-ratio"))
                try #expect(ratio.percentile99 <= budget("edge-99th-ratio"))
            }
        }
    }

    /// What each edge and the coins between lead to is recorded.
    @Test("latency while the ledger is written, beside none", arguments: Debian.selected)
    func written(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            var times: [Times] = []
            for ledger in ["/var/lib/turnstiled/ledger.db", "off"] {
                try await board.changeSettings([
                    "fire_reset: manual": "fire_reset: auto",
                    "hardware:": "ledger: {path: \(ledger)}\n\nhardware:",
                ])
                try await board.check("systemctl restart turnstiled")
                times.append(
                    try await answers(of: Self.emergency, during: .flood, on: board))
                print("\(debian) fire, ledger \(ledger), µs: \(times[times.count - 1])")
                guard ledger != "off" else { continue }
                let records = try await board.check(
                    "turnstilectl ledger export | wc --lines")
                let count = try #require(Int(records.dropLast()))
                print("\(debian): \(count) records")
                try #require(count > Self.edges)
            }
            let ratio = times[0].ratio(to: times[1])
            print("\(debian) fire, with a ledger beside without, ratio: \(ratio)")
            try #expect(ratio.median <= budget("ledger-edge-ratio"))
        }
    }

    /// What each edge and the coins between lead to is recorded, step by step. They take turns, so
    /// that both meet the same host.
    @Test("latency while a trace is written, beside none", arguments: Debian.selected)
    func recorded(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            var times: [String: [Double]] = [:]
            for round in 0..<6 {
                let size = round.isMultiple(of: 2) ? "16MB" : "off"
                try await board.changeSettings([
                    "fire_reset: manual": "fire_reset: auto",
                    "hardware:": "trace: {size: \(size)}\n\nhardware:",
                ])
                try await board.check("systemctl restart turnstiled")
                let answered = try await answers(of: Self.emergency, during: .flood, on: board)
                print("\(debian) fire, trace \(size), µs: \(answered)")
                times[size, default: []] += answered.all
            }
            let steps = try await board.check("turnstilectl trace show | wc --lines")
            try #require(Int(steps.dropLast()) ?? 0 > Self.edges)
            let ratio = Times(times["16MB"] ?? []).ratio(to: Times(times["off"] ?? []))
            print("\(debian) fire, with a trace beside without, ratio: \(ratio)")
            try #expect(ratio.median <= budget("trace-edge-ratio"))
        }
    }

    /// What both have to wait for they meet alike: their edges come by turns, in an order that is
    /// drawn. The loop goes before the service, so that it waits for nobody.
    @Test("the worst of 100,000 edges, beside a C loop", arguments: Debian.selected)
    func worst(on debian: Debian) async throws {
        for condition in [Condition.bus, .load] {
            try await Board.withService(debian) { board in
                try await board.changeSettings(["fire_reset: manual": "fire_reset: auto"])
                try await board.check("systemctl reload turnstiled")
                try await start("edge-loop", on: board)
                try await board.check(
                    """
                    for thread in $(pgrep edge-loop) $(pgrep '^irq/.*-edge'); do
                        chrt --fifo --pid 55 $thread
                    done
                    """)
                try await begin(condition, on: board)
                var (ours, theirs): ([Double], [Double]) = ([], [])
                for _ in 0..<Self.rounds {
                    let times = try await answers(of: Self.emergency, and: Self.loop, on: board)
                    ours += times.one
                    theirs += times.other
                }
                let ratio = tell(
                    Times(ours), of: Self.emergency, Times(theirs),
                    "\(debian) \(ours.count) edges, \(condition)")
                try #expect(ratio.worst <= budget("edge-worst-ratio"))
            }
        }
    }

    @Test("latency from the last coin to the lock, beside a C loop", arguments: Debian.selected)
    func authorisation(on debian: Debian) async throws {
        let changes: KeyValuePairs = [
            "price: 250": "price: 50", "pulse_width: 50ms": "pulse_width: 20ms",
            "train_quiet: 200ms": "train_quiet: 120ms",
            "  outputs:": """
                vault_door: {line: VAULT_DOOR, active_low: false, bias: as_is}
                cabinet_tamper: {line: CABINET, active_low: false, bias: as_is}
              outputs:
            """,
        ]
        try await Board.withService(debian, changing: changes) { board in
            try await start("quiet-loop", "\(Int(Self.quiet / .milliseconds(1)))", on: board)
            // A processor that sleeps is woken when the host gets to it, up to milliseconds late.
            // One that has something to do, however unimportant, has its timers on time.
            try await board.check(
                "systemd-run --quiet -p CPUSchedulingPolicy=idle bash -c 'while :; do :; done'"
            )
            for condition in Condition.allCases {
                try await begin(condition, on: board)
                let theirs = try await silences(of: Self.loop, during: condition, on: board)
                let ours = try await silences(of: Self.coins, during: condition, on: board)
                let ratio = tell(ours, of: Self.coins, theirs, "\(debian) \(condition)")
                try #expect(ratio.median <= budget("coin-median-ratio"))
                try #expect(ratio.percentile99 <= budget("coin-99th-ratio"))
            }
        }
    }

    /// What Tests/budgets allows.
    private func budget(_ name: String) throws -> Double {
        try #require(Checkout.budget(name))
    }

    /// Prints how long the service and the C loop took, and returns the ratio.
    private func tell(
        _ ours: Times, of responder: Responder, _ theirs: Times, _ place: String
    ) -> Times {
        let ratio = ours.ratio(to: theirs)
        print("\(place) C loop, µs: \(theirs)")
        print("\(place) \(responder.name), µs: \(ours)")
        print("\(place) \(responder.name) ratio: \(ratio)")
        return ratio
    }

    @Test(
        "memory, wake-ups while idle, time to be ready and to tell its status",
        arguments: Debian.selected)
    func cost(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let script = """
                pid=$(systemctl show --property=MainPID --value turnstiled)
                wakeups() { awk '/^voluntary/ { print $2 }' /proc/$pid/status; }
                before=$(wakeups); sleep 20; echo $(($(wakeups) - before))
                awk '/^VmRSS/ { print $2 }' /proc/$pid/status
                for name in ExecMainStart ActiveEnter; do
                    systemctl show --property=${name}TimestampMonotonic --value turnstiled
                done
                median() {
                    for i in $(seq 9); do
                        start=$(date +%s%N); "$@" >/dev/null || exit
                        echo $((($(date +%s%N) - start) / 1000000))
                        sleep 0.1
                    done | sort --numeric-sort | sed --quiet 5p
                }
                median turnstilectl status
                median busctl call io.turnstiled1 /io/turnstiled1 \
                    org.freedesktop.DBus.Properties GetAll s io.turnstiled1.Gate
                """
            let numbers = try await board.check(script).split(separator: "\n")
                .compactMap { Int($0) }
            try #require(numbers.count == 6)
            let readyAfter = (numbers[3] - numbers[2]) / 1000
            print(
                "\(debian): \(numbers[1]) KiB resident, \(numbers[0]) wake-ups in 20 idle seconds,",
                "ready after \(readyAfter) ms, turnstilectl status in \(numbers[4]) ms,",
                "busctl in \(numbers[5]) ms")
            try #expect(Double(numbers[1] * 1024) < budget("resident-bytes"))
            try #expect(Double(numbers[0]) <= budget("idle-wakeups"))
            try #expect(Double(numbers[4]) <= budget("status-ratio") * Double(numbers[5]))
        }
    }

    /// Starts a C program on the lines that are there for it, scheduled as the service is.
    private nonisolated(nonsending) func start(
        _ name: String, _ argument: String = "", on board: Board
    ) async throws {
        let program = try Data(contentsOf: board.debian.work.appending(path: name))
        try await board.put(program, at: "/root/\(name)", mode: 0o755)
        try await board.check(
            """
            policy() { systemctl show --property=CPUSchedulingPriority --value turnstiled; }
            systemd-run --quiet --unit=\(name) --property=CPUSchedulingPolicy=fifo \
            --property=CPUSchedulingPriority=$(policy) /root/\(name) /dev/gpiochip0 \
            \(BoardLine.benchIn.rawValue) \(BoardLine.benchOut.rawValue) \(argument)
            until gpioinfo | grep BENCH_IN | grep --quiet \(name); do sleep 0.1; done
            """)
    }

    /// Has the board do what is to be done besides.
    private nonisolated(nonsending) func begin(
        _ condition: Condition, on board: Board
    ) async throws {
        switch condition {
        case .idle, .flood: break
        case .bus: try await startBusFlood(on: board)
        case .load:
            try await board.check("systemctl stop bus-flood 2>/dev/null || true")
            try await startLoad(on: board)
        }
    }

    /// A client that asks for all properties as often as the bus takes the question.
    private nonisolated(nonsending) func startBusFlood(on board: Board) async throws {
        let program = try Data(contentsOf: board.debian.work.appending(path: "bus-flood"))
        try await board.put(program, at: "/root/bus-flood", mode: 0o755)
        try await board.check(
            """
            mkfifo /tmp/flooding
            systemd-run --quiet --unit=bus-flood --property=StandardOutput=file:/tmp/flooding \
                /root/bus-flood io.turnstiled1 /io/turnstiled1
            read -r line </tmp/flooding && [ "$line" = answered ]
            """)
    }

    /// Two processes that count, one that forks, one that writes to the disk.
    private nonisolated(nonsending) func startLoad(on board: Board) async throws {
        try await board.check(
            """
            for i in 1 2; do systemd-run --quiet bash -c 'while :; do :; done'; done
            systemd-run --quiet bash -c 'while :; do /bin/true; done'
            systemd-run --quiet bash -c 'while :; do
                dd if=/dev/zero of=/var/tmp/load bs=64k count=16 conv=fsync 2>/dev/null; done'
            """)
    }

    /// Plays edges and returns how long each took to be answered.
    private nonisolated(nonsending) func answers(
        of responder: Responder, during condition: Condition, on board: Board
    ) async throws -> Times {
        try await board.startWaveform(by: .processor)
        try await board.play(
            (0..<Self.edges).flatMap { index in
                var gap = Self.period
                var moves: [Board.Move] = []
                if condition == .flood {
                    // Coins at all places between two edges: 613 µs is no part of a period.
                    let offset = Duration.microseconds(index * 613 % 800)
                    moves = (0..<4).map { coin in
                        .init(
                            after: coin == 0 ? offset : .microseconds(800), .coin,
                            coin % 2 == 0 ? .high : .low)
                    }
                    gap -= offset + .microseconds(2400)
                }
                return moves + [
                    .init(after: gap, responder.input, index % 2 == 0 ? .high : .low)
                ]
            })
        let times = responder.answers(in: try await board.stopWaveform())
        try #require(times.count == Self.edges, "\(responder.name) answered \(times.count) edges")
        return Times(times)
    }

    /// Plays edges of two by turns and returns how long each took to be answered.
    private nonisolated(nonsending) func answers(
        of one: Responder, and other: Responder, on board: Board
    ) async throws -> (one: [Double], other: [Double]) {
        try await board.startWaveform(by: .processor)
        try await board.beat((one.input, other.input), times: Self.beats, every: Self.beat)
        let changes = try await board.stopWaveform()
        let times = (one: one.answers(in: changes), other: other.answers(in: changes))
        try #require(times.one.count == Self.beats, "\(one.name): \(times.one.count) answers")
        try #require(times.other.count == Self.beats, "\(other.name): \(times.other.count) answers")
        return times
    }

    /// Lets in one person after the other for a coin, and returns how long after the silence that
    /// ends the coin's train of pulses the output rose.
    private nonisolated(nonsending) func silences(
        of responder: Responder, during condition: Condition, on board: Board
    ) async throws -> Times {
        // Slow enough for the kernel, which debounces when it gets to it.
        let person =
            responder.output == .lockEntry ? Board.turn(quarter: .milliseconds(20)) : []
        try await board.startWaveform(by: .processor)
        try await board.play(
            (0..<Self.coinCount).flatMap { _ in
                let swings = condition == .flood ? Self.swings : []
                let swinging = condition == .flood ? Self.swinging : .zero
                return [
                    .init(after: Self.pulse, responder.input, .high),
                    .init(after: Self.pulse, responder.input, .low),
                ] + swings + [
                    // Has the agent awake when the silence is over.
                    .init(after: Self.quiet + Self.vigil - swinging, responder.input, .low),
                    .init(after: Self.pulse - Self.vigil, responder.input, .low),
                ] + person
            })
        let changes = try await board.stopWaveform()
        var times: [Double] = []
        var fell: LineChange?
        for change in changes {
            switch (change.cause, change.line, change.level) {
            case (.pull, responder.input, .low): fell = fell ?? change
            case (.pull, responder.input, .high): fell = nil
            case (.set, responder.output, .high):
                guard let pulse = fell else { continue }
                times.append((change.time - pulse.time - Self.quiet) / .microseconds(1))
                fell = nil
            default: continue
            }
        }
        try #require(times.count == Self.coinCount, "\(responder.name): \(times.count) answers")
        return Times(times)
    }
}

/// How long a number of answers took, in microseconds, or how many times as long as others.
private struct Times: CustomStringConvertible {
    var median: Double
    var percentile99: Double
    var percentile999: Double
    var worst: Double
    /// All of them, ascending.
    let all: [Double]

    init(_ times: [Double]) {
        let sorted = times.sorted()
        all = sorted
        // The least that so many of 1000 did not exceed.
        func least(_ count: Int) -> Double { sorted[(sorted.count * count + 999) / 1000 - 1] }
        median = sorted[sorted.count / 2]
        percentile99 = least(990)
        percentile999 = least(999)
        worst = least(1000)
    }

    /// How many times as long as `other` it took, to two decimal places.
    func ratio(to other: Times) -> Times {
        var ratio = self
        for time in [\Times.median, \.percentile99, \.percentile999, \.worst] {
            ratio[keyPath: time] =
                (100 * self[keyPath: time] / other[keyPath: time]).rounded() / 100
        }
        return ratio
    }

    var description: String {
        [("median", median), ("p99", percentile99), ("p99.9", percentile999), ("worst", worst)]
            .map { "\($0) \((100 * $1).rounded() / 100)" }.joined(separator: ", ")
    }
}
