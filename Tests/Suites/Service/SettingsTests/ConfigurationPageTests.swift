import Foundation
import Testing

@Suite struct ConfigurationPageTests {
    @Test func thePageSaysWhatTheSchemaSays() throws {
        let path = "docs/configuration.md"
        let page = ConfigurationPage().text
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try page.write(toFile: Project.folder + path, atomically: true, encoding: .utf8)
        }
        let stored = try String(decoding: Project.bytes(of: path), as: UTF8.self)
        #expect(stored == page, "stale: run with UPDATE_GENERATED=1 to write \(path) anew")
    }
}
