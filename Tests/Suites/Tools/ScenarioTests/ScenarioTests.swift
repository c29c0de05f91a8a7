import Checkout
import Foundation
import Scenario
import Settings
import Testing

/// The scenarios that come with the service are played, on a virtual clock.
@Suite struct ScenarioTests {
    private static let config = Checkout.root.appending(path: "config")

    private static let names: [String] = {
        let folder = config.appending(path: "scenarios").path
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { $0.hasSuffix(".scenario") }.sorted()
    }()

    private static func read(_ name: String) throws -> Scenario {
        let file = config.appending(path: "scenarios/\(name)")
        return try Scenario(try String(contentsOf: file, encoding: .utf8), file: name)
    }

    @Test func `there are scenarios`() { #expect(Self.names.count >= 6, "\(Self.names)") }

    @Test(arguments: names) func `goes as it says`(name: String) throws {
        let scenario = try Self.read(name)
        let file = try #require(scenario.settings, "it names no settings")
        let path = Self.config.appending(path: "scenarios/\(file)").standardized.path
        let stage = try VirtualStage(try Settings.load(path: path))
        try Player.play(scenario, on: stage)
    }
}
