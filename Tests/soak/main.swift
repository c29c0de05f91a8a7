import Glibc
import SecondOpinion
import Simulation
import Turnstile

// soak HOURS
//
// Days at the simulated gate and random walks, each from a new seed, until the hours are over or
// something does not hold. `TURNSTILED_SEED=n make test` tells the day of a seed again.

/// How many deeds make a day.
let deedsPerDay = 1_000
let maximumHours = 1_000.0

/// The processor's seconds that this program has used; POSIX counts them in microseconds.
func processorTime() -> Double { Double(clock()) / 1_000_000 }

func fail(_ complaint: String) -> Never {
    print(complaint)
    exit(1)
}

/// How many people a second go through on a day on which everybody pays and passes: through the
/// core alone, through core, shell and hardware, and with everything looked at all the time.
func measure() throws {
    var (turnstile, events) = try Simulation.calmDay(seed: 1, deeds: 100_000)
    var passages = 0
    report("core alone") {
        for event in events {
            _ = turnstile.handle(event) { command in
                if case .record(.passageCompleted) = command { passages += 1 }
            }
        }
        return passages
    }
    for isAudited in [false, true] {
        try report(isAudited ? "all of it, audited" : "core, shell and hardware") {
            try Simulation.run(seed: 1, deeds: 100_000, day: .calm, isAudited: isAudited).passages
        }
    }
}

func report(_ what: String, _ body: () throws -> Int) rethrows {
    let start = processorTime()
    let passages = try body()
    let rate = Int(Double(passages) / (processorTime() - start))
    print("a calm day, \(what): \(rate) passages a second and core, \(passages) in all")
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

guard CommandLine.arguments.count == 2, let hours = Double(CommandLine.arguments[1]),
    hours > 0, hours <= maximumHours
else { fail("usage: soak HOURS, above 0 and at most \(Int(maximumHours)); 0.01 is 36 seconds") }
do {
    try measure()
    try soak(for: .seconds(hours * 3_600))
} catch {
    fail("\(error)")
}
