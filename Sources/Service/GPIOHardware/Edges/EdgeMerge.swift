import Hardware
import StateMachines

/// The edges of several descriptors, in the order of time.
final class EdgeMerge<Source: EdgeSource> {
    /// How often the descriptors are read, at most, before their edges are handed over.
    static var mostRounds: Int { 4 }

    private(set) var descriptors: [CInt]
    private var queues: [EdgeQueue<Source>]
    private let now: () -> Instant

    /// The edges of these queues; `now` gives the time.
    init(_ queues: [EdgeQueue<Source>], now: @escaping () -> Instant) {
        self.queues = queues
        self.now = now
        descriptors = queues.map(\.source.descriptor)
    }

    func close() {
        descriptors = []
        queues = []
    }

    /// Reads the queued edges, and passes them on, even if a read failed. `ready` are the
    /// descriptors that the last poll reported readable.
    func take(
        at ready: [CInt], _ body: (LineEvent) -> Void
    ) throws(HardwareError) {
        if ready.count == 1, let index = descriptors.firstIndex(of: ready[0]) {
            let queue = queues[index]
            try queue.fill()
            if queue.count <= 1 || queues.count == 1 { return queue.takeAll(body) }
        }
        var failure: HardwareError?
        do {
            try fill(at: ready)
        } catch {
            failure = error
        }
        while let queue = queueOfOldest() { queue.takeOldest(body) }
        if let failure { throw failure }
    }

    /// Reads the edges queued at several descriptors.
    ///
    /// One edge at each of them is what the poll saw. If there are more, one may have come to a
    /// descriptor after the poll, and a later one to another before that was read. So all are read
    /// again while there are edges newer than the round, but for a few rounds only: a storm must
    /// not hold the caller.
    private func fill(at ready: [CInt]) throws(HardwareError) {
        for queue in queues where queue.count == 0 && ready.contains(queue.source.descriptor) {
            try queue.fill()
        }
        if queues.allSatisfy({ $0.count <= 1 }) { return }
        for _ in 1..<Self.mostRounds {
            let start = now()
            var newest = start
            for queue in queues {
                try queue.fill()
                newest = max(newest, queue.newest ?? start)
            }
            if newest == start { return }
        }
    }

    private func queueOfOldest() -> EdgeQueue<Source>? {
        var oldest: (queue: EdgeQueue<Source>, time: Instant)?
        for queue in queues {
            guard let time = queue.oldest else { continue }
            if oldest.map({ time < $0.time }) ?? true { oldest = (queue, time) }
        }
        return oldest?.queue
    }
}
