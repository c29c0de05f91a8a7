import Checkout
import Foundation
import Moves
import Testing

/// The page on scenarios lists the moves as the program has them.
@Suite struct ScenariosPageTests {
    private static let page = Checkout.root.appending(path: "docs/scenarios.md")

    private static let table =
        "| move | what happens |\n|---|---|\n"
        + Move.allCases.map { move in
            "| `\(move.usage.replacing("|", with: "\\|"))` | \(move.summary) |\n"
        }.joined()

    @Test func `the moves are listed`() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- moves -->\n")
        try #require(parts.count == 2, "the page says where the moves are listed")
        let end = try #require(parts[1].range(of: "\n`ask`"))
        let listed = parts[1][..<end.lowerBound]
        let updates = ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil
        if updates, listed != Self.table[...] {
            let fresh = parts[0] + "<!-- moves -->\n" + Self.table + parts[1][end.lowerBound...]
            try fresh.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(listed == Self.table[...])
        }
    }
}
