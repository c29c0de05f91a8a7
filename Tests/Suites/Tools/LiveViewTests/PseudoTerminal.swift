import Glibc
import StateMachines
import Testing
import Turnstile

@testable import LiveView

/// A terminal, and the other end of its wire.
final class PseudoTerminal {
    /// The end that a program sees.
    let end: CInt
    private var other: CInt

    // TIOCSPTLCK, TIOCGPTN and TIOCGPTPEER, which the toolchain cannot import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let getPeer: UInt = 0x5441

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        other = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        try #require(unsafe ioctl(other, Self.setLock, &isLocked) == 0)
        end = ioctl(other, Self.getPeer, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(end >= 0)
        try resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(end)
    }

    var localFlags: tcflag_t {
        get {
            var attributes = termios()
            _ = unsafe tcgetattr(end, &attributes)
            return attributes.c_lflag
        }
        set {
            var attributes = termios()
            _ = unsafe tcgetattr(end, &attributes)
            attributes.c_lflag = newValue
            _ = unsafe tcsetattr(end, TCSANOW, &attributes)
        }
    }

    /// Where another process finds the terminal.
    var path: String {
        get throws {
            var number: CInt = 0
            try #require(unsafe ioctl(other, Self.getNumber, &number) == 0)
            return "/dev/pts/\(number)"
        }
    }

    /// Gives the window another size, without a signal: nobody is in its foreground.
    func resize(columns: UInt16, rows: UInt16) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe ioctl(other, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// Shows a gate on the terminal at `path`, then has `end` end this process.
    static func take(_ path: String, _ end: () -> Void) throws {
        let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        let view = try LiveView(input: descriptor, output: descriptor)
        view.show(.locked)
        withExtendedLifetime(view) { end() }
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

extension ViewModel {
    /// A simulated gate at which nothing happens, the least that takes coins, with one coin at
    /// hand.
    static let locked = ViewModel(
        gate: "north gate",
        simulation: Simulation(
            coins: [Coin(.first, pulses: 1, value: 50)], serviceHold: .seconds(3)),
        report: .locked, levels: [], energised: [], tallies: Tallies([]), clockOffset: .zero)
}

extension StatusReport {
    /// What the least gate that takes coins tells while nothing happens.
    static let locked = resting(.oneWay)

    /// What a gate with this equipment tells while nothing happens but that these outputs are on.
    static func resting(_ equipment: Equipment, on: OutputSet = []) -> StatusReport {
        var turnstile = Turnstile(policy: Policy(price: 100, coinUnit: 50), equipment: equipment)
        _ = turnstile.handle(Event(.started([]), at: .zero))
        return turnstile.report(outputs: { on[$0] })
    }
}
