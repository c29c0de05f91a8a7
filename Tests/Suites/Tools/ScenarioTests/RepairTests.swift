import Checkout
import Foundation
import Settings
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

@testable import LiveView

/// The key of the live view that repairs a gate: it puts everything in order, whatever bounces.
@Suite struct RepairTests {
    private static let settings = Checkout.root.appending(path: "config/two-way.yaml").path

    /// Everything that a key breaks, or leaves open.
    private static let troubles: [Character] = Array("dojJmnNhcgGF")

    private let keyboard = Keyboard(
        coins: [], equipment: Equipment(inputs: .all, outputs: OutputSet(Output.allCases)),
        serviceHold: .seconds(3))

    private func press(_ key: Character, on stage: VirtualStage) throws {
        let levels = stage.report().inputs
        guard case .events(let events) = keyboard.stroke(key, levels: levels) else {
            throw CocoaError(.featureUnsupported)
        }
        for event in events { stage.perform(event) }
    }

    /// Lets so much time pass.
    private func wait(_ time: Duration, on stage: VirtualStage) {
        let end = stage.now + time
        while stage.now < end { stage.wait(until: end) }
    }

    /// What is still wrong once `trouble` was made and repaired.
    private func rest(of trouble: Character, seed: UInt64) throws -> String {
        let stage = try VirtualStage(try Settings.load(path: Self.settings), seed: seed)
        wait(.seconds(1), on: stage)
        try press(trouble, on: stage)
        if trouble == "n" || trouble == "N" { stage.perform(.contactPressed(.releaseEntry)) }
        wait(.seconds(8), on: stage)
        try press("r", on: stage)
        var mechanic = Mechanic()
        mechanic.repair(at: stage.now)
        let latest = stage.now + Mechanic.most
        while !mechanic.turnsKey(stage.report(), at: stage.now) {
            stage.wait(until: min(try #require(mechanic.due(stage.report())), latest))
        }
        stage.perform(.contactPressed(.serviceKey))
        wait(.seconds(2), on: stage)
        let report = stage.report()
        return (report.faults.map(\.value.code) + report.alarms.map(\.value.code)).joined()
    }

    @Test(arguments: troubles) func `whatever is repaired is over`(trouble: Character) throws {
        for seed in 1...25 as ClosedRange<UInt64> {
            let rest = try rest(of: trouble, seed: seed)
            #expect(rest.isEmpty, "\(trouble), seed \(seed): \(rest)")
        }
    }
}
