import Testing

/// In how many places of `Sources/` an example of each family is spelled: what it takes to add
/// another one (decision 0047). What treats the example specially is among them.
@Suite struct SpellingTests {
    /// An example: how the source and the gate call it, and in how many lines and files at most.
    struct Example: Sendable, CustomTestStringConvertible {
        let family: String
        let source: String
        let name: String
        let lines: Int
        let files: Int

        var testDescription: String { "\(family) \(name)" }
    }

    static let examples = [
        Example(family: "record", source: "coinLate", name: "coin_late", lines: 13, files: 8),
        Example(family: "record", source: "vaultClosed", name: "vault_closed", lines: 9, files: 5),
        Example(
            family: "alarm", source: "reversePassage", name: "reverse_passage", lines: 4, files: 2),
        Example(family: "fault", source: "sensorStuck", name: "sensor_stuck", lines: 6, files: 3),
        Example(
            family: "input", source: "emergencyResetKey", name: "emergency_reset_key", lines: 8,
            files: 6),
        Example(family: "output", source: "lampStop", name: "lamp_stop", lines: 6, files: 4),
        Example(family: "output", source: "dropArm", name: "drop_arm", lines: 19, files: 11),
        Example(family: "request", source: "withdraw", name: "withdraw", lines: 11, files: 3),
    ]

    private static let sources = Repository.swiftFiles(below: "Sources")

    @Test(arguments: examples) func `a thing is said where one looks for it`(
        example: Example
    ) throws {
        let word = try Regex("\\b\(example.source)\\b|\"\(example.name)\"")
        let places = Self.sources.flatMap { file in
            file.places { line in
                // To look for the word takes long.
                (line.contains(example.source) || line.contains(example.name))
                    && !line.drop { $0 == " " }.hasPrefix("//") && line.contains(word)
            }
        }
        let files = Set(places.map { $0.prefix { $0 != ":" } })
        print("\(example.testDescription): \(places.count) lines in \(files.count) files")
        #expect(places.count <= example.lines && files.count <= example.files, "\(places)")
    }
}
