import Seeds
import Testing

@testable import Settings
@testable import Turnstile

/// Settings that are written out read as they were, whatever they are: each key fills in what it
/// is named after.
@Suite struct RoundTripTests {
    /// A key that is always the same would be found missing by no test.
    @Test func everyKeyOfThePolicyVaries() {
        var random = SeededGenerator.announced()
        let policies = (0..<300).map { _ in
            Mirror(reflecting: random.settings().policy).children.map { "\($0)" }
        }
        for place in policies[0].indices {
            let isVaried = policies.contains { $0[place] != policies[0][place] }
            #expect(isVaried, "\(policies[0][place]): SeededGenerator+Settings.swift")
        }
    }

    @Test func whatIsWrittenReadsTheSame() throws {
        var random = SeededGenerator.announced()
        for _ in SeededGenerator.rounds(300) {
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

    @Test func `what can be written can be asked for from afar`() {
        var random = SeededGenerator.announced()
        for _ in SeededGenerator.rounds(1_000) {
            let policy = random.settings().policy
            #expect(policy.isPossible, "\(random)\n\(policy)")
        }
    }
}
