internal import CLinux
internal import Glibc
internal import System

/// The terminal itself: raw keys in, text out, its size, and its old self back in the end.
///
/// All that is unsafe in this module is here and in Restoration.swift, since the C
/// library takes structs and buffers by pointer; each lives until its call returns.
public final class Terminal {
    private let input: CInt
    private let output: CInt
    private let signals: CInt

    /// Readable when a key was pressed, the window was resized, or the process was resumed.
    public private(set) var descriptors: [CInt]

    /// Whether both are terminals, and not one that can only print.
    public static func isUsable(input: CInt, output: CInt) -> Bool {
        isatty(input) == 1 && isatty(output) == 1 && environmentVariable("TERM") != "dumb"
    }

    /// Takes the terminal: raw mode, the alternate screen, no cursor.
    public init(input: CInt, output: CInt) throws(TerminalError) {
        self.input = input
        self.output = output
        // A blocked signal waits until the descriptor is read; by default it would be ignored.
        var disturbances = sigset_t()
        unsafe sigemptyset(&disturbances)
        unsafe sigaddset(&disturbances, SIGWINCH)
        unsafe sigaddset(&disturbances, SIGCONT)
        unsafe pthread_sigmask(SIG_BLOCK, &disturbances, nil)
        signals = unsafe signalfd(-1, &disturbances, CInt(SFD_NONBLOCK) | CInt(SFD_CLOEXEC))
        descriptors = [input, signals]
        guard signals >= 0 else { throw Self.failure("signalfd") }
        var attributes = termios()
        guard unsafe tcgetattr(input, &attributes) == 0 else { throw Self.failure("tcgetattr") }
        prepareRestoration(
            Restoration(input: input, output: output, attributes: attributes))
        guard take() else { throw Self.failure("tcsetattr") }
    }

    deinit { close() }

    /// Gives the terminal back as it was. Closing twice does nothing.
    public func close() {
        guard !descriptors.isEmpty else { return }
        descriptors = []
        restoreTerminal()
        Glibc.close(signals)
    }

    /// The size of the window; 80 by 24 where the terminal does not know.
    public var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard unsafe ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
            window.ws_row > 0
        else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Whether the picture may be gone since the last call: the window was resized, or the process
    /// was stopped and resumed; then the terminal, which others have used, is taken again.
    public func takeDisturbance() -> Bool {
        var isDisturbed = false
        var info = signalfd_siginfo()
        while unsafe read(signals, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            isDisturbed = true
            if info.ssi_signo == UInt32(SIGCONT) { _ = take() }
        }
        return isDisturbed
    }

    /// Stops the process group, as Ctrl-Z does on a terminal that is not raw; the terminal is
    /// restored until it is resumed.
    public func suspend() {
        kill(0, SIGTSTP)
    }

    /// The bytes of the keys that were pressed, or nil once the terminal has gone away.
    public func takeBytes() -> [UInt8]? {
        var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 0) > 0 else { return [] }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            count = max(0, unsafe read(input, buffer.baseAddress, 256))
        }
        // Readable and yet without a byte: the other end has hung up.
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all of `text`. A terminal that has gone away says so at the next read.
    public func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(bytes)[written...])
                let count = unsafe Glibc.write(output, rest.baseAddress, rest.count)
                guard count >= 0 || errno == EINTR else { return }
                written += max(0, count)
            }
        }
    }

    /// Enters raw mode and the alternate screen, hides the cursor, and enables paste marks. Returns
    /// whether the terminal accepts its settings.
    private func take() -> Bool {
        var attributes = termios()
        unsafe _ = tcgetattr(input, &attributes)
        unsafe cfmakeraw(&attributes)
        guard unsafe tcsetattr(input, TCSANOW, &attributes) == 0 else { return false }
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h")
        return true
    }

    private static func failure(_ call: String) -> TerminalError {
        TerminalError("terminal: \(call) failed: \(errorText(errno))")
    }
}
