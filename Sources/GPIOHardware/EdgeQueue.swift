import CGPIO
import Hardware
import StateMachines
import Turnstile

/// One descriptor at which edges wait.
protocol EdgeSource {
    /// The descriptor.
    var descriptor: CInt { get }

    /// Reads what waits into `events`, from the element at `start` to the end at most, and
    /// returns how many there were. Never blocks.
    func read(
        into events: inout [cgpio_event], from start: Int
    ) throws(HardwareError) -> Int

    /// The input on the line at `offset`.
    func input(at offset: CUnsignedInt) -> Input
}

/// The edges that were read from one descriptor and wait to be handed over, oldest first.
struct EdgeQueue<Source: EdgeSource> {
    /// Where they come from.
    let source: Source
    private var events: [cgpio_event]
    private var head = 0
    private var end = 0
    private var sequence: EdgeSequence?

    /// A queue with this room. `isNumbered` says that the edges carry sequence numbers.
    init(_ source: Source, room: Int, isNumbered: Bool) {
        self.source = source
        events = Array(repeating: cgpio_event(), count: room)
        sequence = isNumbered ? EdgeSequence() : nil
    }

    /// How many edges wait.
    var count: Int { end - head }

    /// When the oldest edge happened, or nil for an empty queue.
    var oldest: Instant? { head < end ? time(at: head) : nil }

    /// When the newest edge happened, or nil for an empty queue.
    var newest: Instant? { head < end ? time(at: end - 1) : nil }

    private func time(at index: Int) -> Instant {
        Instant(nanoseconds: events[index].nanoseconds)
    }

    /// Reads what waits at the descriptor, as far as there is room.
    mutating func fill() throws(HardwareError) {
        if head == end { (head, end) = (0, 0) }
        guard end < events.count else { return }
        end += try source.read(into: &events, from: end)
    }

    /// Takes the oldest edge off the queue and hands it over, after what was lost before it.
    mutating func takeOldest(_ body: (LineEvent) -> Void) {
        let event = events[head]
        let time = time(at: head)
        head += 1
        if let lost = sequence?.lost(before: event.number), lost > 0 {
            body(.lost(count: lost, at: time))
        }
        body(.edge(source.input(at: event.offset), isActive: event.active, at: time))
    }
}
