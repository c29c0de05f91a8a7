import CAllocations
import Foundation

/// A contestant: what it does with the events, as a checksum of its commands.
public struct Contestant {
    let name: String
    let bounds: [Bound]
    let copies: [() -> Int]

    /// A contestant that is called `name` in the table and has to keep within these bounds.
    ///
    /// Where its loop lies in memory makes it faster or slower by a tenth. So it is best compiled
    /// several times over; its time is the mean of the copies'.
    public init(_ name: String, _ bounds: Bound..., copies: [() -> Int]) {
        self.name = name
        self.bounds = bounds
        self.copies = copies
    }
}

/// What is asked of a contestant.
public enum Bound {
    /// No more than so many times what the first contestant takes.
    case ratio(Double)
    /// No more than so many blocks of memory in a whole round.
    case allocations(UInt)
}

/// What Tests/budgets allows.
public func budget(_ name: String) -> Double {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../../Tests/budgets")
    guard let text = try? String(contentsOf: file, encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(name) ") }),
        let number = Double(line.dropFirst(name.count + 1))
    else { fatalError("Tests/budgets has no \(name)") }
    return number
}

/// The bounds that were not kept so far, in words.
public private(set) nonisolated(unsafe) var misses: [String] = []

/// Notes, and prints, that `subject` did not keep a bound.
public func miss(_ subject: String) {
    misses.append(subject)
    print("   MISSED:", subject)
}

/// Says which bounds were not kept, if any, and ends the program accordingly.
public func finish() -> Never {
    for miss in misses { print("error:", miss) }
    exit(misses.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
}

/// Runs the contestants by turns, so that a slow moment of the machine hits them all, and prints
/// for each the median of its times and the median of its ratios to the first one in the same
/// round.
public func compare(_ title: String, events: Int, rounds: Int = 31, _ contestants: [Contestant]) {
    var times = Array(repeating: [Duration](), count: contestants.count)
    var allocations = Array(repeating: UInt.max, count: contestants.count)
    let checksum = contestants[0].copies[0]()
    for _ in 0..<rounds {
        for (place, contestant) in contestants.enumerated() {
            var time = Duration.zero
            for copy in contestant.copies {
                let before = allocation_count()
                let start = processorTime()
                let sum = copy()
                time += processorTime() - start
                allocations[place] = min(allocations[place], allocation_count() - before)
                precondition(sum == checksum, "\(contestant.name): another checksum")
            }
            times[place].append(time / contestant.copies.count / events)
        }
    }
    print("\(title), median of \(rounds) interleaved rounds of \(events) events")
    for (place, contestant) in contestants.enumerated() {
        // To two decimals: nobody can tell the third from noise.
        let ratio = (median(zip(times[place], times[0]).map { $0 / $1 }) * 100).rounded() / 100
        let nanoseconds = Double(median(times[place]).components.attoseconds) / 1e9
        print(
            "  ", padded(contestant.name, to: 46), fixed(nanoseconds), "ns  ", fixed(ratio), "×",
            "  allocations: \(allocations[place])")
        for bound in contestant.bounds {
            switch bound {
            case .ratio(let most) where ratio > most:
                miss("\(title), \(contestant.name): \(ratio) ×, asked \(most) ×")
            case .allocations(let most) where allocations[place] > most:
                miss(
                    "\(title), \(contestant.name): \(allocations[place]) allocations, asked \(most)"
                )
            case .ratio, .allocations: break
            }
        }
    }
}

/// The number in the middle.
public func median<Number: Comparable>(_ numbers: [Number]) -> Number {
    numbers.sorted()[numbers.count / 2]
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
