import Foundation
import SystemFixtures
import Testing

@testable import Turnstile

@Suite struct AlarmsAndFaultsPageTests {
    static let file = systemdFolder.appending(path: "../docs/alarms-and-faults.md").standardized

    /// `UPDATE_GENERATED=1 swift test --filter AlarmsAndFaultsPageTests` writes the file anew.
    @Test func `the page is what the catalog and the domain say`() throws {
        let page = AlarmsAndFaultsPage().text
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try page.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == page)
    }

    @Test func `every code has a section of its own, and no entry's field is left in it`() {
        let page = AlarmsAndFaultsPage().text
        let codes = Alarm.allCases.map(\.code) + Set(Fault.all.map(\.code)).sorted()
        #expect(Set(codes).count == codes.count)
        for code in codes { #expect(page.split(separator: "\n## \(code)\n").count == 2) }
        #expect(!page.contains("@"))
    }
}
