import Testing

/// In how many places of `Sources/` an example of each family is spelled, which is what it takes to
/// add another one (decision 0047). Code that treats the example specially counts.
@Suite struct SpellingTests {
    /// An example, in how many lines and files at most, and how many lines were the aim.
    struct Example: Sendable {
        let family: String
        /// Its name in the source.
        let source: String
        /// Its published name.
        let name: String
        let lines: Int
        let files: Int
        /// Nil: none was set.
        var aim: Int?
        /// Why there are more.
        let reason: String
    }

    static let examples = [
        Example(
            family: "record", source: "coinLate", name: "coin_late", lines: 13, files: 8, aim: 2,
            reason: "registers, balances, review and view count late coins by themselves"),
        Example(
            family: "record", source: "vaultClosed", name: "vault_closed", lines: 9, files: 5,
            aim: 2, reason: "a case, an arm, a sample, a text; registers and balances ask of each"),
        Example(
            family: "alarm", source: "reversePassage", name: "reverse_passage", lines: 4, files: 2,
            reason: "a case, an arm with its name; the lane raises it"),
        Example(
            family: "fault", source: "sensorStuck", name: "sensor_stuck", lines: 6, files: 3,
            reason: "a case, an arm with its name, the list of all; the gate finds and ends it"),
        Example(
            family: "input", source: "emergencyResetKey", name: "emergency_reset_key", lines: 8,
            files: 6, aim: 4,
            reason: "a policy needs the key, earlier ledgers name it, and most gates have it"),
        Example(
            family: "output", source: "lampStop", name: "lamp_stop", lines: 6, files: 4, aim: 4,
            reason: "a warning about lamps, and what it moves in the simulator"),
        Example(
            family: "output", source: "dropArm", name: "drop_arm", lines: 19, files: 11, aim: 4,
            reason: "the checks, the simulator and the drive treat a dropped arm by itself"),
        Example(
            family: "policy key", source: "homeSettle", name: "home_settle", lines: 9, files: 5,
            aim: 2, reason: "field name, default, walk of two lines; its machine has two timers"),
        Example(
            family: "request", source: "withdraw", name: "withdraw", lines: 11, files: 3, aim: 2,
            reason: "a case, a kind, an arm, its fields; the gate and the command that makes it"),
        Example(
            family: "subcommand", source: "TraceCut", name: "cut", lines: 3, files: 2, aim: 1,
            reason: "the parser needs the type in the list of its group"),
    ]

    private static let sources = Repository.swiftFiles(below: "Sources")

    /// The lines of code that spell `example`.
    private func places(of example: Example) throws -> [String] {
        let word = try Regex("\\b\(example.source)\\b|\"\(example.name)\"")
        return Self.sources.flatMap { file in
            file.places { line in
                // To look for the word takes long.
                (line.contains(example.source) || line.contains(example.name))
                    && !line.drop { $0 == " " }.hasPrefix("//") && line.contains(word)
            }
        }
    }

    @Test func `a thing is said where one looks for it`() throws {
        var table = [Self.row("family", "example", "lines", "files", "aim", "why more")]
        for example in Self.examples {
            let places = try places(of: example)
            let files = Set(places.map { $0.prefix { $0 != ":" } }).count
            table.append(
                Self.row(
                    example.family, example.name, "\(places.count)", "\(files)",
                    example.aim.map { "\($0)" } ?? "-", example.reason))
            #expect(
                places.count <= example.lines && files <= example.files,
                "\(example.family) \(example.name): \(places)")
        }
        print(table.joined(separator: "\n"))
    }

    /// A line of the table, its cells below those of the others.
    private static func row(_ cells: String...) -> String {
        zip(cells, [12, 21, 7, 7, 5, 0])
            .map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            .joined()
    }
}
