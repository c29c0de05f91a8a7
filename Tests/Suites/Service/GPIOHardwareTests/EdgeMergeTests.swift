import CGPIO
import Hardware
import StateMachines
import Testing
import Turnstile

@testable import GPIOHardware

/// A kernel whose clock stands still unless it is moved, with two descriptors: the edges of
/// `rotor_a` wait at the first one, those of `rotor_b` at the second.
private final class ScriptedKernel {
    var now: Int64 = 0
    var waiting: [[cgpio_event]] = [[], []]
    var failing: Int?
    /// What happens after a descriptor was read, by the count of reads.
    var afterRead: (Int) -> Void = { _ in }
    private(set) var reads = 0

    /// The descriptors at which edges wait.
    var ready: [CInt] { waiting.indices.filter { !waiting[$0].isEmpty }.map { CInt($0) } }

    /// An edge now, on the line of this descriptor.
    func edge(_ index: Int, number: UInt32 = 0) {
        now += 1
        waiting[index].append(
            cgpio_event(
                nanoseconds: now, offset: CUnsignedInt(index), active: true, number: number))
    }

    /// Both descriptors' edges.
    func merge(
        room: Int = 8, isNumbered: Bool = false, keptDepth: Int? = nil
    ) -> EdgeMerge<Source> {
        EdgeMerge(
            [0, 1].map {
                EdgeQueue(
                    Source(kernel: self, index: $0), room: room, isNumbered: isNumbered,
                    keptDepth: keptDepth)
            }, now: { [unowned self] in Instant(nanoseconds: now) })
    }

    struct Source: EdgeSource {
        let kernel: ScriptedKernel
        let index: Int
        var descriptor: CInt { CInt(index) }

        func read(
            into events: UnsafeMutableBufferPointer<cgpio_event>
        ) throws(HardwareError) -> Int {
            if kernel.failing == index { throw HardwareError(.failed, "the chip is gone") }
            let taken = kernel.waiting[index].prefix(events.count)
            kernel.waiting[index].removeFirst(taken.count)
            // Sound: there are at most as many as there is room for.
            unsafe _ = events.update(fromContentsOf: taken)
            kernel.reads += 1
            kernel.afterRead(kernel.reads)
            return taken.count
        }

        func input(at offset: CUnsignedInt) -> Input { offset == 0 ? .rotorA : .rotorB }
    }
}

extension EdgeMerge where Source == ScriptedKernel.Source {
    /// What one call hands over after a look at the kernel: `a3` for an edge of `rotor_a` at 3,
    /// `lost 2` for lost edges.
    fileprivate func take(_ kernel: ScriptedKernel) throws(HardwareError) -> [String] {
        var taken: [String] = []
        try take(kernel, into: &taken)
        return taken
    }

    fileprivate func take(
        _ kernel: ScriptedKernel, into taken: inout [String]
    ) throws(HardwareError) {
        try take(at: kernel.ready) { event in
            switch event {
            case .edge(let input, _, let time):
                taken.append((input == .rotorA ? "a" : "b") + String(time.nanoseconds))
            case .lost(let count, _): taken.append("lost \(count)")
            }
        }
    }
}

@Suite struct EdgeMergeTests {
    private let kernel = ScriptedKernel()

    @Test func `edges of two descriptors come in the order of time`() throws {
        let merge = kernel.merge()
        for index in [1, 0, 0, 1, 0] { kernel.edge(index) }
        #expect(try merge.take(kernel) == ["b1", "a2", "a3", "b4", "a5"])
        #expect(try merge.take(kernel) == [])
    }

    @Test func `an edge that comes behind the reader's back keeps its place`() throws {
        let merge = kernel.merge()
        kernel.edge(0)
        kernel.edge(1)
        kernel.afterRead = { [kernel] reads in
            guard reads == 1 else { return }
            kernel.edge(0)
            kernel.edge(1)
        }
        #expect(try merge.take(kernel) == ["a1", "b2", "a3", "b4"])
    }

    @Test func `a single edge takes a single read`() throws {
        let merge = kernel.merge()
        kernel.edge(1)
        #expect(try merge.take(kernel) == ["b1"])
        #expect(kernel.reads == 1)
    }

    @Test func `a storm ends the call after a few rounds`() throws {
        let merge = kernel.merge(room: 100)
        for _ in 0..<2 { kernel.edge(0) }
        kernel.afterRead = { [kernel] reads in kernel.edge((reads + 1) % 2) }
        let count = try merge.take(kernel).count
        #expect(count == 2 * EdgeMerge<ScriptedKernel.Source>.mostRounds)
    }

    @Test func `what finds no room is left for the next call`() throws {
        let merge = kernel.merge(room: 2)
        for _ in 0..<5 { kernel.edge(0) }
        #expect(try merge.take(kernel) == ["a1", "a2"])
        #expect(try merge.take(kernel) == ["a3", "a4"])
        #expect(try merge.take(kernel) == ["a5"])
    }

    @Test func `a gap in the numbers of one descriptor shows before its edge`() throws {
        let merge = kernel.merge(isNumbered: true)
        kernel.edge(0, number: 1)
        kernel.edge(1, number: 3)
        kernel.edge(0, number: 2)
        kernel.edge(0, number: 7)
        #expect(try merge.take(kernel) == ["a1", "lost 2", "b2", "a3", "lost 4", "a4"])
    }

    @Test func `edges that were read before a failure are handed over`() throws {
        let merge = kernel.merge()
        kernel.edge(0)
        kernel.edge(1)
        kernel.failing = 1
        var taken: [String] = []
        #expect(throws: HardwareError.self) { try merge.take(kernel, into: &taken) }
        #expect(taken == ["a1"])
        kernel.failing = nil
        #expect(try merge.take(kernel) == ["b2"])
    }

    @Test func `the numbers of a descriptor that was kept go on from anywhere`() throws {
        let merge = kernel.merge(isNumbered: true, keptDepth: 3)
        for number: UInt32 in [71, 72] { kernel.edge(0, number: number) }
        #expect(try merge.take(kernel) == ["a1", "a2"])
        kernel.edge(0, number: 75)
        #expect(try merge.take(kernel) == ["lost 2", "a3"])
    }

    @Test func `a full queue of numbered edges that was kept has lost older ones`() throws {
        let merge = kernel.merge(isNumbered: true, keptDepth: 3)
        for number: UInt32 in 71...73 { kernel.edge(0, number: number) }
        #expect(try merge.take(kernel) == ["lost 1", "a1", "a2", "a3"])
        for number: UInt32 in 74...76 { kernel.edge(0, number: number) }
        #expect(try merge.take(kernel) == ["a4", "a5", "a6"])
    }

    @Test func `a full queue of edges without numbers that was kept has lost newer ones`() throws {
        let merge = kernel.merge(keptDepth: 3)
        for _ in 0..<3 { kernel.edge(1) }
        kernel.edge(0)
        #expect(try merge.take(kernel) == ["b1", "b2", "b3", "lost 1", "a4"])
        for _ in 0..<3 { kernel.edge(1) }
        #expect(try merge.take(kernel) == ["b5", "b6", "b7"])
    }
}
