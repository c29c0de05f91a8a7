/// A machine that is made of regions side by side, each with events of its own, which are listed
/// once: what holds for all of them derives from that list.
///
/// ``Regions`` and ``Product`` compose machines that are told of events in one order. A machine
/// that routes events itself lists its regions as the cases of ``Region`` and says in one `switch`
/// for each question what a region answers. A region that is left out does not compile.
///
///     struct Door: ComposedMachine {
///         enum Region: UInt8, Enumerated { case lock, bell }
///         var lock = Lock()
///         var bell = Bell()
///
///         func deadline(of region: Region) -> Instant? {
///             switch region {
///             case .lock: lock.deadline
///             case .bell: bell.deadline
///             }
///         }
///         mutating func shiftInstants(of region: Region, by duration: Duration) {
///             switch region {
///             case .lock: lock.shiftInstants(by: duration)
///             case .bell: bell.shiftInstants(by: duration)
///             }
///         }
///     }
public protocol ComposedMachine {
    /// The regions, in the order in which they are asked.
    associatedtype Region: Enumerated

    /// When something is due in a region, or nil while it waits for nothing.
    func deadline(of region: Region) -> Instant?

    /// Moves every instant that a region holds.
    mutating func shiftInstants(of region: Region, by duration: Duration)
}

extension ComposedMachine {
    /// When something is due in one of the regions.
    @inlinable
    @inline(__always)
    public var earliestDeadline: Instant? {
        // Ten at a time: the optimiser unrolls no longer loop, and in one that it has unrolled it
        // knows each region, so that nothing is left of the switch.
        let (ten, twenty) = (min(10, Region.count), min(20, Region.count))
        var earliest = earliestNanoseconds(in: 0..<ten)
        earliest = min(earliest, earliestNanoseconds(in: ten..<twenty))
        earliest = min(earliest, earliestNanoseconds(in: twenty..<Region.count))
        return earliest == .max ? nil : Instant(nanoseconds: earliest)
    }

    /// When something is due in one of the regions at these places, as a number, of which the
    /// largest stands for never.
    @inlinable
    @inline(__always)
    func earliestNanoseconds(in places: Range<Int>) -> Int64 {
        var earliest = Int64.max
        for place in places {
            guard let due = deadline(of: Region(ordinal: place)) else { continue }
            earliest = min(earliest, due.nanoseconds)
        }
        return earliest
    }

    /// Calls `body` with the machine and each region, in their order.
    @inlinable
    @inline(__always)
    public mutating func forEachRegion(_ body: (inout Self, Region) -> Void) {
        for place in 0..<Region.count { body(&self, Region(ordinal: place)) }
    }

    /// Calls `body` with the machine and each region in which something is due by `time`, in their
    /// order; whether there was one.
    @inlinable
    @inline(__always)
    public mutating func forEachRegion(
        dueBy time: Instant, _ body: (inout Self, Region) -> Void
    ) -> Bool {
        var isAnyDue = false
        for place in 0..<Region.count {
            let region = Region(ordinal: place)
            guard let due = deadline(of: region), due <= time else { continue }
            isAnyDue = true
            body(&self, region)
        }
        return isAnyDue
    }
}
