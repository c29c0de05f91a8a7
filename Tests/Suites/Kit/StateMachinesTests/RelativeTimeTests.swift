import Exploration
import StateMachines
import Testing

@Suite struct RelativeTimeTests {
    typealias Hatch = SnapshotTests.Hatch

    static let hatch = RelativeTime(Hatch.shut, timePassed: Hatch.Event.timePassed)

    @Test func `time passes until something is due, and the graph ends`() {
        let graph = StateGraph(from: Self.hatch) { $0.events([.pressed(at: .zero)]) }
        #expect(graph.isComplete)
        #expect(graph.states.map(\.machine) == [.shut, .open(until: .zero + .seconds(5))])
        #expect(graph.states.map(\.wait) == [nil, .seconds(5)])
        let steps = graph.edges.map { "\(graph.step($0).event)" }
        #expect(
            steps == ["\(Hatch.Event.pressed(at: .zero))", "\(Hatch.Event.pressed(at: .zero))"]
                + ["after 5.0 seconds"])
        #expect(graph.edges.last?.to == 0)
        #expect(graph.unfaithfulSteps.isEmpty && graph.undecided.isEmpty)
    }

    @Test func `by ticks, something may happen before what is due`() {
        let graph = StateGraph(from: Self.hatch) {
            $0.events([.pressed(at: .zero)], tick: .seconds(2))
        }
        // Two ticks take 4 of 5 seconds; the third ends beyond, with the hatch shut at its time.
        #expect(graph.states.map(\.wait) == [nil, .seconds(5), .seconds(3), .seconds(1)])
        let story = graph.story(to: 3).map(\.event) + [.waited(.seconds(2))]
        #expect(graph.story(of: story.map { $0 }).last?.outcome == .handled([.lock]))
        #expect(graph.story(of: story.map { $0 }).last?.after == Self.hatch)
    }

    /// Blinks for good, and says at each change which it is.
    struct Lamp: TimedMachine, Restorable, Hashable {
        let period: Duration
        var isOn = false
        var due: Instant
        init(every period: Duration) {
            self.period = period
            due = .zero + period
        }
        var deadline: Instant? { due }
        mutating func handle(_ now: Instant) -> Outcome<String> {
            guard now >= due else { return .ignored("not yet") }
            isOn.toggle()
            due = due + period
            return .handled("\(period) \(isOn)")
        }
        static var snapshotVersion: Int { 1 }
        mutating func shiftInstants(by duration: Duration) { due = due + duration }
    }

    @Test func `everything that is due on the way is told, each at its time`() {
        let lamps = Regions(Lamp(every: .seconds(2)), Lamp(every: .seconds(3)))
        var world = RelativeTime(lamps, timePassed: { $0 })
        #expect(
            world.handle(.waited(.seconds(7)))
                == .handled([
                    "2.0 seconds true", "3.0 seconds true", "2.0 seconds false",
                    "2.0 seconds true", "3.0 seconds false",
                ]))
        #expect(world.machine.first.due == .zero + .seconds(1))
        #expect(world.machine.second.due == .zero + .seconds(2))
        // Together they have a period of 12 seconds, in which something is due 8 times.
        let start = RelativeTime(lamps, timePassed: { $0 })
        let graph = StateGraph(from: start) { $0.events([]) }
        #expect(graph.isComplete)
        #expect(graph.states.count == 8)
    }

    /// Waits for a time, and does with it what it is told to.
    struct Stubborn: TimedMachine, Restorable, Hashable {
        enum Way { case ignores, leaves, rings, counts }
        let way: Way
        var due = Instant.zero + .seconds(1)
        var count = 0
        var deadline: Instant? { due }
        mutating func handle(_ now: Instant) -> Outcome<Int> {
            switch way {
            case .ignores: return .ignored("not of interest")
            case .leaves: return .unhandled
            case .rings: return .handled(0)
            case .counts:
                count += 1
                return .handled(count)
            }
        }
        static var snapshotVersion: Int { 1 }
        mutating func shiftInstants(by duration: Duration) { due = due + duration }
    }

    @Test func `time stands still at a deadline that does not go away`() {
        let expected: [(Stubborn.Way, Outcome<Int>, undecided: Int)] = [
            (.ignores, .ignored("not of interest"), 0), (.leaves, .unhandled, 1),
            (.rings, .handled(0), 0),
        ]
        for (way, outcome, undecided) in expected {
            let start = RelativeTime(Stubborn(way: way), timePassed: { $0 })
            let graph = StateGraph(from: start) { $0.events([]) }
            #expect(graph.states.map(\.wait) == [.seconds(1), .zero], "\(way)")
            #expect(graph.edges.map(\.to) == [1, 1], "\(way)")
            #expect(graph.step(graph.edges[1]).outcome == outcome)
            #expect(graph.undecided.count == undecided)
            #expect(graph.unfaithfulSteps.isEmpty, "time that passes is handled")
        }
        // It changes at each time, so that it is told again and again, but not for ever.
        var counting = RelativeTime(Stubborn(way: .counts), timePassed: { $0 })
        #expect(counting.handle(.waited(.seconds(9))).commands.count == 1_000)
        #expect(counting.wait == .zero)
    }

    @Test func `a region that does not decide what it means that time has passed is told of`() {
        let regions = Regions(Stubborn(way: .rings), Stubborn(way: .leaves))
        let start = RelativeTime(regions, timePassed: { $0 })
        let graph = StateGraph(from: start) { $0.events([]) }
        #expect(graph.undecided.isEmpty)
        #expect(Set(graph.undecidedRegions.map(\.region.path)) == ["second"])
        #expect(start.undecidedRegions(of: .waited(.milliseconds(1))).isEmpty)
        #expect(start.undecidedRegions(of: .happened(.zero)).map(\.path) == ["second"])
    }

    @Test func `what is equal is the machine, whatever it waited for`() {
        let waiting = RelativeTime(
            Hatch.open(until: .zero + .seconds(5)), timePassed: Hatch.Event.timePassed)
        var world = waiting
        #expect(world.handle(.happened(.pressed(at: .zero))) == .handled(.release))
        #expect(world == waiting && world.hashValue == waiting.hashValue)
        #expect("\(world)" == "\(world.machine)")
        let outcome = world.handle(.waited(.seconds(1)))
        #expect(outcome == .handled && world != waiting && world.wait == .seconds(4))
    }
}
