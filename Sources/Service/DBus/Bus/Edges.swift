import Synchronization
public import Turnstile

/// Counts the edges of each line since the service's start.
///
/// One thread counts. Any may read, and may miss the latest edges.
public final class EdgeCounts: Sendable {
    /// The index of the first output's counter: those of the inputs come before.
    private static let inputs = 32

    private let counts = InlineArray<48, Atomic<UInt64>> { _ in Atomic(0) }

    package init() {}

    package func count(_ line: Line) {
        let index = Self.index(of: line)
        // No other thread writes.
        let count = counts[index].load(ordering: .relaxed)
        counts[index].store(count &+ 1, ordering: .relaxed)
    }

    /// The lines with edges so far.
    var nonzero: [(line: Line, count: UInt64)] {
        Line.words.compactMap { line in
            let count = counts[Self.index(of: line)].load(ordering: .relaxed)
            return count == 0 ? nil : (line, count)
        }
    }

    private static func index(of line: Line) -> Int {
        switch line {
        case .input(let input): input.index
        case .output(let output): inputs + output.index
        }
    }
}

/// A message for the followers of the lines.
public enum EdgeNews: Hashable, Sendable {
    /// A new level of a line, and when, in nanoseconds of monotonic time.
    case edge(Line, isOn: Bool, at: UInt64)
    /// At least this many edges are missing here.
    case lost(UInt64)

    /// How many edges are missing if this entry is dropped.
    fileprivate var count: UInt64 {
        switch self {
        case .edge: 1
        case .lost(let count): count
        }
    }

    fileprivate var isLoss: Bool { if case .lost = self { true } else { false } }
}

/// A bounded list of edges; missing ones are counted in their place.
struct BoundedEdges: Hashable, Sendable {
    /// The largest number of entries, losses included.
    let most: Int
    private(set) var all: [EdgeNews] = []

    init(most: Int) { self.most = most }

    /// Adds the edge, or counts it as missing.
    mutating func add(_ news: EdgeNews) {
        if case .lost(let count)? = all.last, news.isLoss || all.count >= most {
            all[all.count - 1] = .lost(count + news.count)
        } else if news.isLoss || all.count < most - 1 {
            all.append(news)
        } else {
            all.append(.lost(1))
        }
    }
}
