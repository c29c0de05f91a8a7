import CGPIO
import Hardware
import StateMachines
import Turnstile

/// One descriptor at which edges wait.
protocol EdgeSource {
    /// The descriptor.
    var descriptor: CInt { get }

    /// Reads what waits into `events`, as many as there is room for, and returns how many there
    /// were. Never blocks.
    func read(
        into events: UnsafeMutableBufferPointer<cgpio_event>
    ) throws(HardwareError) -> Int

    /// The input on the line at `offset`.
    func input(at offset: CUnsignedInt) -> Input
}

/// The edges that were read from one descriptor and wait to be handed over, oldest first.
// Sound: the memory is made in init, freed in deinit alone, and never leaves this object.
@safe final class EdgeQueue<Source: EdgeSource> {
    /// Where they come from.
    let source: Source
    private let events: UnsafeMutableBufferPointer<cgpio_event>
    private var head = 0
    private var end = 0
    private var sequence: EdgeSequence?

    /// A queue with this room. `isNumbered` says that the edges carry sequence numbers.
    init(_ source: Source, room: Int, isNumbered: Bool) {
        self.source = source
        unsafe events = .allocate(capacity: room)
        unsafe events.initialize(repeating: cgpio_event())
        sequence = isNumbered ? EdgeSequence() : nil
    }

    deinit {
        unsafe events.deallocate()
    }

    /// How many edges wait.
    var count: Int { end - head }

    /// When the oldest edge happened, or nil for an empty queue.
    var oldest: Instant? { head < end ? time(at: head) : nil }

    /// When the newest edge happened, or nil for an empty queue.
    var newest: Instant? { head < end ? time(at: end - 1) : nil }

    private func time(at index: Int) -> Instant {
        Instant(nanoseconds: unsafe events[index].nanoseconds)
    }

    /// Reads what waits at the descriptor, as far as there is room.
    func fill() throws(HardwareError) {
        if head == end {
            head = 0
            end = 0
        }
        guard unsafe end < events.count else { return }
        end += try unsafe source.read(into: UnsafeMutableBufferPointer(rebasing: events[end...]))
    }

    /// Hands over all edges.
    func takeAll(_ body: (LineEvent) -> Void) {
        while head < end { takeOldest(body) }
    }

    /// Takes the oldest edge off the queue and hands it over, after what was lost before it.
    func takeOldest(_ body: (LineEvent) -> Void) {
        precondition(head < end, "the queue is empty")
        // Sound: the index is in bounds.
        let event = unsafe events[head]
        let time = Instant(nanoseconds: event.nanoseconds)
        head += 1
        if let lost = sequence?.lost(before: event.number), lost > 0 {
            body(.lost(count: lost, at: time))
        }
        body(.edge(source.input(at: event.offset), isActive: event.active, at: time))
    }
}
