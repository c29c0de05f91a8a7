public import Console
public import Turnstile

/// The terminal as the window and the keyboard of a simulated gate.
///
/// It has no clock and no thread: whoever owns the loop watches ``descriptors``, calls
/// ``takeActions()`` when one is readable, and calls ``show(_:)`` when something has changed.
/// While nothing does, nothing is written.
public final class LiveView {
    private let terminal: Terminal
    private let keyboard: Keyboard
    private let appearance: Appearance
    private let equipment: Equipment
    private var decoder = KeyDecoder()
    private var painter = Painter()
    private var model: ViewModel?

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
        terminal = try Terminal(input: input, output: output)
        keyboard = Keyboard(coins: coins, equipment: equipment, serviceHold: serviceHold)
        self.equipment = equipment
        appearance = Appearance(environment: Terminal.environment)
    }

    /// What becomes readable when a key was pressed, the window has a new size, or the process
    /// goes on after it was stopped.
    public var descriptors: [CInt] { terminal.descriptors }

    /// What the keys that were pressed mean, oldest first. Never blocks. A terminal that has gone
    /// away wants to quit.
    public func takeActions() -> [Action] {
        if terminal.takeDisturbance() {
            painter.forget()
            draw()
        }
        guard let bytes = terminal.takeBytes() else { return [.quit] }
        let levels = model?.levels ?? []
        return decoder.keys(bytes).compactMap { keyboard.action(for: $0, levels: levels) }
    }

    /// Shows this moment of the gate.
    public func show(_ model: ViewModel) {
        self.model = model
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
