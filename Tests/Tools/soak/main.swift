import Glibc
import SecondOpinion
import Simulation
import Turnstile

// soak HOURS STEPS
//
// Days at the simulated gate and random walks, each from a new seed, until the hours are over or
// something does not hold. A passage through core, shell and hardware may cost so many steps of a
// plain loop. `TURNSTILED_SEED=n make test` tells the day of a seed again.

/// How many deeds make a day.
let deedsPerDay = 1_000
let maximumHours = 1_000.0
/// How many deeds are measured, of which three are a passage: two coins and a push.
let deedsOfMeasurement = 100_000

/// The processor's seconds that this program has used; POSIX counts them in microseconds.
func processorTime() -> Double { Double(clock()) / 1_000_000 }

func fail(_ complaint: String) -> Never {
    print(complaint)
    exit(1)
}

/// How many people a second go through on a day on which everybody pays and passes: through the
/// core alone, through core, shell and hardware, and with everything looked at all the time.
func measure(mostSteps: Int) throws {
    var (turnstile, events) = try Simulation.calmDay(seed: 1, deeds: deedsOfMeasurement)
    var passages = 0
    _ = report("core alone") {
        for event in events {
            _ = turnstile.handle(event) { command in
                if case .record(.passageCompleted) = command { passages += 1 }
            }
        }
        return passages
    }
    // The best of some runs: what else the machine does makes a run slower, never faster.
    let cost = try (1...5).map { _ in try report("core, shell and hardware", calmDay) }.min()!
    if cost > mostSteps {
        fail("a passage costs \(cost) steps of a plain loop, asked \(mostSteps)")
    }
    _ = try report("all of it, audited") {
        try Simulation.run(seed: 1, deeds: deedsOfMeasurement, day: .calm).passages
    }
}

/// A calm day on which nobody looks at anything but the accounts at its end.
func calmDay() throws -> Int {
    let report = try Simulation.run(
        seed: 1, deeds: deedsOfMeasurement, day: .calm, isAudited: false)
    guard report.isBalanced else { fail("the registers do not account for a calm day") }
    return report.passages
}

/// Prints how many passages `body` makes in a second, and says what one costs in steps of a plain
/// loop, which makes machines comparable.
func report(_ what: String, _ body: () throws -> Int) rethrows -> Int {
    let step = plainStep()
    let start = processorTime()
    let passages = try body()
    let passage = (processorTime() - start) / Double(passages)
    print(
        "a calm day, \(what): \(Int(1 / passage)) passages a second and core; "
            + "one costs \(Int(passage / step)) steps of a plain loop")
    return Int(passage / step)
}

/// The seconds that one step of a loop takes in which each multiplication waits for the last one.
func plainStep() -> Double {
    let steps = 20_000_000
    let start = processorTime()
    var number: UInt64 = 1
    for _ in 0..<steps { number = (number ^ number >> 29) &* 0xBF58_476D_1CE4_E5B9 }
    // Looked at, so that the loop is not left out.
    precondition(number != 0)
    return (processorTime() - start) / Double(steps)
}

func soak(for duration: Duration) throws {
    let wall = ContinuousClock()
    let end = wall.now + duration
    var nextNews = wall.now
    var days = 0
    var passages = 0
    let start = processorTime()
    while wall.now < end {
        let report = try Simulation.run(seed: .random(in: 0...(.max)), deeds: deedsPerDay)
        if let story = Walk(seed: .random(in: 0...(.max)), episodes: 60).disagreement() {
            fail(story)
        }
        days += 1
        passages += report.passages
        if wall.now >= nextNews {
            nextNews = wall.now + .seconds(60)
            let rate = Double(passages) / (processorTime() - start)
            print(
                "\(days) troubled days: \(passages) passages, "
                    + "\(Int(rate)) passages a second and core")
        }
    }
    print("\(days) troubled days: \(passages) passages; all that must hold held")
}

guard CommandLine.arguments.count == 3, let hours = Double(CommandLine.arguments[1]),
    hours > 0, hours <= maximumHours, let mostSteps = Int(CommandLine.arguments[2])
else {
    fail("usage: soak HOURS STEPS, hours above 0 and at most \(Int(maximumHours)); 0.01 is 36 s")
}
do {
    try measure(mostSteps: mostSteps)
    try soak(for: .seconds(hours * 3_600))
} catch {
    fail("\(error)")
}
