/// A machine, or what is worth keeping of one, that can be put away and taken up again, by another
/// process or after a restart.
public protocol Restorable {
    /// The version of the state's layout and meaning: raise it when an old state no longer fits.
    static var snapshotVersion: Int { get }

    /// Moves every instant that the machine remembers, its deadline's among them, by `duration`.
    ///
    /// Monotonic time starts anew with each boot, so a machine that is restored later has to be
    /// told how far its clock has moved. A machine that remembers no instant does nothing.
    mutating func shiftInstants(by duration: Duration)
}

extension Restorable where Self: Enumerated {
    /// Does nothing: there are no payloads, and so no instants.
    @inlinable public mutating func shiftInstants(by duration: Duration) {}
}

/// A number of two versions, in this order.
///
/// Another first one or another second one always gives another number, and both together do but
/// for one chance in all numbers: each first version has a range of its own, by chance.
private func joined(_ first: Int, _ second: Int) -> Int {
    var ranges = SplitMix64(seed: UInt64(truncatingIfNeeded: first))
    // Mixed again, since a sum does not know which of the versions in it came first.
    var numbers = SplitMix64(seed: ranges.next() &+ UInt64(truncatingIfNeeded: second))
    return Int(truncatingIfNeeded: numbers.next())
}

extension Regions: Restorable where First: Restorable, Second: Restorable {
    /// A number of both versions: another one when either is raised.
    public static var snapshotVersion: Int {
        joined(First.snapshotVersion, Second.snapshotVersion)
    }

    /// Moves the instants of both.
    @inlinable
    public mutating func shiftInstants(by duration: Duration) {
        first.shiftInstants(by: duration)
        second.shiftInstants(by: duration)
    }
}

extension Product: Restorable where First: Restorable, Second: Restorable {
    /// A number of both versions: another one when either is raised.
    public static var snapshotVersion: Int {
        joined(First.snapshotVersion, Second.snapshotVersion)
    }

    /// Moves the instants of both.
    @inlinable
    public mutating func shiftInstants(by duration: Duration) {
        first.shiftInstants(by: duration)
        second.shiftInstants(by: duration)
    }
}

extension RunToCompletion: Restorable where Base: Restorable {
    /// The base's.
    @inlinable public static var snapshotVersion: Int { Base.snapshotVersion }

    /// Moves the instants of the base.
    @inlinable
    public mutating func shiftInstants(by duration: Duration) {
        base.shiftInstants(by: duration)
    }
}

extension Adapter where Self: Restorable, Base: Restorable {
    /// The base's.
    @inlinable public static var snapshotVersion: Int { Base.snapshotVersion }

    /// Moves the instants of the base.
    @inlinable
    public mutating func shiftInstants(by duration: Duration) {
        base.shiftInstants(by: duration)
    }
}

/// A machine as it stood at an instant, with the version of its layout.
@frozen
public struct Snapshot<Machine: Restorable> {
    /// The version of the machine's layout.
    public let version: Int
    /// When the snapshot was taken, by the clock that the machine's deadlines are on.
    public let takenAt: Instant
    /// The machine as it stood.
    @usableFromInline let machine: Machine

    /// The machine as it stands at `now`.
    @inlinable
    public init(of machine: Machine, at now: Instant) {
        version = Machine.snapshotVersion
        takenAt = now
        self.machine = machine
    }

    /// The machine, ready to go on at `now`: what it waited for is as far off as when the
    /// snapshot was taken.
    @inlinable
    public func restored(at now: Instant) -> Machine {
        var machine = machine
        machine.shiftInstants(by: now - takenAt)
        return machine
    }
}

extension Snapshot: Equatable where Machine: Equatable {}
extension Snapshot: Sendable where Machine: Sendable {}

#if !hasFeature(Embedded)
    /// What is wrong with a snapshot.
    public struct SnapshotError: Error, Equatable, CustomStringConvertible {
        /// The version that the snapshot was written with.
        public let found: Int
        /// The version that this program reads.
        public let expected: Int

        /// A snapshot of the one version, read by a program that expects the other.
        public init(found: Int, expected: Int) {
            self.found = found
            self.expected = expected
        }

        /// Both versions, and what follows from their difference.
        public var description: String {
            "the snapshot has version \(found), this program reads version \(expected) alone"
        }
    }

    private enum SnapshotKeys: CodingKey { case version, takenAtNanoseconds, machine }

    extension Snapshot: Encodable where Machine: Encodable {
        /// Writes version, instant and machine.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: SnapshotKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(takenAt.nanoseconds, forKey: .takenAtNanoseconds)
            try container.encode(machine, forKey: .machine)
        }
    }

    extension Snapshot: Decodable where Machine: Decodable {
        /// Reads the version first, and the machine only when it is the right one.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: SnapshotKeys.self)
            version = try container.decode(Int.self, forKey: .version)
            guard version == Machine.snapshotVersion else {
                throw SnapshotError(found: version, expected: Machine.snapshotVersion)
            }
            takenAt = Instant(
                nanoseconds: try container.decode(Int64.self, forKey: .takenAtNanoseconds))
            machine = try container.decode(Machine.self, forKey: .machine)
        }
    }
#endif
