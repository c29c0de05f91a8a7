import Checkout
import Foundation
import Testing

@Suite struct VocabularyPageTests {
    private static let file = Checkout.root.appending(path: "docs/vocabulary.md")

    /// `UPDATE_GENERATED=1 swift test --filter VocabularyPageTests` writes the file anew.
    @Test func `the page is what the domain says`() throws {
        let page = VocabularyPage().text
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try page.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == page)
    }
}
