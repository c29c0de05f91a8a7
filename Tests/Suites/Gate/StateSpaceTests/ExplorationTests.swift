import Exploration
import Foundation
import StateMachines
import Stories
import Testing

@testable import Turnstile

/// The core, explored: every state that it can come into, and every step between them, within the
/// bounds of each scene.
@Suite struct ExplorationTests {
    @Test(arguments: Scene.selected) func `every step keeps the laws`(scene: Scene) {
        let graph = scene.explored()
        print("\(scene.name): \(graph.states.count) states, \(graph.edges.count) steps")
        // Not the graph itself: it would be printed.
        let isComplete = graph.isComplete
        #expect(isComplete)
        let deadEnds = graph.deadEnds.count
        #expect(deadEnds == 0)
        let story = graph.violation(ofStep: { step in
            let seen = Observation(step)
            return Law.all.allSatisfy { $0.holds(seen) }
        })
        if let story, let last = story.last {
            let seen = Observation(last)
            let broken = Law.all.filter { !$0.holds(seen) }.map(\.name)
            Issue.record("\(broken.joined(separator: "; ")):\n\(story.words)")
        }
        if let probed = graph.probed() { Issue.record("\(probed)") }
        if let unread = graph.firstUnread { Issue.record("\(unread)") }
        if let lost = graph.statesWithoutReturn.first {
            Issue.record("there is no way back to a quiet gate:\n\(graph.story(to: lost).words)")
        }
    }

    @Test func `every state of lane, emergency and service is met, and all that people see`() {
        var lanes: Set<Substring> = []
        var emergencies: Set<Emergency.State> = []
        var services: Set<Substring> = []
        var seen: Set<String> = []
        for scene in [Scene.order, .mechanic, .freeExit] {
            for state in scene.explored().states {
                let gate = state.turnstile.gate
                lanes.insert("\(gate.lane.state)".prefix { $0 != "(" })
                emergencies.insert(gate.emergency.state)
                services.insert("\(gate.service.state)".prefix { $0 != "(" })
                seen.insert(state.turnstile.status.state.name)
            }
        }
        #expect(lanes == ["locked", "released", "suspended", "passing", "recovering"])
        #expect(emergencies == Set(Emergency.State.allCases))
        #expect(services == ["off", "turned", "awaitingIdle", "testing", "on", "leaving"])
        #expect(
            seen == [
                "starting", "locked", "free", "released", "passing", "stopped", "service",
                "testing", "out_of_service", "emergency", "awaiting_reset", "awaiting_clear_lane",
            ])
    }

    @Test func `a violation is told as the shortest story`() throws {
        let graph = Scene.order.explored()
        let story = try #require(graph.violation(of: { $0.turnstile.gate.drive == nil }))
        #expect(
            story.words == """
                1. the service starts []: locked; set(lockEntry, isOn: false), \
                set(alarm, isOn: false), set(coinEnable, isOn: true), started
                """)
    }
}

extension StateGraph<Situation> {
    /// Asks for everything from afar in every state of what a request looks at, and looks at what
    /// becomes of it at once; nil when that keeps the laws.
    fileprivate func probed() -> String? {
        let laws = Law.requests + Law.locks
        var views: Set<RequestView> = []
        for (index, state) in states.enumerated() {
            guard views.insert(RequestView(state.turnstile)).inserted else { continue }
            for request in Request.probes {
                var situation = state
                let seen = Observation(situation.step(.asked(request, by: Story.anna)))
                let broken = laws.filter { !$0.holds(seen) }.map(\.name)
                if broken.isEmpty { continue }
                let story = story(to: index).words
                return "\(broken.joined(separator: "; ")): \(request) after\n\(story)"
            }
        }
        return nil
    }

    /// Writes some of the states down as fields, and reads them; what was read otherwise, or nil.
    fileprivate var firstUnread: String? {
        for index in stride(from: 0, to: states.count, by: 8) {
            let written = states[index].turnstile
            do throws(FieldError) {
                if try Turnstile(written.fields) == written { continue }
            } catch {
                return "\(error): \(written.fields)"
            }
            return "read otherwise: \(written.fields)"
        }
        return nil
    }

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

/// What the answer to a request depends on: not how long anything still takes.
private struct RequestView: Hashable {
    let status: Status.State
    let lane: Lane.State
    let emergency: Emergency.State
    let service: ServiceMode.State
    let stored: Gate.Queue
    let regimes: [Regime]
    let faults: FaultSet
    let alarms: AlarmSet
    let levels: InputLevels
    let isIdle: Bool
    let isLaneClear: Bool
    let isServed: Bool
    let isCountAwaited: Bool

    init(_ turnstile: Turnstile) {
        let gate = turnstile.gate
        status = turnstile.status.state
        lane = gate.lane.state
        emergency = gate.emergency.state
        service = gate.service.state
        stored = gate.queue
        regimes = [gate.regime, gate.timetable.regime]
        faults = gate.faults.up
        alarms = gate.alarms.up
        levels = turnstile.inputs
        isIdle = turnstile.isIdle
        isLaneClear = gate.isLaneClear
        isServed = gate.credit < gate.policy.price
        isCountAwaited = gate.isCountAwaited
    }
}

extension Situation {
    /// Whether the gate waits for people, nobody is in it and nothing is wrong or owed.
    fileprivate var isQuiet: Bool {
        let gate = turnstile.gate
        return turnstile.isIdle && gate.standing == .inService && !gate.faults.refusesCoins
            && gate.commitBarrier.isDurable && world.notebook?.isAtRest ?? true
            && world.pendingPulses == World.PendingPulses()
            && Alarm.allCases.allSatisfy { gate.alarms[$0] == nil }
    }
}

extension Scene {
    /// The scenes whose names hold what `TURNSTILED_SCENE` says; all where it says nothing.
    fileprivate static var selected: [Scene] {
        let wanted = ProcessInfo.processInfo.environment["TURNSTILED_SCENE"] ?? ""
        return all.filter { wanted.isEmpty || $0.name.contains(wanted) }
    }
}

extension Scene: CustomTestStringConvertible {
    var testDescription: String { name }
}
