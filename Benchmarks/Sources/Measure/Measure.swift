import CAllocations
import Glibc

/// A contestant: what it does with the events, as a checksum of its commands.
public struct Contestant {
    let name: String
    let run: () -> Int

    /// A contestant that is called `name` in the table.
    public init(name: String, run: @escaping () -> Int) {
        self.name = name
        self.run = run
    }
}

/// Runs the contestants by turns, so that a slow moment of the machine hits them all, and prints
/// the median of each and its ratio to the first one's.
///
/// Returns what was measured, in the order of the contestants.
@discardableResult
public func compare(
    _ title: String, events: Int, rounds: Int = 31, _ contestants: [Contestant]
) -> [Result] {
    var times = Array(repeating: [Duration](), count: contestants.count)
    var checksums = Array(repeating: 0, count: contestants.count)
    var allocations = Array(repeating: UInt.max, count: contestants.count)
    for _ in 0..<rounds {
        for (place, contestant) in contestants.enumerated() {
            let before = allocation_count()
            let start = processorTime()
            checksums[place] = contestant.run()
            times[place].append(processorTime() - start)
            allocations[place] = min(allocations[place], allocation_count() - before)
        }
    }
    print("\(title), median of \(rounds) interleaved rounds of \(events) events")
    let medians = times.map { $0.sorted()[rounds / 2] / events }
    for (place, contestant) in contestants.enumerated() {
        precondition(checksums[place] == checksums[0], "\(contestant.name): another checksum")
        let nanoseconds = Double(medians[place].components.attoseconds) / 1e9
        print(
            "  ", padded(contestant.name, to: 34), fixed(nanoseconds), "ns",
            padded("", to: 2), fixed(medians[place] / medians[0]), "×",
            "  allocations: \(allocations[place])")
    }
    return contestants.indices.map {
        Result(ratio: medians[$0] / medians[0], allocations: allocations[$0])
    }
}

/// What was measured of a contestant.
public struct Result {
    /// Its median time, as a multiple of the first contestant's.
    public let ratio: Double
    /// How many blocks of memory its best round asked for.
    public let allocations: UInt
}

/// The time that this thread has had of a processor: what other processes take does not count.
public func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// `text` with spaces behind it, up to `width` characters.
public func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

/// Two decimals, flush right.
public func fixed(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
}
