import Stories
import Testing
import Turnstile

/// The list of scenes, without exploring them.
@Suite struct SceneTests {
    /// Two acceptors do all that three can do to one another, and either lock is watched alike.
    private static let others: [Input] = [.coinPulse3, .lockFeedbackExit]

    @Test func `every input takes part in some scene`() {
        let inputs = Scene.all.reduce(into: InputLevels()) { $0.formUnion($1.equipment.inputs) }
        for input in Input.allCases where !inputs[input] && !Self.others.contains(input) {
            Issue.record("no scene of Scene+All.swift has \(input.name)")
        }
    }

    @Test func `every scene has a name of its own`() {
        #expect(Set(Scene.all.map(\.name)).count == Scene.all.count)
    }
}
