import Glibc
import SimulatedHardware
import Testing
import Turnstile

@testable import LiveView

/// The view on a terminal of the kernel's: a pseudo-terminal, whose other end is the test.
///
/// One at a time: a process has one terminal to give back.
@Suite(.serialized) struct TerminalTests {
    private let model = ViewModel(
        gate: "north gate", state: .locked, credit: 0, levels: [], energised: [], entries: [])

    @Test func `shows the gate and hears the keys`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(coins: [50], input: terminal.end, output: terminal.end)
        view.show(model)
        #expect(terminal.read().contains("north gate"))
        #expect(view.takeActions() == [])
        terminal.type("1q")
        #expect(view.takeActions() == [.simulate([.coinInserted(value: 50)]), .quit])
        view.show(model)
        view.close()
        let rest = terminal.read()
        #expect(!rest.contains("north gate"), "what is shown is not written again")
        #expect(rest.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test func `keys come raw, and the terminal is given back as it was`() throws {
        let terminal = try PseudoTerminal()
        let before = terminal.localFlags
        #expect(before & tcflag_t(ICANON | ECHO | ISIG) != 0)
        let view = try LiveView(coins: [], input: terminal.end, output: terminal.end)
        #expect(terminal.localFlags & tcflag_t(ICANON | ECHO | ISIG) == 0)
        view.close()
        view.close()
        #expect(terminal.localFlags == before)
        #expect(view.descriptors == [])
    }

    @Test func `fits the window`() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 10)
        let view = try LiveView(coins: [], input: terminal.end, output: terminal.end)
        view.show(model)
        let text = terminal.read()
        #expect(text.contains("\u{1B}[10;1H"))
        #expect(!text.contains("\u{1B}[11;1H"))
    }

    @Test func `a terminal that has gone away wants to quit`() throws {
        let terminal = try PseudoTerminal()
        let view = try LiveView(coins: [], input: terminal.end, output: terminal.end)
        terminal.hangUp()
        #expect(view.takeActions() == [.quit])
    }

    @Test func `what is not a terminal is refused with the reason`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(!LiveView.isPossible(input: ends[0], output: ends[1]))
        let error = #expect(throws: LiveViewError.self) {
            try LiveView(coins: [], input: ends[0], output: ends[1])
        }
        #expect(
            error?.description == "terminal: tcgetattr failed: Inappropriate ioctl for device")
    }
}

/// A terminal, and the other end of its wire.
final class PseudoTerminal {
    /// The end that a program sees.
    let end: CInt
    private var other: CInt

    // TIOCSPTLCK and TIOCGPTPEER, which the toolchain cannot import.
    private static let setLock: UInt = 0x4004_5431
    private static let getPeer: UInt = 0x5441

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        other = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        try #require(unsafe ioctl(other, Self.setLock, &isLocked) == 0)
        end = ioctl(other, Self.getPeer, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(end >= 0)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe ioctl(other, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        hangUp()
        close(end)
    }

    var localFlags: tcflag_t {
        var attributes = termios()
        _ = unsafe tcgetattr(end, &attributes)
        return attributes.c_lflag
    }

    func hangUp() {
        if other >= 0 { close(other) }
        other = -1
    }

    func type(_ text: String) {
        var bytes = Array(text.utf8)
        _ = unsafe write(other, &bytes, bytes.count)
    }

    /// What was written since the last call.
    func read() -> String {
        var bytes: [UInt8] = []
        var waiting = pollfd(fd: other, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, 0) > 0 {
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = unsafe Glibc.read(other, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
