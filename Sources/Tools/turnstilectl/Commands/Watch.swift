import ArgumentParser
import Console
import GateClient
import LiveView
import StateMachines
import System

struct Watch: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show live status.",
        discussion: """
            On a terminal it draws the gate with its lines and records; ? shows the keys, and q \
            quits. Other keys move a simulated gate, never a real one. Without a terminal it \
            prints each change as a line; with --json, the output of status --json. It continues \
            after a restart of the service.

            Example: turnstilectl watch
            """)

    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let connection = try gate.connect()
        try connection.listen()
        let watched = WatchedGate(connection, try connection.state())
        guard !gate.json, LiveView.isPossible() else { try printChanges(of: watched, out) }
        let view: LiveView
        do throws(TerminalError) {
            view = try LiveView()
        } catch {
            try printChanges(of: watched, out)
        }
        var window = WatchWindow(view, watched)
        defer { view.close() }
        try window.run()
        view.close()
        for line in window.summary { out.print(line) }
        return .done
    }

    private func printChanges(
        of watched: WatchedGate, _ out: StandardOutput
    ) throws(GateError) -> Never {
        var shown: String?
        while true {
            if let state = watched.state, gate.json {
                if watched.takeNews() { out.printJSON(state.told()) }
                shown = nil
            } else {
                let page = watched.state.map { StatusPage(state: $0, appearance: out.appearance) }
                let summary = page?.summary ?? LiveView.absence
                if summary != shown { printSummary(summary, out) }
                shown = summary
            }
            watched.connection.wait(until: watched.due)
            try watched.receive()
        }
    }

    private func printSummary(_ summary: String, _ out: StandardOutput) {
        if gate.json { complain(summary) } else { out.print("\(localTimeOfDay()) \(summary)") }
    }
}

/// The state of a gate, kept up to date by its signals.
final class WatchedGate {
    let connection: GateConnection
    /// Nil while no gate answers.
    private(set) var state: GateState?
    /// The records since they were last taken, the oldest first.
    private var records: [GateRecord] = []
    /// The number of missing records since then.
    private var missing: UInt64 = 0

    private var readAt = MonotonicTimer.now
    private var isStale = false
    private var hasNews = true

    /// The least time between requests, since other clients ask as well.
    private static let pause = Duration.milliseconds(200)
    private static let mostRecords = 200
    /// The timeout of an answer: keys are not read meanwhile.
    static let patience = Duration.seconds(1)

    init(_ connection: GateConnection, _ state: GateState) {
        self.connection = connection
        self.state = state
    }

    /// When to ask again without a signal; nil for never.
    var due: Instant? { isStale ? readAt + Self.pause : nil }

    /// Whether the state was read since this was last asked.
    func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Takes the records since the last call, and the number of missing ones.
    func takeRecords() -> (told: [GateRecord], missing: UInt64) {
        defer { (records, missing) = ([], 0) }
        return (records, missing)
    }

    func receive() throws(GateError) {
        while let event = try connection.next() {
            switch event {
            case .changed, .ownerChanged(isThere: true): isStale = true
            case .ownerChanged(isThere: false): (state, isStale) = (nil, false)
            case .recorded(let record): keep(record)
            case .recordsLost(let count): countMissed(count)
            case .line: continue
            }
        }
        guard let due, due <= MonotonicTimer.now else { return }
        readAt = MonotonicTimer.now
        do throws(GateError) {
            state = try connection.state(within: Self.patience)
            (isStale, hasNews) = (false, true)
        } catch {
            switch error {
            // It starts, or stops, or has much to do: asked again after the pause.
            case .noGate, .unavailable, .busy: return
            // The last state is out of date.
            case .noAnswer, .lost: state = nil
            case .noBus, .busLost, .notAllowed, .settingsRefused, .refusedArguments, .olderService,
                .unreadable:
                throw error
            }
        }
    }

    /// Keeps a record until it is taken; drops the oldest if too many wait.
    private func keep(_ record: GateRecord) {
        records.append(record)
        guard records.count > Self.mostRecords else { return }
        records.removeFirst()
        countMissed(1)
    }

    /// Counts missing records, saturating.
    private func countMissed(_ count: UInt64) {
        let (sum, overflows) = missing.addingReportingOverflow(count)
        missing = overflows ? .max : sum
    }
}
