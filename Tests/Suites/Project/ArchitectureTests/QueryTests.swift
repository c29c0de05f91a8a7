import Documents
import Testing

/// The journal takes entries with any field from anybody who runs a program, so what the documents
/// tell people to ask it is asked of what nobody else can write.
@Suite struct QueryTests {
    /// A command that reads the journal, and where it stands.
    struct Query: Sendable, CustomTestStringConvertible {
        var place: String
        var command: String

        /// What the test's output calls it.
        var testDescription: String { "\(place): \(command)" }

        /// Whether what it shows was written by the service, by the kernel or by systemd. What
        /// `-u` shows includes what anybody has written of a crash of the service; `-F` and `+` let
        /// in everything.
        var isOfTrustedFields: Bool {
            let words = command.split { $0 == " " || $0 == "\n" }
            guard Set(words).isDisjoint(with: ["-F", "+", "-u"]) else { return false }
            return !Set(words).isDisjoint(
                with: ["_SYSTEMD_UNIT=turnstiled.service", "_PID=1", "-k"])
        }

        /// Whether it has an option with a value amidst others, as in `-bu`: the rest is its value.
        var hasSwallowedOption: Bool {
            command.contains(/\ -[a-zA-Z]*[bncMDFgopStTuU][a-zA-Z]/)
        }
    }

    /// The queries of all documents, and of what the journal itself explains.
    static let queries =
        Repository.files(["md"]).flatMap { file in
            Document(file.lines.joined(separator: "\n")).commands
                .filter { $0.contains("journalctl") }.map { Query(place: file.path, command: $0) }
        } + catalog("systemd/turnstiled.catalog")

    /// The commands in quotes: `"journalctl -k"`.
    private static func catalog(_ path: String) -> [Query] {
        let text = Repository.file(path)?.lines.joined(separator: " ") ?? ""
        return text.matches(of: /"(journalctl [^"]+)"/).map {
            Query(place: path, command: String($0.1))
        }
    }

    @Test(arguments: queries) func `asks for what nobody can forge`(query: Query) {
        #expect(query.isOfTrustedFields)
        #expect(!query.hasSwallowedOption)
    }

    @Test func `the queries of every page are found`() {
        let found = Dictionary(grouping: Self.queries, by: \.place).mapValues(\.count)
        #expect(found["docs/operations.md", default: 0] >= 15)
        #expect(found["docs/operator.md", default: 0] >= 5)
        #expect(found["docs/alarms-and-faults.md", default: 0] >= 2)
        #expect(found["docs/installation.md", default: 0] >= 1)
        #expect(found["systemd/turnstiled.catalog", default: 0] >= 1)
    }

    @Test(arguments: [
        "journalctl -F TURNSTILE_EVENT", "journalctl TURNSTILE_CODE=F5 -x", "journalctl -x",
        "journalctl -F TURNSTILE_CODE _SYSTEMD_UNIT=turnstiled.service",
        "journalctl -u turnstiled TURNSTILE_CODE=F5", "journalctl UNIT=turnstiled.service",
        "journalctl _SYSTEMD_UNIT=turnstiled.service + TURNSTILE_CODE=F5",
    ]) func `a query that others can answer is seen`(command: String) {
        #expect(!Query(place: "", command: command).isOfTrustedFields)
    }

    @Test func `an option that would swallow the next is seen`() {
        #expect(Query(place: "", command: "journalctl -bu turnstiled").hasSwallowedOption)
        #expect(!Query(place: "", command: "journalctl -u turnstiled -xe -n 1").hasSwallowedOption)
    }
}
