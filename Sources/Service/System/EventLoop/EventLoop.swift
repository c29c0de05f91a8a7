public import StateMachines

/// The one loop of the one thread: descriptors, a timer and signals, each with a handler.
///
/// The loop runs in rounds. In each it waits until something happens, looks at everything once, and
/// calls the handlers one after the other, never nested:
///
/// 1. of the received signals, 2. of the ready descriptors, each handler once, 3. of the timer,
/// when its deadline has come.
///
/// So a flood at one descriptor starves no other and delays an orderly stop or a deadline by a
/// round at most; and when the timer fires, everything readable before it has been handled.
///
/// While nothing happens the loop sleeps; it has no tick of its own.
public protocol EventLoop: AnyObject {
    /// The present moment of `CLOCK_MONOTONIC`, read at the call and never cached: an edge that
    /// was taken before has no later timestamp.
    var now: Instant { get }

    /// When the timer fires: never earlier, and as soon after it as the system can; nil for never.
    ///
    /// A moment that has passed fires at once. The timer fires once: before the handler runs,
    /// the deadline is nil again.
    var deadline: Instant? { get set }

    /// Sets the handler of ``deadline``. A second one replaces the first.
    func onDeadline(_ handler: @escaping () -> Void)

    /// Calls `handler` whenever some of `descriptors` are readable, hung up or in error, with
    /// those that are. A handler that leaves something to read is called again.
    ///
    /// A regular file cannot be watched. The caller keeps the descriptors open for as long as the
    /// loop runs, and closes them.
    func watch(
        _ descriptors: [CInt], _ handler: @escaping (_ ready: [CInt]) -> Void
    ) throws(SystemError)

    /// Calls `handler` for each `signal` instead of the default action.
    func onSignal(_ signal: Signal, _ handler: @escaping () -> Void) throws(SystemError)

    /// Dispatches until ``stop(_:)`` and returns the exit code given there. A loop runs once.
    func run() throws(SystemError) -> CInt

    /// Has ``run()`` return `exitCode` once the present handler is done. Of several calls the
    /// first counts.
    func stop(_ exitCode: CInt)
}

/// A signal that a service listens to.
public enum Signal: CaseIterable, Hashable, Sendable {
    /// `SIGTERM`: stop in an orderly way.
    case terminate
    /// `SIGINT`: the same, from a terminal.
    case interrupt
    /// `SIGHUP`: read the configuration again.
    case hangUp
}
