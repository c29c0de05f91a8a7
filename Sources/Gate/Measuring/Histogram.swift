import StateMachines

/// How often durations come, in bins of one width, as lines for people.
public struct Histogram: Hashable, Sendable {
    /// How many came, by the number of their bin; no bin but the first and the last is empty at
    /// the ends.
    public let counts: [Int]
    /// Where the first bin begins.
    public let start: Duration
    /// How wide each bin is.
    public let width: Duration

    /// These durations in `most` bins at most; nil if there are no durations.
    public init?(_ durations: [Duration], most: Int = 12) {
        let milliseconds = durations.map { $0.wholeNanoseconds / 1_000_000 }
        guard let low = milliseconds.min(), let high = milliseconds.max() else { return nil }
        let widths: [Int64] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
        let fitting = widths.first { high / $0 - low / $0 < Int64(most) }
        let width = fitting ?? (high - low) / Int64(most) + 1
        let first = low / width
        var counts = [Int](repeating: 0, count: Int(high / width - first + 1))
        for value in milliseconds { counts[Int(value / width - first)] += 1 }
        self.counts = counts
        start = .milliseconds(first * width)
        self.width = .milliseconds(width)
    }

    /// A line for each bin: `  45 to  50 ms  ████████ 12`.
    public var lines: [String] {
        let longest = 40
        let most = counts.max() ?? 1
        let ends = counts.indices.map { start + width * $0 }.map { "\($0.wholeMilliseconds)" }
        let last = "\((start + width * counts.count).wholeMilliseconds)"
        let room = last.count
        return counts.indices.map { index in
            let (from, to) = (ends[index], index + 1 < ends.count ? ends[index + 1] : last)
            let blocks = (counts[index] * longest + most - 1) / most
            let bar = String(repeating: "█", count: blocks)
            return "\(from.padded(to: room)) to \(to.padded(to: room)) ms  "
                + (counts[index] == 0 ? "" : "\(bar) \(counts[index])")
        }
    }
}

extension Duration {
    /// In whole milliseconds, rounded down.
    var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }

    /// `50ms`.
    var inMilliseconds: String { "\(wholeMilliseconds)ms" }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
