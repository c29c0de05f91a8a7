import Charts
import StateMachines
import Testing

/// A chart of a suite, what happens to it, and what comes of that.
struct Case: Sendable, CustomTestStringConvertible {
    typealias Words = ChartsTests.Words
    /// The case's number or name in its suite.
    let name: String
    let chart: Result<Chart<Words>, ChartError>
    /// The states that are active after the start, and after each event, with those round them.
    let start: String
    let events: [(event: Words.Event, states: String)]
    /// All commands from the start on.
    let says: String

    init(
        _ name: String, starts start: String, _ events: KeyValuePairs<Words.Event, String> = [:],
        says: String = "", @ChartBuilder<Words> _ parts: () -> [ChartPart<Words>]
    ) {
        self.name = name
        self.start = start
        self.events = events.map { ($0.key, $0.value) }
        self.says = says
        chart = Result { () throws(ChartError) in try Chart(tolerating: .everything, parts) }
    }

    /// The cases that begin in `pass` or come there by an event.
    init(
        _ name: String, passesAfter events: [Words.Event] = [], says: String = "",
        @ChartBuilder<Words> _ parts: () -> [ChartPart<Words>]
    ) {
        self.name = name
        start = events.isEmpty ? "pass" : ""
        self.events = events.enumerated().map { ($1, $0 == events.count - 1 ? "pass" : "") }
        self.says = says
        chart = Result { () throws(ChartError) in
            try Chart(tolerating: .everything) {
                parts()
                Words.ends
            }
        }
    }

    var testDescription: String { name }

    /// Tells the story to a machine, and compares.
    func check(handling: (inout ChartMachine<Words>, Words.Event, inout [String]) -> Void) throws {
        var (machine, first) = try chart.get().start(context: Words.Context())
        var said = Array(first)
        Self.expect(machine, in: start, "start")
        for (event, states) in events {
            handling(&machine, event, &said)
            Self.expect(machine, in: states, "\(event)")
        }
        #expect(said.joined(separator: " ") == says)
    }

    private static func expect(
        _ machine: ChartMachine<Words>, in states: String, _ moment: String
    ) {
        if states.isEmpty { return }
        let found = Set(machine.active.kinds.map { "\($0)" })
        #expect(found == Set(states.split(separator: " ").map(String.init)), "\(moment)")
    }
}

/// Collects cases.
@resultBuilder
enum Cases {
    static func buildExpression(_ one: Case) -> [Case] { [one] }
    static func buildPartialBlock(first: [Case]) -> [Case] { first }
    static func buildPartialBlock(accumulated: [Case], next: [Case]) -> [Case] {
        accumulated + next
    }
    static func buildArray(_ cases: [[Case]]) -> [Case] { cases.flatMap { $0 } }
}

/// These cases, as a list.
func cases(@Cases _ list: () -> [Case]) -> [Case] { list() }
