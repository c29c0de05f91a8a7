import CGPIO
import Hardware
import StateMachines
import Turnstile

/// One descriptor at which edges wait.
protocol EdgeSource {
    var descriptor: CInt { get }

    /// Reads queued edges into `events`, up to its size; returns their number. Never blocks.
    func read(
        into events: UnsafeMutableBufferPointer<cgpio_event>
    ) throws(HardwareError) -> Int

    func input(at offset: CUnsignedInt) -> Input
}

/// The edges that were read from one descriptor and wait to be handed over, oldest first.
// Sound: the memory is made in init, freed in deinit alone, and never leaves this object.
@safe final class EdgeQueue<Source: EdgeSource> {
    let source: Source
    private let events: UnsafeMutableBufferPointer<cgpio_event>
    private var head = 0
    private var end = 0
    private var sequence: EdgeSequence?
    private var keptLoss: KeptLoss

    /// A queue with this room. `isNumbered`: the edges carry sequence numbers.
    ///
    /// `keptDepth`: of a descriptor that was kept without a reader, the depth of its queue: if that
    /// is full, an unknown number of edges may have been lost.
    init(_ source: Source, room: Int, isNumbered: Bool, keptDepth: Int? = nil) {
        self.source = source
        keptLoss = keptDepth.map { .unknown(depth: $0) } ?? .none
        unsafe events = .allocate(capacity: room)
        unsafe events.initialize(repeating: cgpio_event())
        sequence = isNumbered ? EdgeSequence(isFirst: keptDepth == nil) : nil
    }

    deinit {
        unsafe events.deallocate()
    }

    var count: Int { end - head }

    var oldest: Instant? { head < end ? time(at: head) : nil }

    var newest: Instant? { head < end ? time(at: end - 1) : nil }

    private func time(at index: Int) -> Instant {
        Instant(nanoseconds: unsafe events[index].nanoseconds)
    }

    func fill() throws(HardwareError) {
        if head == end {
            head = 0
            end = 0
        }
        guard unsafe end < events.count else { return }
        let room = unsafe UnsafeMutableBufferPointer(rebasing: events[end...])
        let count = try unsafe source.read(into: room)
        end += count
        if case .unknown(let depth) = keptLoss {
            keptLoss = count < depth ? .none : sequence == nil ? .after(depth) : .before
        }
    }

    func takeAll(_ body: (LineEvent) -> Void) {
        while head < end { takeOldest(body) }
    }

    /// Removes the oldest edge and passes it on, after any loss before it.
    func takeOldest(_ body: (LineEvent) -> Void) {
        precondition(head < end, "the queue is empty")
        // Sound: the index is in bounds.
        let event = unsafe events[head]
        let time = Instant(nanoseconds: event.nanoseconds)
        head += 1
        var lost = sequence?.lost(before: event.number) ?? 0
        if keptLoss == .before {
            keptLoss = .none
            lost += 1
        }
        if lost > 0 { body(.lost(count: lost, at: time)) }
        body(.edge(source.input(at: event.offset), isActive: event.active, at: time))
        if case .after(let count) = keptLoss {
            keptLoss = count > 1 ? .after(count - 1) : .none
            if count == 1 { body(.lost(count: 1, at: time)) }
        }
    }
}

/// Whether edges were lost while the descriptor had no reader.
private enum KeptLoss: Hashable {
    case none
    /// The descriptor, where so many edges can wait, was not read yet.
    case unknown(depth: Int)
    /// The newest pushed out the oldest.
    case before
    /// There was no room for those that came after the next so many.
    case after(Int)
}
