import Seeds
import Testing

@testable import Turnstile

@Suite struct FaultSetTests {
    @Test func `every fault has a bit of its own`() {
        for fault in Fault.all {
            let set = FaultSet(fault)
            #expect(set.all == [fault] && set.first == fault)
            #expect(set.rawValue == 1 << UInt128(fault.index))
            #expect(FaultSet(rawValue: set.rawValue) == set)
        }
    }

    @Test func `the sets are what sets are`() {
        var generator = SeededGenerator()
        for _ in 0..<100 {
            let one = Set(Fault.all.filter { _ in Bool.random(using: &generator) })
            let other = Set(Fault.all.filter { _ in Bool.random(using: &generator) })
            let (a, b) = (Self.set(one), Self.set(other))
            #expect(Set(a.union(b).all) == one.union(other), "\(generator)")
            #expect(Set(a.intersection(b).all) == one.intersection(other), "\(generator)")
            #expect(Set(a.subtracting(b).all) == one.subtracting(other), "\(generator)")
            #expect(a.isDisjoint(with: b) == one.isDisjoint(with: other), "\(generator)")
            #expect(a.isEmpty == one.isEmpty, "\(generator)")
        }
        #expect(FaultSet().isEmpty && FaultSet().first == nil)
    }

    /// With a field that is aligned to 16 bytes an optimised build moves the contacts as if they
    /// were as well, and traps.
    @Test func `a turnstile is aligned to words`() {
        #expect(MemoryLayout<Turnstile>.alignment == 8)
    }

    private static func set(_ faults: Set<Fault>) -> FaultSet {
        faults.reduce(into: FaultSet()) { $0[$1] = true }
    }
}
