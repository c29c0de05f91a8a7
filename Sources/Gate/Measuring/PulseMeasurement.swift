import StateMachines
import Turnstile

/// The pulses of an acceptor's line, and the settings that fit them.
public struct PulseMeasurement: Hashable, Sendable {
    /// How wide the pulses are, one by one, in order.
    public let widths: [Duration]
    /// How many pulses each coin had, in order.
    public let coins: [Int]
    /// The pauses between the pulses of a coin.
    public let gaps: [Duration]
    /// The pauses between coins.
    public let pauses: [Duration]
    /// The line's bounces; nil if unknown.
    public let bounce: Bounce?

    /// Measures the edges recorded while coins were dropped. An open pulse is ignored.
    public init(_ trace: LineTrace) {
        let (changes, bounce) = trace.settled(after: Bounce.bound(of: .coinPulse))
        self.bounce = bounce
        var pulses: [(start: Instant, end: Instant)] = []
        var start: Instant?
        for change in changes {
            if change.isActive {
                start = change.time
            } else if let begun = start {
                pulses.append((begun, change.time))
                start = nil
            }
        }
        widths = pulses.map { $0.end - $0.start }
        let all = zip(pulses, pulses.dropFirst()).map { $1.start - $0.end }
        let limit = Self.limit(of: all)
        gaps = all.filter { $0 < limit }
        pauses = all.filter { $0 >= limit }
        var coins = pulses.isEmpty ? [] : [1]
        for gap in all {
            if gap < limit { coins[coins.count - 1] += 1 } else { coins.append(1) }
        }
        self.coins = coins
    }

    /// The shortest pause between coins: the one after the largest step among the pauses, by ratio,
    /// since people are slower than acceptors. Without a large step, all pauses are of one kind, by
    /// the longest gap that an acceptor may have.
    private static func limit(of pauses: [Duration]) -> Duration {
        let sorted = pauses.sorted()
        var best: (ratio: Double, limit: Duration)?
        for (a, b) in zip(sorted, sorted.dropFirst()) where b > longestGap / 2 {
            let ratio = b / max(a, .milliseconds(1))
            if ratio > best?.ratio ?? 1.5 { best = (ratio, b) }
        }
        return best?.limit ?? longestGap
    }

    /// The longest silence that can be set to end a coin.
    private static let longestGap: Duration = .milliseconds(500)
}

// Proposed settings.
extension PulseMeasurement {
    /// The nominal width of a pulse: the middle one, to five milliseconds; nil without any.
    public var pulseWidth: Duration? {
        widths.median.map { .milliseconds(max(20, min(500, ($0.wholeMilliseconds + 2) / 5 * 5))) }
    }

    /// The silence that ends a coin: half as much again as the longest gap within one, longer than
    /// a pulse, and not longer than the shortest pause between two where that is known.
    public var trainQuiet: Duration? {
        guard let width = pulseWidth else { return nil }
        let gap = gaps.max() ?? width
        let wanted = max(gap + gap / 2, width + .milliseconds(10), .milliseconds(120))
        let most = min(pauses.min() ?? .milliseconds(500), .milliseconds(500))
        let quiet = max(min(wanted, most), gap)
        return .milliseconds((quiet.wholeMilliseconds + 9) / 10 * 10)
    }

    /// How often coins of each number of pulses came, by that number.
    public var values: [(pulses: Int, coins: Int)] {
        Dictionary(grouping: coins) { $0 }.map { ($0.key, $0.value.count) }
            .sorted { $0.0 < $1.0 }
    }

    /// Possible problems, in sentences.
    public var warnings: [String] {
        guard let width = pulseWidth, let quiet = trainQuiet else {
            return ["no pulse came: does the acceptor have power, and is the line the right one?"]
        }
        var warnings: [String] = []
        let strays = widths.filter { $0 * 2 < width || $0 > width * 2 }.count
        if strays > 0 {
            warnings.append(
                "\(strays) of \(widths.count) pulses are not half to double of "
                    + "\(width.inMilliseconds) wide: they would count as noise")
        }
        if let pause = pauses.min(), pause <= quiet {
            warnings.append(
                "two coins came within \(pause.inMilliseconds): drop them one by one, a second "
                    + "apart")
        }
        if let gap = gaps.max(), gap >= .milliseconds(500) {
            warnings.append("the gap within a coin is up to \(gap.inMilliseconds): 500ms at most")
        }
        return warnings
    }

    /// Lines to paste into the settings, below `coin` or `coin: second`; empty without any pulse.
    public var settings: [String] {
        guard let width = pulseWidth, let quiet = trainQuiet else { return [] }
        let names = values.map { "\($0.pulses): …" }.joined(separator: ", ")
        let counts = values.map { "\($0.pulses): \($0.coins) coin\($0.coins == 1 ? "" : "s")" }
        return [
            "pulse_width: \(width.inMilliseconds)", "train_quiet: \(quiet.inMilliseconds)",
            "values: {\(names)}    # what coins of so many pulses are worth; came: "
                + counts.joined(separator: ", "),
        ]
    }
}

extension [Duration] {
    /// The median: of an even number the later of the two in the middle; nil if empty.
    fileprivate var median: Duration? { isEmpty ? nil : sorted()[count / 2] }
}
