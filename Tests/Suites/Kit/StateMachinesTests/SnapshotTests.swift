import Foundation
import Seeds
import StateMachines
import Testing

@Suite struct SnapshotTests {
    /// Opens for five seconds at a time.
    enum Hatch: TimedMachine, Restorable, Codable, Hashable {
        case shut
        case open(until: Instant)

        enum Event { case pressed(at: Instant), timePassed(Instant) }
        enum Command { case release, lock }

        mutating func handle(_ event: Event) -> Outcome<Command> {
            switch (self, event) {
            case (_, .pressed(let now)):
                self = .open(until: now + .seconds(5))
                return .handled(.release)
            case (.open(let end), .timePassed(let now)) where now >= end:
                self = .shut
                return .handled(.lock)
            case (.open, .timePassed), (.shut, .timePassed): return .ignored("nothing is due")
            }
        }
        var deadline: Instant? {
            switch self {
            case .shut: nil
            case .open(let end): end
            }
        }
        static var snapshotVersion: Int { 2 }
        mutating func shiftInstants(by duration: Duration) {
            if case .open(let end) = self { self = .open(until: end + duration) }
        }
    }

    @Test func `restoring at once changes nothing, whatever came before`() throws {
        var random = SeededGenerator()
        var hatch = Hatch.shut
        var now = Instant.zero
        for _ in 0..<200 {
            now = now + .milliseconds(Int.random(in: 0...4_000, using: &random))
            _ = hatch.handle(Bool.random(using: &random) ? .pressed(at: now) : .timePassed(now))
            let data = try JSONEncoder().encode(Snapshot(of: hatch, at: now))
            let snapshot = try JSONDecoder().decode(Snapshot<Hatch>.self, from: data)
            #expect(snapshot.restored(at: now) == hatch, "\(random)")
            #expect(snapshot.restored(at: now).deadline == hatch.deadline, "\(random)")
        }
    }

    @Test func `a deadline is as far off on the new clock as it was on the old`() {
        let hatch = Hatch.open(until: Instant(nanoseconds: 900))
        let snapshot = Snapshot(of: hatch, at: Instant(nanoseconds: 600))
        #expect(snapshot.restored(at: Instant(nanoseconds: 10)).deadline?.nanoseconds == 310)
    }

    @Test func `composed machines are put away whole`() throws {
        let both = Regions(Hatch.open(until: Instant(nanoseconds: 900)), Hatch.shut)
        let data = try JSONEncoder().encode(Snapshot(of: both, at: Instant(nanoseconds: 600)))
        let snapshot = try JSONDecoder().decode(Snapshot<Regions<Hatch, Hatch>>.self, from: data)
        let restored = snapshot.restored(at: Instant(nanoseconds: 10))
        #expect(restored.deadline == Instant(nanoseconds: 310))
        #expect(restored.second == .shut)
    }

    /// Two hatches in one vocabulary, under run-to-completion and beside a third.
    struct Hatches: Adapter, TimedMachine, Restorable, Codable, Hashable {
        var base = Product(Hatch.shut, Hatch.open(until: Instant(nanoseconds: 900)))
        static func route(_ event: Hatch.Event) -> Routed<Hatch.Event, Hatch.Event>? {
            .both(event, event)
        }
        static func translate(
            _ command: Either<Hatch.Command, Hatch.Command>
        ) -> Effect<Hatch.Event, Hatch.Command> {
            switch command {
            case .first(let command), .second(let command): .perform(command)
            }
        }
    }

    @Test func `every kind of composition passes version and instants on`() throws {
        typealias Machine = RunToCompletion<Hatches, Hatch.Command>
        let data = try JSONEncoder().encode(
            Snapshot(of: Machine(Hatches()), at: Instant(nanoseconds: 600)))
        let snapshot = try JSONDecoder().decode(Snapshot<Machine>.self, from: data)
        #expect(snapshot.version == Product<Hatch, Hatch>.snapshotVersion)
        let restored = snapshot.restored(at: Instant(nanoseconds: 10))
        #expect(restored.deadline == Instant(nanoseconds: 310))
        #expect(restored.base.base.first == .shut)
        let old = Data(#"{"version": 2001, "takenAtNanoseconds": 0, "machine": {}}"#.utf8)
        #expect(throws: SnapshotError(found: 2_001, expected: Machine.snapshotVersion)) {
            try JSONDecoder().decode(Snapshot<Machine>.self, from: old)
        }
    }

    /// A door as a table, which opens for so long when it is pressed and the daylight lasts.
    enum Door: TableSyntax {
        enum State: Kinded, Restorable, Codable, Hashable, Sendable {
            case shut
            case open(until: Instant)
            enum Kind: UInt8, Enumerated { case shut, open }
            var kind: Kind { self == .shut ? .shut : .open }
            static var snapshotVersion: Int { 3 }
            mutating func shiftInstants(by duration: Duration) {
                if case .open(let end) = self { self = .open(until: end + duration) }
            }
        }
        enum Event: UInt8, Enumerated { case pressed, pushed }
        enum Command: Hashable, Sendable { case release, lock }
        enum Light: UInt8, StateMachines.Predicate, Codable { case day, night }
        enum Guard: UInt8, StateMachines.Predicate, Codable { case present, absent }
        typealias Predicates = Both<Light, Guard>

        static func table() throws -> Table<Self> {
            try Table(initial: .shut) {
                define(.shut) {
                    when(.pressed) {
                        matching(Light.day).then(.open(until: .zero + .seconds(5)))
                            .commands(.release)
                        matching(Light.night, and: Guard.present)
                            .then(.open(until: .zero + .seconds(2))).commands(.release)
                        matching(Light.night, and: Guard.absent).ignored("nobody is awake")
                    }
                    when(.pushed).ignored("the door is shut")
                }
                define(.open) {
                    when(.pressed).ignored("the door is open")
                    when(.pushed).then(.shut).commands(.lock)
                }
            }
        }
    }

    @Test func `a table machine goes on from its state, over a table made anew`() throws {
        var machine = TableMachine(try Door.table(), predicates: Both(.night, .present))
        #expect(machine.handle(.pressed) == .handled(.release))
        let now = Instant.zero + .seconds(1)
        let data = try JSONEncoder().encode(Snapshot(of: machine.state, at: now))

        let snapshot = try JSONDecoder().decode(Snapshot<Door.State>.self, from: data)
        #expect(snapshot.version == 3)
        #expect(snapshot.restored(at: now) == machine.state)
        let later = snapshot.restored(at: now + .seconds(60))
        #expect(later == .open(until: .zero + .seconds(62)))
        var restored = TableMachine(
            try Door.table(), state: later, predicates: machine.predicates)
        #expect(restored.handle(.pushed) == .handled(.lock))
        restored.predicates.second = .absent
        #expect(restored.handle(.pressed) == .ignored("nobody is awake"))
    }

    @Test func `another version is refused before its state is read`() {
        let old = Data(#"{"version": 1, "takenAtNanoseconds": 0, "machine": "whatever"}"#.utf8)
        #expect(throws: SnapshotError(found: 1, expected: 2)) {
            try JSONDecoder().decode(Snapshot<Hatch>.self, from: old)
        }
    }

    @Test func `a snapshot that was taken at no likely instant is restored all the same`() throws {
        let text = #"{"version": 2, "takenAtNanoseconds": \#(Int64.min), "machine": \#(Self.open)}"#
        let snapshot = try JSONDecoder().decode(Snapshot<Hatch>.self, from: Data(text.utf8))
        #expect(snapshot.restored(at: .zero).deadline == Instant(nanoseconds: .max))
    }

    private static var open: String {
        let data = try? JSONEncoder().encode(Hatch.open(until: .zero))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// A machine whose state has this version.
    struct Numbered<let version: Int>: StateMachine, Restorable {
        static var snapshotVersion: Int { version }
        mutating func handle(_ event: Bool) -> Outcome<Never> { .handled }
        mutating func shiftInstants(by duration: Duration) {}
    }

    @Test func `regions of other versions have another version, however far apart they are`() {
        typealias Three<A: StateMachine, B: StateMachine, C: StateMachine> =
            Regions<A, Regions<B, C>>
        where A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command
        let versions = [
            Regions<Numbered<2>, Numbered<2>>.snapshotVersion,
            Regions<Numbered<1>, Numbered<1_002>>.snapshotVersion,
            Regions<Numbered<0>, Numbered<2_002>>.snapshotVersion,
            Regions<Numbered<1_002>, Numbered<1>>.snapshotVersion,
            Product<Numbered<1>, Numbered<2>>.snapshotVersion,
            Product<Numbered<2>, Numbered<1>>.snapshotVersion,
            Three<Numbered<1>, Numbered<1>, Numbered<1_001>>.snapshotVersion,
            Three<Numbered<1>, Numbered<2>, Numbered<1>>.snapshotVersion,
            Three<Numbered<2>, Numbered<1>, Numbered<1>>.snapshotVersion,
        ]
        #expect(Set(versions).count == versions.count, "\(versions)")
    }

    @Test func `regions nest as deep as one likes, and their versions differ`() {
        typealias Two<Region: StateMachine> = Regions<Region, Region>
        where Region.Event == Hatch.Event
        typealias Deep = Two<Two<Two<Two<Two<Two<Two<Two<Hatch>>>>>>>>
        #expect(Deep.snapshotVersion != Two<Two<Two<Two<Two<Two<Two<Hatch>>>>>>>.snapshotVersion)
    }
}
