import Console
import Glibc
import SimulatedHardware
import Testing
import Turnstile

@testable import LiveView

/// The view on a terminal of the kernel's: a pseudo-terminal, whose other end is the test.
///
/// One at a time: a process has one terminal to give back.
@Suite(.serialized) struct TerminalTests {
    private let model = ViewModel.locked

    @Test func `shows the gate and hears the keys`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(input: terminal.end, output: terminal.end)
        view.show(model)
        #expect(terminal.read().contains("north gate"))
        #expect(view.takeActions() == [])
        terminal.type("1q")
        #expect(view.takeActions() == [.simulate([.coinInserted(value: 50)]), .quit])
        view.show(model)
        view.close()
        let rest = terminal.read()
        #expect(!rest.contains("north gate"), "what is shown is not written again")
        #expect(rest.hasSuffix("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test func `keys come raw, and the terminal is given back as it was`() throws {
        let terminal = try PseudoTerminal()
        let before = terminal.localFlags
        #expect(before & tcflag_t(ICANON | ECHO | ISIG) != 0)
        let view = try LiveView(input: terminal.end, output: terminal.end)
        #expect(terminal.localFlags & tcflag_t(ICANON | ECHO | ISIG) == 0)
        view.close()
        view.close()
        #expect(terminal.localFlags == before)
        #expect(view.descriptors == [])
    }

    @Test func `what does not work is said again on the ordinary screen`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(input: terminal.end, output: terminal.end)
        for (text, weight) in [
            ("passage", ViewModel.Weight.normal), ("no\u{202E}lock", .severe),
            ("low power", .warning),
        ] { view.log(.init(text, at: "12:00:00.000", weight: weight)) }
        #expect(view.errors == ["no lock"])
    }

    @Test func `fits the window`() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 10)
        let view = try LiveView(input: terminal.end, output: terminal.end)
        view.show(model)
        let text = terminal.read()
        #expect(text.contains("\u{1B}[10;1H"))
        #expect(!text.contains("\u{1B}[11;1H"))
    }

    @Test func `a terminal that has gone away wants to quit`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(input: terminal.end, output: terminal.end)
        terminal.hangUp()
        #expect(view.takeActions() == [.quit])
    }

    @Test func `what is not a terminal is refused with the reason`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(!LiveView.isPossible(input: ends[0], output: ends[1]))
        let error = #expect(throws: TerminalError.self) {
            try LiveView(input: ends[0], output: ends[1])
        }
        #expect(
            error?.description == "terminal: tcgetattr failed: Inappropriate ioctl for device")
    }

    @Test func `draws anew when the window has a new size`() throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let view = try LiveView(input: terminal.end, output: terminal.end)
        view.show(model)
        _ = terminal.read()
        try terminal.resize(columns: 60, rows: 16)
        #expect(view.takeActions() == [])
        #expect(terminal.read() == "", "nobody has said yet that the size is new")
        raise(SIGWINCH)
        #expect(view.takeActions() == [])
        let text = terminal.read()
        #expect(text.contains("north gate"))
        #expect(!text.contains("\u{1B}[17;1H"))
    }

    @Test func `takes the terminal anew and draws when the process goes on`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(input: terminal.end, output: terminal.end)
        view.show(model)
        _ = terminal.read()
        let raw = terminal.localFlags
        terminal.localFlags |= tcflag_t(ICANON | ECHO)
        raise(SIGCONT)
        #expect(view.takeActions() == [])
        #expect(terminal.localFlags == raw, "a shell that had the terminal left it as it likes it")
        let text = terminal.read()
        #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"))
        #expect(text.contains("north gate"))
    }

    @Test(arguments: [SIGHUP, SIGTERM, SIGABRT, SIGSEGV])
    func `a process that a signal ends gives the terminal back`(signal: CInt) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.localFlags
        let path = try terminal.path
        await #expect(processExitsWith: .signal(signal)) {
            [path = path as String, signal = signal as CInt] in
            try PseudoTerminal.take(path) {
                // To the process: this thread may have blocked the signal.
                kill(getpid(), signal)
                while true { pause() }
            }
        }
        #expect(terminal.localFlags == before)
        #expect(terminal.read().hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test func `a process that exits gives the terminal back`() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.localFlags
        let path = try terminal.path
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            try PseudoTerminal.take(path) { exit(7) }
        }
        #expect(terminal.localFlags == before)
        #expect(terminal.read().hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }
}
