import Hardware
import StateMachines

/// The edges of several descriptors, in the order of time.
struct EdgeMerge<Source: EdgeSource> {
    /// How often the descriptors are read, at most, before their edges are handed over.
    static var mostRounds: Int { 4 }

    private var queues: [EdgeQueue<Source>]

    /// The edges of these queues.
    init(_ queues: [EdgeQueue<Source>]) {
        self.queues = queues
    }

    /// The descriptors, one per queue.
    var descriptors: [CInt] { queues.map(\.source.descriptor) }

    /// Reads what waits, knowing which descriptors a look at all of them found ready.
    ///
    /// Where each of these has one edge, the look saw them all, and there is no more to be read.
    /// Otherwise an edge may have come to a descriptor after the look, and a later one to another
    /// before it was read. So all are read again while there are edges that are newer than the
    /// round, but for a few rounds only: a storm must not hold the caller.
    mutating func fill(
        ready: [CInt], now: () -> Instant
    ) throws(HardwareError) {
        var isComplete = true
        for index in queues.indices where ready.contains(queues[index].source.descriptor) {
            try queues[index].fill()
            if queues[index].count > 1 { isComplete = false }
        }
        if isComplete || queues.count == 1 { return }
        for _ in 1..<Self.mostRounds {
            let start = now()
            var newest = start
            for index in queues.indices {
                try queues[index].fill()
                newest = max(newest, queues[index].newest ?? start)
            }
            if newest == start { return }
        }
    }

    /// Hands over all that was read.
    mutating func takeAll(_ body: (LineEvent) -> Void) {
        while let index = queueOfOldest() { queues[index].takeOldest(body) }
    }

    /// The queue with the oldest edge, or nil when all are empty.
    private func queueOfOldest() -> Int? {
        var oldest: (index: Int, time: Instant)?
        for index in queues.indices {
            guard let time = queues[index].oldest else { continue }
            if oldest.map({ time < $0.time }) ?? true { oldest = (index, time) }
        }
        return oldest?.index
    }
}
