import Foundation
import Routing
import StateMachines
import Testing

/// A machine of routes is put away as any other.
@Suite struct RouteSnapshotTests {
    /// A door that may be open until an instant.
    enum Door: SharedRoutes, Restorable, Codable {
        case shut
        case open(until: Instant)

        enum Event: Hashable { case pushed }

        static let routes = {
            var routes = Routes<Door, Event, String>()
            routes.addMapping { event, door, _ in
                event == .pushed && door == .shut ? .open(until: .zero + .seconds(9)) : nil
            }
            return routes
        }()

        static var snapshotVersion: Int { 6 }
        mutating func shiftInstants(by duration: Duration) {
            if case .open(let end) = self { self = .open(until: end + duration) }
        }
    }
    typealias Machine = RouteMachine<Door, Door.Event, String>

    @Test func `a machine of shared routes goes on where it was, its instants moved`() throws {
        var machine = Machine(state: .shut)
        #expect(machine.handle(.event(.pushed)).isHandled)
        let data = try JSONEncoder().encode(Snapshot(of: machine, at: .zero + .seconds(4)))
        let snapshot = try JSONDecoder().decode(Snapshot<Machine>.self, from: data)
        #expect(snapshot.version == 6)
        #expect(snapshot.restored(at: .zero + .seconds(4)) == machine)
        let later = snapshot.restored(at: .zero + .seconds(60))
        #expect(later.state == .open(until: .zero + .seconds(65)))
        #expect(!later.permits(.event(.pushed)))
    }

    @Test func `a machine with routes of its own is not put away without them`() {
        var machine = Machine(state: .shut)
        machine.routes.add(from: .any, to: [.shut])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(machine) }
    }
}
