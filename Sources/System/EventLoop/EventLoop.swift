public import StateMachines

/// The one loop of the one thread: descriptors, a timer and signals, each with a handler.
///
/// Handlers run one after the other and never inside each other. What comes when:
///
/// - signals before the timer, the timer before descriptors, so that a flood of input delays
///   neither an orderly stop nor a deadline;
/// - descriptors in turn, so that a flood at one does not starve another.
///
/// When the timer fires, descriptors may still hold what happened before the deadline. Whoever
/// needs the order of time takes that first: see ``onDeadline(_:)``.
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

    /// Says what to do when ``deadline`` has come. A second handler replaces the first.
    func onDeadline(_ handler: @escaping () -> Void)

    /// Calls `handler` whenever `descriptor` is readable, hung up or in error, until it is
    /// unwatched. A handler that leaves something to read is called again.
    ///
    /// A regular file cannot be watched. The caller keeps `descriptor` open for as long as it is
    /// watched, and closes it.
    func watch(_ descriptor: CInt, _ handler: @escaping () -> Void) throws(SystemError)

    /// Forgets `descriptor`, also from within its own handler. One that is not watched is left be.
    func unwatch(_ descriptor: CInt)

    /// Calls `handler` for each `signal` instead of what the system would do about it.
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
