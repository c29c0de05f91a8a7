public import Console
internal import SimulatedHardware
internal import System
public import Turnstile

/// The terminal as the window and the keyboard of a simulated gate.
///
/// It has no thread: whoever owns the loop watches ``descriptors``, calls ``takeActions()`` when
/// one is readable, and calls ``show(_:)`` when something has changed. While nothing does, nothing
/// is written.
public final class LiveView {
    private let terminal: Terminal
    private let keyboard: Keyboard
    private let appearance: Appearance
    private let equipment: Equipment
    private var decoder = KeyDecoder()
    private var painter = Painter()
    private var model: ViewModel?
    private let timer: MonotonicTimer
    private var mechanic = Mechanic()

    /// Whether both descriptors are terminals that can be drawn on.
    public static func isPossible(input: CInt = 0, output: CInt = 1) -> Bool {
        Terminal.isUsable(input: input, output: output)
    }

    /// Takes the terminal: keys come at once and unseen, and the screen is this view's until
    /// ``close()`` or the end of the process, whichever way that ends.
    ///
    /// - Parameters:
    ///   - coins: the coins at hand, of which nine have a key.
    ///   - equipment: what the gate has.
    ///   - serviceHold: how long the mechanic's key is held for service mode.
    ///   - input: where keys come from.
    ///   - output: where the picture goes.
    public init(
        coins: [Coin], equipment: Equipment, serviceHold: Duration, input: CInt = 0,
        output: CInt = 1
    ) throws(TerminalError) {
        do throws(SystemError) {
            timer = try MonotonicTimer()
        } catch {
            throw TerminalError(error)
        }
        terminal = try Terminal(input: input, output: output)
        keyboard = Keyboard(coins: coins, equipment: equipment, serviceHold: serviceHold)
        self.equipment = equipment
        appearance = Appearance(environment: Terminal.environment)
    }

    /// What becomes readable when a key was pressed, the window has a new size, the process goes on
    /// after it was stopped, or somebody does something later.
    public var descriptors: [CInt] {
        terminal.descriptors.isEmpty ? [] : terminal.descriptors + [timer.descriptor]
    }

    /// What the keys that were pressed mean, oldest first. Never blocks. A terminal that has gone
    /// away wants to quit.
    public func takeActions() -> [Action] {
        if terminal.takeDisturbance() {
            painter.forget()
            draw()
        }
        guard let bytes = terminal.takeBytes() else { return [.quit] }
        let levels = model?.levels ?? []
        var actions: [Action] = []
        for key in decoder.keys(bytes) {
            if key == .suspend { terminal.suspend() }
            guard let action = keyboard.action(for: key, levels: levels) else { continue }
            if case .simulate(let events) = action, events.contains(.everythingRepaired) {
                mechanic.repair(at: MonotonicTimer.now)
            }
            actions.append(action)
        }
        if let model, mechanic.turnsKey(model.report, at: MonotonicTimer.now) {
            actions.append(.simulate([.contactPressed(.serviceKey)]))
        }
        setTimer()
        return actions
    }

    private func setTimer() {
        timer.arm(at: model.flatMap { mechanic.due($0.report) })
    }

    /// Shows this moment of the gate.
    public func show(_ model: ViewModel) {
        self.model = model
        setTimer()
        draw()
    }

    /// Gives the terminal back as it was. Closing twice does nothing.
    public func close() {
        terminal.close()
    }

    private func draw() {
        guard let model else { return }
        let size = terminal.size
        let screen = Screen(
            columns: size.columns, rows: size.rows, appearance: appearance, equipment: equipment)
        let lines = screen.lines(model, help: keyboard.bindings())
        terminal.write(painter.paint(lines.map(appearance.text)))
    }
}
