import Console
import Foundation
import Hardware
import Journal
import Settings
import SimulatedHardware
import StateMachines
import System
import Turnstile

@testable import LiveView

/// A simulated gate in virtual time, and somebody who looks at it in a terminal.
final class ShownGate {
    private let stage: VirtualStage
    private let gate: String
    private let simulation: ViewModel.Simulation
    private(set) var viewer = Viewer()
    private let isReal: Bool

    /// A gate with these settings, on a Monday at 8 in the morning.
    init(_ settings: Settings, isReal: Bool = false) throws {
        stage = try VirtualStage(settings, showing: .seconds(1_704_067_200 + 8 * 3600))
        gate = settings.gate
        simulation = .init(settings.policy, settings.wiring.equipment)
        self.isReal = isReal
        look()
    }

    /// Somebody does this at the gate.
    func `do`(_ event: World.Event) {
        stage.perform(event)
        look()
    }

    /// Presses these keys, a letter each.
    func press(_ keys: String) {
        for key in keys { press(.character(key)) }
    }

    /// Presses a key on a terminal of 80 by 24.
    func press(_ key: Key) {
        if case .simulate(let events)? = viewer.press(key, rows: 9, at: stage.now) {
            for event in events { stage.perform(event) }
        }
        look()
    }

    /// Lets so much time pass.
    func wait(_ time: Duration) {
        let end = stage.now + time
        while stage.now < end {
            stage.wait(until: end)
            look()
        }
    }

    /// Lets time pass until this is so.
    func wait(until isSo: (ViewModel) -> Bool) {
        while let model = viewer.model, !isSo(model) { wait(.milliseconds(10)) }
    }

    /// What is on a terminal of this size.
    func lines(
        columns: Int, rows: Int, isUnicode: Bool = true, isColoured: Bool = false
    ) -> [[Span]] {
        let appearance = Appearance(isColoured: isColoured, isUnicode: isUnicode)
        return Screen(columns: columns, rows: rows, appearance: appearance).lines(viewer)
    }

    /// The same as text.
    func text(columns: Int, rows: Int, isUnicode: Bool = true) -> String {
        lines(columns: columns, rows: rows, isUnicode: isUnicode)
            .map { $0.map(\.text).joined() + "\n" }.joined()
    }

    private func look() {
        for record in stage.takeRecords() { viewer.append(record) }
        for (entry, utc) in stage.takeEntries() {
            for line in entry.message.split(separator: "\n") {
                // In UTC, whatever the zone of this machine is.
                let (seconds, attoseconds) = utc.components
                let time = String(
                    format: "%02d:%02d:%02d.%03d", Int(seconds / 3600 % 24),
                    Int(seconds / 60 % 60), Int(seconds % 60),
                    Int(attoseconds / 1_000_000_000_000_000))
                viewer.log.add(.init(String(line), at: time, weight: .init(entry.priority)))
            }
        }
        viewer.update(stage.model(gate, isReal ? nil : simulation))
    }
}
