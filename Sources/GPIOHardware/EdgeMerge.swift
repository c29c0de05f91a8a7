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

    /// Reads what waits.
    ///
    /// With several descriptors, an edge can come to one that has just been read, and a later one
    /// to another that is read next. So they are read again while there are edges that are newer
    /// than the round, but for a few rounds only: a storm must not hold the caller.
    mutating func fill(now: () -> Instant) throws(HardwareError) {
        for _ in 0..<(queues.count > 1 ? Self.mostRounds : 1) {
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
