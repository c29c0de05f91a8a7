import Drawing
import Exploration
import Foundation
import GateCharts
import Pictures
import StateMachines
import Testing
import Turnstile

/// The gate's regions as drawings.
@Suite struct GateChartTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "golden")

    /// The emergency that waits for its reset, in a language.
    private static func emergency(_ format: String) throws -> String {
        var diagram = try #require(GateChart.diagram(of: .emergency))
        diagram.present = GateChart.stateName(Emergency.State.awaitingReset.name)
        switch format {
        case "mermaid": return diagram.mermaid
        case "dot": return diagram.dot
        case "svg":
            return Picture(title: "A gate", of: [.init(name: "emergency", diagram: diagram)]).svg
        case "several.mermaid": return Diagram.mermaid(of: [("a", diagram), ("b", diagram)])
        case "several.dot": return Diagram.dot(of: [("a", diagram), ("b", diagram)])
        default: throw CocoaError(.featureUnsupported)
        }
    }

    /// `UPDATE_GENERATED=1 swift test --filter GateChartTests` writes them anew.
    @Test(arguments: ["mermaid", "dot", "svg", "several.mermaid", "several.dot"])
    func `a region is drawn as it was`(format: String) throws {
        let file = Self.folder.appending(path: "emergency.\(format)")
        let drawn = try Self.emergency(format)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try drawn.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: file, encoding: .utf8) == drawn)
        }
    }

    /// `UPDATE_GENERATED=1 swift test --filter GateChartTests` draws it anew.
    @Test func `the document shows the lane as it is`() throws {
        let lane = try #require(GateChart.diagram(of: .lane))
        let picture = Picture(
            title: "The states of the lane", of: [.init(name: "lane", diagram: lane)])
        #expect(try PictureFile.holds(picture.svg, in: "states-lane.svg"))
    }

    /// A gate with a name for a state that its drawing has not would be drawn without its state.
    @Test(arguments: GateChart.regions)
    func `every state that has a name is in its drawing`(region: Gate.Region) throws {
        let diagram = try #require(GateChart.diagram(of: region))
        let names: [String] =
            switch region {
            case .lane:
                ["locked", "released", "opposed", "suspended", "passing", "recovering"]
            case .emergency: Emergency.State.allCases.map(\.name)
            case .commitBarrier: CommitBarrier.State.allCases.map(\.name)
            case .service: ["off", "key_turned", "awaiting_idle", "testing", "on", "leaving"]
            case .arm: ["in_order", "away_noticed", "away", "stuck_noticed", "stuck"]
            case .beams, .entryLock, .exitLock, .loiterer: ["in_order", "noticed", "reported"]
            case .faults, .alarms, .creditAccount, .timetable, .heldContacts, .duties, .outage,
                .lateCoins, .earlyCoins, .payer, .counters:
                []
            }
        #expect(Set(diagram.nodes.map(\.name)) == Set(names.map(GateChart.stateName)))
    }

    @Test func `the regions that are drawn are those whose state a gate can name`() {
        let policy = Policy(price: 100, coinUnit: 100)
        let gate = Turnstile(policy: policy).gate
        #expect(GateChart.regions == Gate.Region.allCases.filter { gate.stateName(of: $0) != nil })
        #expect(Set(Gate.Region.allCases.map(\.name)).count == Gate.Region.allCases.count)
    }
}
