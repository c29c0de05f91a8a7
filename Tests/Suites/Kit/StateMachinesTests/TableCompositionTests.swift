import Exploration
import Foundation
import StateMachines
import Testing

/// A barrier as a table: it closes by itself after five seconds.
private enum Barrier: SharedTable, TimedSyntax {
    enum State: Kinded, Restorable, Hashable, Codable {
        case closed
        case open(until: Instant)
        enum Kind: UInt8, Enumerated { case closed, open }
        var kind: Kind { if case .open = self { .open } else { .closed } }
        static var snapshotVersion: Int { 4 }
        mutating func shiftInstants(by duration: Duration) {
            if case .open(let end) = self { self = .open(until: end + duration) }
        }
    }
    enum Event: Kinded, Hashable, Sendable {
        case paid(at: Instant)
        case timePassed(Instant)
        enum Kind: UInt8, Enumerated { case paid, timePassed }
        var kind: Kind { if case .paid = self { .paid } else { .timePassed } }
    }
    enum Command: Hashable, Sendable { case raise, lower, lampOn, lampOff, callMechanic, thank }

    static func deadline(of state: State) -> Instant? {
        switch state {
        case .closed: nil
        case .open(let end): end
        }
    }

    static let table: Table<Barrier> = {
        do throws(TableError) {
            return try Table(initial: .closed) {
                let paying = superState {
                    when(.paid).then(.open) { _, event in
                        if case .paid(let now) = event {
                            .open(until: now + .seconds(5))
                        } else {
                            .closed
                        }
                    }
                }
                define(.closed, adopts: paying, onEntry: [.lower]) {
                    when(.timePassed).ignored("nothing is due")
                }
                define(.open, adopts: paying, onEntry: [.raise], onExit: [.thank]) {
                    condition { state, event in
                        if case (.open(let end), .timePassed(let now)) = (state, event) {
                            now >= end
                        } else {
                            false
                        }
                    }
                    .when(.timePassed).then(.closed)
                }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}

/// The lane round the barrier, which may break down and then remembers it.
private enum Lane: Statechart, TimedMachine, Restorable, Hashable, Codable {
    case working(TableMachine<Barrier>)
    case broken(was: TableMachine<Barrier>)

    enum Event: Hashable {
        case paid(at: Instant)
        case timePassed(Instant)
        case failed, repaired
    }
    enum Position { case working, broken }
    typealias Command = Barrier.Command

    var position: Position {
        switch self {
        case .working: .working
        case .broken: .broken
        }
    }

    var entryCommands: Commands<Command> {
        switch self {
        case .working(let barrier): [.lampOn] + barrier.entryCommands
        case .broken: [.callMechanic]
        }
    }

    var exitCommands: Commands<Command> {
        switch self {
        case .working(let barrier): barrier.exitCommands + [.lampOff]
        case .broken: []
        }
    }

    mutating func react(to event: Event) -> Transition<Command> {
        switch (self, event) {
        case (.working(let barrier), .paid(let now)):
            forward(.paid(at: now), to: barrier, in: Self.working)
        case (.working(let barrier), .timePassed(let now)):
            forward(.timePassed(now), to: barrier, in: Self.working)
        case (.working(let barrier), .failed): enter(.broken(was: barrier))
        case (.broken(let barrier), .repaired): enter(.working(barrier))
        case (.working, .repaired), (.broken, .paid), (.broken, .timePassed), (.broken, .failed):
            .unhandled
        }
    }

    var deadline: Instant? {
        switch self {
        case .working(let barrier): barrier.deadline
        case .broken: nil
        }
    }

    static var snapshotVersion: Int { 1 }
    mutating func shiftInstants(by duration: Duration) {
        switch self {
        case .working(var barrier):
            barrier.shiftInstants(by: duration)
            self = .working(barrier)
        case .broken(var barrier):
            barrier.shiftInstants(by: duration)
            self = .broken(was: barrier)
        }
    }
}

/// A table composes as every other machine does: with time, inside a state, beside another, with
/// history.
@Suite struct TableCompositionTests {
    private static func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    @Test func `a table waits for its state's deadline`() {
        var barrier = TableMachine<Barrier>()
        #expect(barrier.deadline == nil)
        #expect(barrier.handle(.paid(at: Self.at(1))) == .handled(.raise))
        #expect(barrier.deadline == Self.at(6))
        #expect(barrier.handle(.timePassed(Self.at(5))).isHandled == false)
        #expect(barrier.handle(.timePassed(Self.at(6))) == .handled([.thank, .lower]))
        #expect(barrier.deadline == nil)
    }

    @Test func `what the initial state is entered with can be had`() {
        #expect(TableMachine<Barrier>().entryCommands == [.lower])
        var open = TableMachine<Barrier>()
        open.state = .open(until: Self.at(6))
        #expect(open.entryCommands == [.raise])
        #expect(open.exitCommands == [.thank])
        #expect(Lane.working(TableMachine()).entryCommands == [.lampOn, .lower])
    }

    @Test func `inside a state it is left first and entered last, and remembered meanwhile`() {
        var lane = Lane.working(TableMachine())
        #expect(lane.handle(.paid(at: Self.at(1))) == .handled(.raise))
        #expect(lane.handle(.failed) == .handled([.thank, .lampOff, .callMechanic]))
        #expect(lane.deadline == nil)
        #expect(lane.handle(.paid(at: Self.at(2))) == .unhandled)
        #expect(lane.handle(.repaired) == .handled([.lampOn, .raise]))
        #expect(lane.deadline == Self.at(6))
        #expect(lane.handle(.timePassed(Self.at(6))) == .handled([.thank, .lower]))
    }

    @Test func `beside another machine the earlier deadline counts`() {
        var second = TableMachine<Barrier>()
        _ = second.handle(.paid(at: Self.at(2)))
        var both = Regions(TableMachine<Barrier>(), second)
        #expect(both.deadline == Self.at(7))
        #expect(both.handle(.timePassed(Self.at(7))) == .handled([.thank, .lower]))
        #expect(both.handle(.paid(at: Self.at(8))) == .handled([.raise, .raise]))
        #expect(both.deadline == Self.at(13))
        both.shiftInstants(by: .seconds(-8))
        #expect(both.deadline == Self.at(5))
    }

    @Test func `a machine of a shared table is put away with all that is round it`() throws {
        var lane = Lane.working(TableMachine())
        _ = lane.handle(.paid(at: Self.at(100)))
        let data = try JSONEncoder().encode(Snapshot(of: lane, at: Self.at(102)))
        let snapshot = try JSONDecoder().decode(Snapshot<Lane>.self, from: data)
        var restored = snapshot.restored(at: Self.at(10))
        #expect(restored.deadline == Self.at(13))
        #expect(restored.handle(.failed) == .handled([.thank, .lampOff, .callMechanic]))
        #expect(snapshot.restored(at: Self.at(102)) == lane)

        let alone = Snapshot(of: TableMachine<Barrier>(), at: .zero)
        #expect(alone.version == 4)
    }

    private static let graph = StateGraph(from: Lane.working(TableMachine())) { lane in
        [.paid(at: .zero), .failed, .repaired] + (lane.deadline.map { [.timePassed($0)] } ?? [])
    }

    @Test func `it is explored and drawn with the machine round it`() {
        #expect(Self.graph.states.count == 4 && Self.graph.isComplete)
        let isUndue = Self.graph.violation(of: { lane in
            if case .broken = lane { lane.deadline == nil } else { true }
        })
        #expect(isUndue == nil)
        let diagram = Self.graph.diagram(
            state: { lane in
                switch lane {
                case .working(let barrier): "\(barrier.state.kind)"
                case .broken(let barrier): "was \(barrier.state.kind)"
                }
            },
            inside: { "\($0.position)" },
            event: { event in
                switch event {
                case .paid: "paid"
                case .timePassed: "time"
                case .failed: "failed"
                case .repaired: "repaired"
                }
            })
        #expect(diagram.mermaid.contains("failed / thank, lampOff, callMechanic"))
        #expect(diagram.mermaid.contains("time / thank, lower"))
        #expect(diagram.mermaid.contains("repaired / lampOn, raise"))
    }

    /// A table whose states have no payloads is put away by stating a version, and no more.
    private enum Flap: SharedTable {
        enum State: UInt8, Enumerated, Restorable, Codable {
            case up, down
            static var snapshotVersion: Int { 1 }
        }
        enum Event: UInt8, Enumerated { case pushed }
        typealias Command = Int
        enum Wind: UInt8, StateMachines.Predicate, Codable { case calm, strong }
        typealias Predicates = Wind

        static let table: Table<Flap> = {
            do throws(TableError) {
                return try Table(initial: .up) {
                    define(.up) {
                        matching(Wind.calm).when(.pushed).then(.down)
                        matching(Wind.strong).when(.pushed).ignored("the wind holds it")
                    }
                    define(.down) { when(.pushed).then(.up) }
                }
            } catch {
                preconditionFailure("\(error)")
            }
        }()
    }

    @Test func `predicates are put away as well`() throws {
        var flap = TableMachine<Flap>(predicates: .calm)
        _ = flap.handle(.pushed)
        flap.predicates = .strong
        let data = try JSONEncoder().encode(Snapshot(of: flap, at: .zero))
        let snapshot = try JSONDecoder().decode(Snapshot<TableMachine<Flap>>.self, from: data)
        #expect(snapshot.restored(at: Self.at(1)) == flap)
    }
}
