import Seeds
import Testing

@testable import Settings

/// Settings that are written out read as they were, whatever they are: each key fills in what it
/// is named after.
@Suite struct RoundTripTests {
    @Test func whatIsWrittenReadsTheSame() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<300 {
            let settings = random.settings()
            let text = settings.yaml
            do throws(SettingsErrors) {
                var read = try Settings.parse(text, file: "gate.yaml")
                // What is rarely meant is what random settings are full of.
                read.warnings = []
                #expect(read == settings, "\(random)\n\(text)")
                if read != settings { return }
            } catch {
                Issue.record("\(random): \(error)\n\(text)")
                return
            }
        }
    }
}
