import ArgumentParser
import Console
import GateClient
import StateMachines
import System

struct Watch: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the gate is doing, over and over.",
        discussion: """
            On a terminal the page is drawn anew at each change, and q ends it. Elsewhere each \
            change is a line; with --json it is all that status --json has. It goes on where the \
            service is started anew.

            Example: turnstilectl watch
            """)

    @OptionGroup var gate: GateOptions

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        let connection = try gate.connect()
        try connection.listen()
        let watched = WatchedGate(connection, try connection.state())
        guard !gate.json, Terminal.isUsable(input: 0, output: 1) else {
            try printChanges(of: watched, paper)
        }
        let terminal: Terminal
        do throws(TerminalError) {
            terminal = try Terminal(input: 0, output: 1)
        } catch {
            try printChanges(of: watched, paper)
        }
        defer { terminal.close() }
        try WatchScreen(terminal, paper.appearance).run(watched)
        return .done
    }

    /// Prints each change, until the process is interrupted.
    private func printChanges(of watched: WatchedGate, _ paper: Paper) throws(GateError) -> Never {
        var shown: String?
        while true {
            if let state = watched.state, gate.json {
                if watched.takeNews() { paper.printJSON(state) }
                shown = nil
            } else {
                let page = watched.state.map { StatusPage(state: $0, appearance: paper.appearance) }
                let summary = page?.summary ?? WatchedGate.absence
                if summary != shown { tell(summary, paper) }
                shown = summary
            }
            watched.connection.wait(until: watched.due)
            try watched.hear()
        }
    }

    /// Says this where it is no object of JSON.
    private func tell(_ summary: String, _ paper: Paper) {
        if gate.json { complain(summary) } else { paper.print("\(localTimeOfDay()) \(summary)") }
    }
}

/// What is known of a gate, kept up to date as it tells of changes.
final class WatchedGate {
    /// The gate itself.
    let connection: GateConnection
    /// What it is doing; nil while no gate answers.
    private(set) var state: GateState?
    /// What was recorded last, the oldest first.
    private(set) var records: [GateRecord] = []

    private var readAt = MonotonicTimer.now
    private var isStale = false
    private var hasNews = true

    /// What is asked at most so often: others ask as well.
    private static let pause = Duration.milliseconds(200)
    private static let mostRecords = 200
    /// How long the gate may take to answer: nobody can press q meanwhile.
    private static let patience = Duration.seconds(1)

    /// What is said while no gate answers.
    static let absence = "no gate answers on the bus; waiting for one"

    init(_ connection: GateConnection, _ state: GateState) {
        self.connection = connection
        self.state = state
    }

    /// When to ask anew, though nothing comes; nil for never.
    var due: Instant? { isStale ? readAt + Self.pause : nil }

    /// The gate's time now.
    var now: Instant? { state.map { $0.now + (MonotonicTimer.now - readAt) } }

    /// Whether the state was read since this was last asked.
    func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Takes what was told, and asks for the state where it has changed.
    func hear() throws(GateError) {
        while let event = try connection.next() {
            switch event {
            case .changed, .ownerChanged(isThere: true): isStale = true
            case .ownerChanged(isThere: false): (state, isStale) = (nil, false)
            case .recorded(let record): records = (records + [record]).suffix(Self.mostRecords)
            case .recordsLost, .line: continue
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
            // What it was is not what it is.
            case .noAnswer: state = nil
            case .noBus, .busLost, .lost, .notAllowed, .settingsRefused, .refusedArguments,
                .unreadable:
                throw error
            }
        }
    }
}

/// A watched gate on a terminal.
struct WatchScreen {
    private let terminal: Terminal
    private let appearance: Appearance

    init(_ terminal: Terminal, _ appearance: Appearance) {
        self.terminal = terminal
        self.appearance = appearance
    }

    /// Shows the gate until somebody presses q.
    func run(_ watched: WatchedGate) throws(GateError) {
        var painter = Painter()
        while true {
            let lines = lines(of: watched, size: terminal.size)
            terminal.write(painter.paint(lines.map(appearance.text)))
            // What is told in seconds is told anew each second.
            let end = MonotonicTimer.now + .seconds(1)
            watched.connection.wait(
                until: watched.due.map { min($0, end) } ?? end, or: terminal.descriptors)
            if terminal.takeDisturbance() { painter.forget() }
            // q, Ctrl and C, Ctrl and D; nil where the terminal has gone away.
            guard let bytes = terminal.takeBytes(),
                !bytes.contains(where: { $0 == UInt8(ascii: "q") || $0 == 3 || $0 == 4 })
            else { return }
            try watched.hear()
        }
    }

    /// The screen: the page, what was recorded last, and the key.
    func lines(of watched: WatchedGate, size: (columns: Int, rows: Int)) -> [[Span]] {
        let page =
            if let state = watched.state, let now = watched.now {
                StatusPage(state: state, appearance: appearance).lines(at: now)
            } else {
                [[Span(WatchedGate.absence, .yellow)]]
            }
        let rule = [Span(String(repeating: appearance.rule, count: size.columns), .faint)]
        let head = page + [rule]
        let foot = [rule, [Span("q", .bold), Span(" quit")]]
        // On a screen that is too low the page ends early: the key is needed to leave.
        let height = max(0, size.rows - foot.count)
        let room = max(0, height - head.count)
        let records = watched.records.suffix(room).map {
            $0.line(clockOffset: SystemWallClock.offset, appearance)
        }
        let empty = Array(repeating: [Span](), count: room - records.count)
        let body = (head + records + empty).prefix(height)
        return (body + foot.suffix(size.rows)).map {
            $0.cut(at: size.columns, appearance)
        }
    }
}
