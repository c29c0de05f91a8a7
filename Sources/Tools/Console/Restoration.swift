internal import Glibc

// A process may end where no Swift code of ours runs any more: by exit() or by a signal. Both must
// restore the terminal, so the data for it lies in plain global memory. One thread owns the
// terminal, and a signal's handler runs when that thread, or the process, has ended; so there is no
// concurrent use.

struct Restoration {
    var input: CInt
    var output: CInt
    var attributes: termios
}

/// The state to restore, while a terminal is taken.
nonisolated(unsafe) private var pending: Restoration?

/// The previous actions of these signals, by number: bare memory, which a handler may read.
nonisolated(unsafe) private var previous: UnsafeMutablePointer<sigaction>?

/// The signals that end a process by default.
private let deadlySignals = [
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM,
]

/// Sees to it that the terminal is put back however the process ends, SIGKILL apart.
func prepareRestoration(_ restoration: Restoration) {
    unsafe pending = restoration
    guard unsafe previous == nil else { return }
    atexit { restoreTerminal() }
    // Sound: it has a place for each signal, and is never freed.
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(SIGTERM) + 1)
    unsafe actions.initialize(repeating: sigaction(), count: Int(SIGTERM) + 1)
    unsafe previous = actions
    for signal in deadlySignals {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in restoreAndRaise(signal) }
        // The C library reads one struct and writes the other before it returns.
        unsafe sigaction(signal, &action, actions + Int(signal))
    }
    setStop { _ in stopProcess() }
}

/// Sets the handler of SIGTSTP (Ctrl-Z). Interrupted calls are restarted.
private func setStop(_ handler: __sighandler_t?) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    // The C library reads the struct before it returns.
    unsafe sigaction(SIGTSTP, &action, nil)
}

/// Puts the terminal back, if one is taken.
func restoreTerminal() {
    guard var restoration = unsafe pending else { return }
    unsafe pending = nil
    // Undoes what Terminal.take() does, without memory or locks.
    let farewell: StaticString = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    unsafe _ = write(restoration.output, farewell.utf8Start, farewell.utf8CodeUnitCount)
    unsafe _ = tcsetattr(restoration.input, TCSAFLUSH, &restoration.attributes)
}

/// Restores the terminal and stops the process. SIGCONT makes its owner take the terminal again;
/// one is sent here, since the kernel does not stop a process of an orphaned group.
private func stopProcess() {
    let (taken, error) = unsafe (pending, errno)
    restoreTerminal()
    unsafe pending = taken
    setStop(SIG_DFL)
    raise(SIGTSTP)
    // It was blocked while it was handled: the process is stopped in the call that ends that.
    var stop = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &stop, nil)
    setStop { _ in stopProcess() }
    kill(getpid(), SIGCONT)
    errno = error
}

/// Restores the terminal and the signal's previous action, and raises it.
private func restoreAndRaise(_ signal: CInt) {
    restoreTerminal()
    if let previous = unsafe previous { unsafe sigaction(signal, previous + Int(signal), nil) }
    raise(signal)
}
