import Documents
import Foundation
import System
import Testing

/// docs/man/turnstiled.yaml.5 says what docs/configuration.md says.
///
/// `UPDATE_GENERATED=1 swift test --filter ManualTests` writes it anew.
@Suite struct ManualTests {
    @Test func `the manual page of the settings says what the document says`() throws {
        var page = ManualPage(
            "turnstiled.yaml", section: 5, of: "turnstiled \(programVersion)",
            abstract: "settings of the turnstile controller")
        page.section("Synopsis")
        page.paragraph("`/etc/turnstiled/turnstiled.yaml`")
        page.section("Description")
        // The last paragraph tells how the document is made.
        let document = ConfigurationPage().text.replacing(
            /\nThis page is written from(?s:.*)$/, with: "")
        page.document(document, codeTitle: "Keys")
        page.section("See also")
        page.paragraph("`turnstiled`(8), `turnstilectl`(1)")
        let path = "docs/man/turnstiled.yaml.5"
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try page.text.write(toFile: Project.folder + path, atomically: true, encoding: .utf8)
        }
        let stored = try String(decoding: Project.bytes(of: path), as: UTF8.self)
        #expect(stored == page.text, "stale: run with UPDATE_GENERATED=1 to write \(path) anew")
        #expect(page.text.contains("\n.TP\n\\fBtrain_quiet\\fR\n"))
    }
}
