public import Console
internal import SimulatedHardware
internal import StateMachines
internal import System
public import Turnstile

/// A gate in a terminal: one that this process runs, or one on the bus.
///
/// It has no thread: the owner of the loop watches ``descriptors``, calls ``takeActions()`` when
/// one is readable, and ``show(_:)`` when something has changed. Otherwise nothing is written.
public final class LiveView {
    private let terminal: Terminal
    private let appearance: Appearance
    private let timer: MonotonicTimer
    private var decoder = KeyDecoder()
    private var painter = Painter()
    private var viewer = Viewer()

    /// Shown without a gate.
    public static let absence = "no gate answers on the bus; waiting for one"

    /// Whether both descriptors are terminals that can be drawn on.
    public static func isPossible(input: CInt = 0, output: CInt = 1) -> Bool {
        Terminal.isUsable(input: input, output: output)
    }

    /// Takes the terminal: keys arrive at once, without echo, and the screen is this view's until
    /// ``close()`` or the end of the process, even by a signal.
    public init(input: CInt = 0, output: CInt = 1) throws(TerminalError) {
        do throws(SystemError) {
            timer = try MonotonicTimer()
        } catch {
            throw TerminalError(error)
        }
        terminal = try Terminal(input: input, output: output)
        appearance = Appearance(environment: environmentVariable)
    }

    /// Readable when a key was pressed, the window was resized, the process was resumed (SIGCONT),
    /// or a delayed action is due.
    public var descriptors: [CInt] {
        terminal.descriptors.isEmpty ? [] : terminal.descriptors + [timer.descriptor]
    }

    /// The actions of the pressed keys, oldest first. Never blocks. A closed terminal means quit.
    public func takeActions() -> [Action] {
        let isDisturbed = terminal.takeDisturbance()
        if isDisturbed { painter.forget() }
        guard let bytes = terminal.takeBytes() else { return [.quit] }
        let now = MonotonicTimer.now
        var actions: [Action] = []
        let keys = decoder.keys(bytes)
        for key in keys {
            if key == .suspend { terminal.suspend() }
            // Pasted text is many keys: a layout of the screen for each would delay the gate.
            let rows = key.scrolls ? screen.logRows(viewer) : 0
            if let action = viewer.press(key, rows: rows, at: now) { actions.append(action) }
        }
        if let action = viewer.takeDue(at: now) { actions.append(action) }
        if isDisturbed || !keys.isEmpty || !actions.isEmpty { draw() }
        return actions
    }

    /// Shows this moment of the gate; nil while no gate answers.
    public func show(_ model: ViewModel?) {
        viewer.update(model)
        draw()
    }

    public func log(_ entry: ViewModel.Entry) { viewer.log.add(entry) }

    /// Shows the log's new entries, with the last shown moment; does nothing before the first.
    public func showLog() {
        if viewer.model != nil { draw() }
    }

    public func count(_ record: Record) { viewer.append(record) }

    /// Clears log and counts: another moment of a recording follows.
    public func forget() { viewer.forget() }

    /// Says in place of the keys why an action was refused, until the next key.
    public func say(_ note: String) {
        viewer.say(note)
        draw()
    }

    /// Restores the terminal. Closing twice does nothing.
    public func close() {
        terminal.close()
    }

    /// The counts since the view was opened, a line each, and where more is kept.
    public func summary(gate: String, kept: String) -> [String] {
        viewer.chronicle.summary(gate: gate, kept: kept).map(appearance.printable)
    }

    /// The severe entries of the log, oldest first.
    public var errors: [String] {
        viewer.log.entries.filter { $0.weight == .severe }.map { appearance.printable($0.text) }
    }

    private var screen: Screen {
        let size = terminal.size
        return Screen(columns: size.columns, rows: size.rows, appearance: appearance)
    }

    private func draw() {
        guard !terminal.descriptors.isEmpty else { return }
        timer.arm(at: viewer.due)
        let lines = screen.lines(viewer)
        terminal.write(painter.paint(lines.map(appearance.text)))
    }
}
