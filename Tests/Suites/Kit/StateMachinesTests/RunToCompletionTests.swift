import Foundation
import StateMachines
import Testing

@Suite struct RunToCompletionTests {
    /// Counts, and raises two events where one came.
    struct Circle: StateMachine, Codable, Hashable {
        enum Event { case turned, started }
        var count = 0
        mutating func handle(_ event: Event) -> Outcome<Effect<Event, Int>> {
            count += 1
            return .handled([.perform(count), .raise(.turned), .raise(.started)])
        }
    }

    @Test func `what a circle raises beyond the limit is dropped, and told`() {
        var circle = RunToCompletion<Circle, Int>(Circle(), limit: 2)
        #expect(
            circle.handle(.started)
                == .handled([
                    .perform(1), .perform(2), .perform(3), .dropped(.turned), .dropped(.started),
                    .dropped(.turned), .dropped(.started),
                ]))
        #expect(circle.base.count == 3)
        circle.limit = 0
        #expect(
            circle.handle(.turned)
                == .handled([.perform(4), .dropped(.turned), .dropped(.started)]))
    }

    @Test func `the limit is put away, and a snapshot without one has the usual one`() throws {
        typealias Machine = RunToCompletion<Circle, Int>
        let circle = Machine(Circle(), limit: 7)
        let data = try JSONEncoder().encode(circle)
        #expect(try JSONDecoder().decode(Machine.self, from: data) == circle)
        let old = try JSONDecoder().decode(Machine.self, from: Data(#"{"base":{"count":5}}"#.utf8))
        #expect(old == Machine(Circle(count: 5)))
    }

    /// Goes on by itself from where it starts.
    enum Cascade: EntryExitMachine {
        case first, second, last
        enum Event { case next }
        var entryCommands: Commands<Effect<Event, String>> {
            self == .last ? [.perform("last")] : [.perform("on"), .raise(.next)]
        }
        var exitCommands: Commands<Effect<Event, String>> { [] }
        mutating func handle(_ event: Event) -> Outcome<Effect<Event, String>> {
            self = self == .first ? .second : .last
            return .handled(entryCommands)
        }
    }

    @Test func `the initial state's commands may raise events as any others`() {
        var cascade = RunToCompletion<Cascade, String>(.first)
        #expect(cascade.start() == [.perform("on"), .perform("on"), .perform("last")])
        #expect(cascade.base == .last)
        var bounded = RunToCompletion<Cascade, String>(.first, limit: 1)
        #expect(bounded.start() == [.perform("on"), .perform("on"), .dropped(.next)])
    }
}
