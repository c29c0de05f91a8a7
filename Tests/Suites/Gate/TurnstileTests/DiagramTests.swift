import Checkout
import Exploration
import Foundation
import GateCharts
import StateMachines
import Testing
import Turnstile

/// The drawings in docs/gate.md are what exploring the machines finds.
@Suite struct DiagramTests {
    static let file = Checkout.root.appending(path: "docs/gate.md")

    /// `UPDATE_GENERATED=1 swift test --filter DiagramTests` draws them anew.
    @Test func `the drawings of the gate are what its machines do`() throws {
        let document = try String(contentsOf: Self.file, encoding: .utf8)
        var drawn = document
        for region in GateChart.regions where region != .exitLock {
            drawn = try drawn.replacing(
                block: region.name, with: #require(GateChart.diagram(of: region)).mermaid)
        }
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try drawn.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(document == drawn)
        }
    }
}

extension String {
    /// There is no such block.
    struct MissingBlock: Error {
        let name: String
    }

    /// The text with another drawing between the line `<!-- drawing: name -->` and the next
    /// `<!-- end -->`.
    func replacing(block name: String, with drawing: String) throws -> String {
        guard let start = range(of: "<!-- drawing: \(name) -->\n"),
            let end = self[start.upperBound...].range(of: "<!-- end -->")
        else { throw MissingBlock(name: name) }
        return replacingCharacters(
            in: start.upperBound..<end.lowerBound, with: "```mermaid\n\(drawing)```\n")
    }
}
