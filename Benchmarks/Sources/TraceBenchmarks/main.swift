import Controller
import Glibc
import Measure
import StateMachines
import System
import Trace
import Turnstile

// A day of a busy gate, recorded and replayed, beside the machine alone over the same events.
//
//     TraceBenchmarks [FOLDER [PASSAGES]]

let passages = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 30_000
/// How many times the machine alone a replay may take, how many bytes a day may, and how long ten
/// minutes may take to be shown.
let (mostTimes, mostBytes) = (budget("replay-ratio"), budget("trace-bytes"))
let longestWindow = Duration.milliseconds(budget("trace-window-ms"))

/// A folder for the trace, which goes at the end.
let folder: String = {
    var name = Array("\(CommandLine.arguments.dropFirst().first ?? ".")/trace-XXXXXX".utf8CString)
    guard let path = mkdtemp(&name) else { fatalError("no folder: errno \(errno)") }
    return String(cString: path)
}()

/// How much of a processor `body` takes.
func time(_ body: () -> Void) -> Duration {
    let start = processorTime()
    body()
    return processorTime() - start
}

/// What the gate is made of.
let beginning = Beginning(
    policy: Policy(price: 150, coinUnit: 50), ledger: .open(Balances()))

/// A gate at which one person after the other pays three pulses and passes, each edge as a kernel
/// that debounces tells of it.
struct Day {
    var turnstile: Turnstile
    var events: [Event] = []
    var steps: [TraceStep] = []
    private(set) var now = Instant.zero

    init() {
        turnstile = Turnstile(beginning)
        steps.append(.state(turnstile, .blank, at: now))
        handle(.started([]))
    }

    /// Lets time pass, with all that comes due, and a look at the lines each second.
    mutating func wait(_ length: Duration) {
        let end = now + length
        while let due = turnstile.deadline, due <= end {
            now = max(now, due)
            handle(.timePassed)
        }
        now = end
    }

    mutating func handle(_ kind: Event.Kind) {
        let event = Event(kind, at: now)
        events.append(event)
        let outcome = turnstile.handle(event)
        var (asks, records): (Bool, [TraceStep]) = (false, [])
        steps.append(.event(event, .handled))
        outcome.commands.forEach { command in
            if case .store = command { asks = true }
            if case .record(let record) = command {
                records.append(.record(record))
            } else {
                steps.append(.command(command))
            }
        }
        steps += records
        guard asks else { return }
        now = now + .microseconds(4_321)
        handle(.durable)
    }

    /// Somebody pays and passes, in 2.9 s.
    mutating func pass() {
        for _ in 0..<3 {
            handle(.changed(.coinPulse, isActive: true))
            wait(.microseconds(50_123))
            handle(.changed(.coinPulse, isActive: false))
            wait(.microseconds(99_877))
        }
        wait(.milliseconds(700))
        for (input, isActive) in [
            (Input.rotorA, true), (.rotorB, true), (.rotorA, false), (.rotorB, false),
        ] {
            handle(.changed(input, isActive: isActive))
            wait(.microseconds(250_357))
        }
        wait(.milliseconds(740))
    }
}

var day = Day()
let header = TraceHeader(
    serviceVersion: "bench", gate: "bench", bootID: String(repeating: "0af3", count: 8),
    start: .zero, isSimulated: true, settings: "")
let path = "\(folder)/trace"
let recorder = try Recorder(
    path: path, limits: TraceLimits(size: 1 << 30, age: .seconds(48 * 3600)), header: header)
for number in 0..<passages {
    day.pass()
    // The queue has room for so many; a gate is never that fast.
    if number % 200 == 0 || number == passages - 1 {
        if recorder.wantsState { day.steps.append(.state(day.turnstile, .blank, at: day.now)) }
        recorder.take(&day.steps)
        usleep(600_000)
    }
}
recorder.close(within: .seconds(60))

let recording = try Recording(path: path)
let result = Replay.run(recording)
guard result.passages == passages, result.difference == nil, result.lost == 0 else {
    fatalError("\(result)")
}
let bytes = recording.pages.isEmpty ? 0 : recording.size
let replayed = (0..<3).map { _ in time { _ = Replay.run(recording) } }.min()!
let alone = (0..<3).map { _ in
    time {
        var turnstile = Turnstile(beginning)
        var sum = 0
        for event in day.events { _ = turnstile.handle(event) { _ in sum += 1 } }
        guard sum > 0 else { fatalError() }
    }
}.min()!
let window = time {
    let recording = try! Recording(path: path)
    var steps = 0
    _ = Replay.steps(of: recording, pages: recording.pages.count - 2..<recording.pages.count) { _ in
        steps += 1
        return true
    }
}
let perSecond = Double(passages) / (replayed / .seconds(1))
print("recorded: \(bytes) bytes for \(passages) passages, \(day.events.count) events")
print("replayed: \(Int(perSecond)) passages a second, \(replayed / alone) times the machine alone")
print("ten minutes of it: \(window)")
for name in try File.names(in: path) { try File.remove("\(path)/\(name)") }
rmdir(path)
rmdir(folder)
guard Double(bytes) <= mostBytes * Double(passages) / 30_000, replayed / alone <= mostTimes,
    window <= longestWindow
else {
    print("beyond its bounds: \(mostBytes) bytes, \(mostTimes) times, \(longestWindow)")
    exit(1)
}
