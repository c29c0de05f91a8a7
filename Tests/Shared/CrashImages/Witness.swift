/// Finds for each moment, as the kernel that uses the disk has traced it, the place in the log that
/// the disk had reached: whoever looks at the kernel's own trace knows how much of the log had been
/// done when a line changed.
///
/// The log holds no times. Kernel and disk count the same writes, though, from a mark on: a write
/// to sectors that nobody else writes to.
public struct Witness {
    /// What the kernel sees of a request.
    public enum Observation: Hashable, Sendable {
        /// These sectors were written.
        case written(Range<Int>)
        /// The disk was asked to flush.
        case flushBegan
        /// It has flushed.
        case flushEnded
    }

    private let log: WriteLog
    private let mark: Range<Int>
    /// The numbers of the writes that are still to be seen, by their sectors, latest first.
    private var unseen: [Range<Int>: [Int]] = [:]
    /// The numbers of the flushes, latest first; those are gone that are too early for the next.
    private var flushes: [Int]
    /// How many requests of the log are known to have been done.
    public private(set) var position: Int?
    /// The same for writes alone, and what of them each flush that has begun will bring.
    private var written = 0
    private var flushing: [Int] = []

    /// A witness of what `log` holds from the first write to the sectors `mark` on.
    public init(of log: WriteLog, mark: Range<Int>) {
        self.log = log
        self.mark = mark
        let numbered = log.entries.enumerated().reversed()
        flushes = numbered.filter { $0.element.kind == .flush }.map(\.offset)
        let begin = log.entries.firstIndex { $0.sectors == mark } ?? log.entries.count
        for (number, entry) in numbered where number >= begin && !entry.sectors.isEmpty {
            unseen[entry.sectors, default: []].append(number)
        }
    }

    /// Takes note of what the kernel saw next; ``position`` is that of this moment then, or nil
    /// before the mark.
    ///
    /// Throws if the log does not know of it.
    public mutating func see(_ observation: Observation) throws {
        guard position != nil || observation == .written(mark) else { return }
        switch observation {
        case .written(let sectors):
            guard let number = unseen[sectors]?.popLast() else {
                throw CrashImageError("no write of the sectors \(sectors) is in the log")
            }
            written = max(written, number + 1)
            position = max(position ?? 0, written)
        case .flushBegan:
            flushing.append(written)
        case .flushEnded:
            guard !flushing.isEmpty else { return }  // it began before the mark
            // Of several flushes without a write in between, the log may have one.
            let begun = flushing.removeFirst()
            while let flush = flushes.last, flush < begun { flushes.removeLast() }
            guard let flush = flushes.last else {
                throw CrashImageError("no flush after the first \(begun) requests is in the log")
            }
            position = max(position ?? 0, flush + 1)
        }
    }

    /// Throws unless all was seen that the log has until the last mark.
    public func confirm() throws {
        guard let end = log.entries.lastIndex(where: { $0.sectors == mark }), let position,
            position > end
        else { throw CrashImageError("the last mark was not seen") }
        let missed = unseen.values.joined().filter { $0 < end }
        guard missed.isEmpty else {
            throw CrashImageError("nobody saw the requests \(missed.sorted()) of the log")
        }
    }
}
