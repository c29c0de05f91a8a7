import Synchronization
public import Turnstile

/// How many edges each line has had since the start of the service.
///
/// One thread counts, and any may look: a number that is shown may be about to grow.
public final class EdgeCounts: Sendable {
    /// A place for every bit of the sets of inputs and of outputs, the inputs first.
    private static let inputs = 32

    private let counts = InlineArray<48, Atomic<UInt64>> { _ in Atomic(0) }

    package init() {}

    package func count(_ line: Line) {
        let index = Self.index(of: line)
        // Nobody else writes: what is read is as it was left.
        let count = counts[index].load(ordering: .relaxed)
        counts[index].store(count &+ 1, ordering: .relaxed)
    }

    var told: [(line: Line, count: UInt64)] {
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

/// What whoever follows the lines hears.
public enum EdgeNews: Hashable, Sendable {
    /// A line is active, or energised, or no longer, since then: in nanoseconds of monotonic time.
    case edge(Line, isOn: Bool, at: UInt64)
    /// So many edges, or more, are missing here.
    case lost(UInt64)

    /// How many edges are missing where it is not told.
    fileprivate var count: UInt64 {
        switch self {
        case .edge: 1
        case .lost(let count): count
        }
    }

    fileprivate var isLoss: Bool { if case .lost = self { true } else { false } }
}

/// So much of what happened as there is room for; what is missing stands where it is missing.
struct BoundedEdges: Hashable, Sendable {
    /// How many are kept, those among them that tell of a loss.
    let most: Int
    private(set) var all: [EdgeNews] = []

    init(most: Int) { self.most = most }

    /// Keeps it, or that it is missing.
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
