import StateMachines
import Testing
import Turnstile

/// The core, explored: every state that it can come into, and every step between them, within the
/// bounds of each scene.
@Suite struct ExplorationTests {
    @Test(arguments: Scene.all) func `every step keeps the laws`(scene: Scene) {
        let graph = scene.explored()
        print("\(scene.name): \(graph.states.count) states, \(graph.edges.count) steps")
        #expect(graph.isComplete)
        #expect(graph.deadEnds == [])
        let story = graph.violation(ofStep: { step in Law.all.allSatisfy { $0.holds(step) } })
        if let story, let last = story.last {
            let broken = Law.all.filter { !$0.holds(last) }.map(\.name)
            Issue.record("\(broken.joined(separator: "; ")):\n\(story.words)")
        }
        if let lost = graph.statesWithoutReturn.first {
            Issue.record("there is no way back to a quiet gate:\n\(graph.story(to: lost).words)")
        }
    }

    @Test func `every state of lane and emergency is met, and every one that people see`() {
        let graph = Scene.order.explored()
        let lanes = Set(graph.states.map { "\($0.turnstile.gate.lane.state)".prefix { $0 != "(" } })
        #expect(lanes == ["locked", "released", "suspended", "passing"])
        let emergencies: [Emergency.State] = [.none, .loopOpen, .awaitingReset, .awaitingClearLane]
        #expect(graph.unreachable(of: emergencies) { $0.turnstile.gate.emergency.state } == [])
        #expect(
            Set(graph.states.map(\.turnstile.status.state.name)) == [
                "starting", "locked", "released", "passing", "out_of_service", "emergency",
                "awaiting_reset", "awaiting_clear_lane",
            ])
    }

    @Test func `a violation is told as the shortest story`() throws {
        let graph = Scene.order.explored()
        let story = try #require(graph.violation(of: { $0.turnstile.gate.drive == nil }))
        #expect(
            story.words == """
                1. the service starts []: locked; lock, silenceAlarm, acceptCoins, started
                """)
    }
}

extension StateGraph<Situation> {
    /// The places of the states from which no way leads to a gate that is locked, quiet and in
    /// service.
    var statesWithoutReturn: [Int] {
        var sources: [Int: [Int]] = [:]
        for edge in edges { sources[edge.to, default: []].append(edge.from) }
        var waiting = states.indices.filter { states[$0].isQuiet }
        var seen = Set(waiting)
        while let state = waiting.popLast() {
            for source in sources[state] ?? [] where seen.insert(source).inserted {
                waiting.append(source)
            }
        }
        return states.indices.filter { !seen.contains($0) }
    }
}

extension Situation {
    /// Whether the gate is locked, takes coins and sounds no alarm.
    fileprivate var isQuiet: Bool {
        turnstile.gate.drive == .init(isReleased: false, acceptsCoins: true, soundsAlarm: false)
    }
}

extension Scene: CustomTestStringConvertible {
    var testDescription: String { name }
}
