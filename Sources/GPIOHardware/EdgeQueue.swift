import CGPIO
import Hardware
import StateMachines

/// The edges that were read from one descriptor and wait to be handed over, oldest first.
struct EdgeQueue {
    /// The descriptor.
    let descriptor: CInt
    private let request: InputRequest
    private let index: Int
    private var events: [cgpio_event]
    private var head = 0
    private var end = 0
    private var sequence = EdgeSequence()

    /// The queue of the request's descriptor with this index.
    init(_ request: InputRequest, descriptor index: Int) {
        self.request = request
        self.index = index
        descriptor = request.descriptors[index]
        // As much as the kernel holds, and more where that is little: it is read several times.
        events = Array(repeating: cgpio_event(), count: max(64, cgpio_queue_depth()))
    }

    /// When the oldest edge happened, or nil for an empty queue.
    var oldest: Instant? {
        head < end ? Instant(nanoseconds: events[head].nanoseconds) : nil
    }

    /// When the newest edge happened, or nil for an empty queue.
    var newest: Instant? {
        head < end ? Instant(nanoseconds: events[end - 1].nanoseconds) : nil
    }

    /// Reads what waits at the descriptor, as far as there is room.
    mutating func fill() throws(HardwareError) {
        if head == end { (head, end) = (0, 0) }
        guard end < events.count else { return }
        end += try request.read(descriptor: index, into: &events, from: end)
    }

    /// Takes the oldest edge off the queue and hands it over, after what was lost before it.
    mutating func takeOldest(_ body: (LineEvent) -> Void) {
        let event = events[head]
        let time = Instant(nanoseconds: event.nanoseconds)
        head += 1
        if cgpio_numbers_events() {
            let lost = sequence.lost(before: event.number)
            if lost > 0 { body(.lost(count: lost, at: time)) }
        }
        body(.edge(request.input(at: event.offset), isActive: event.active, at: time))
    }
}
