import Foundation
import System
import SystemFixtures
import Testing

/// The version stands in Sources/Service/System/Version.swift: all else takes it from there.
@Suite struct VersionTests {
    @Test func `the latest release in the changelog is this version`() throws {
        let file = systemdFolder.deletingLastPathComponent().appending(path: "CHANGELOG.md")
        let changelog = try String(contentsOf: file, encoding: .utf8)
        let releases = changelog.matches(of: /\n## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)\n/)
        #expect(releases.first.map { String($0.output.1) } == programVersion)
        #expect(changelog.contains("\n## [Unreleased]\n"))
    }
}
