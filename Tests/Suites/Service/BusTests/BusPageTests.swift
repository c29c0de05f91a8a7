import Checkout
import Foundation
import Testing

@testable import Bus

@Suite struct BusPageTests {
    static let file = Checkout.root.appending(path: "docs/bus.md")

    /// `UPDATE_GENERATED=1 swift test --filter BusPageTests` writes the file anew.
    @Test func `the page is what the interface says`() throws {
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try BusPage.text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == BusPage.text)
    }
}
