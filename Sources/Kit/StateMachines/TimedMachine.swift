/// A machine that waits for times.
///
/// The state owns its deadline, so a timer can never be stale: a shell keeps one timer, set to the
/// deadline of the whole machine after each event.
///
/// A machine of parts waits for the earliest time of any part. ``Regions``, ``Product``,
/// ``RunToCompletion`` and ``Adapter`` are timed when their parts are: a part that never waits
/// says so.
///
///     extension Counter: TimedMachine {
///         var deadline: Instant? { nil }
///     }
public protocol TimedMachine<Event, Command>: StateMachine {
    /// When the machine next wants to hear that time has passed, or nil while it waits for nothing.
    var deadline: Instant? { get }
}

extension TimedMachine {
    /// Lets `inner`, a machine inside one of this machine's states, handle its share of an event,
    /// and puts it back.
    ///
    ///     case (.functioning(let inner), _):
    ///         forward(Functioning.Event(event), to: inner, in: Self.functioning)
    ///
    /// Only a timed machine forwards, so that what the inner one waits for is not forgotten:
    ///
    ///     var deadline: Instant? {
    ///         switch self {
    ///         case .functioning(let inner): inner.deadline
    ///         case .broken: nil
    ///         }
    ///     }
    ///
    /// - Parameters:
    ///   - event: the event as the inner machine knows it, or nil when it is none of its events:
    ///     then it is unhandled.
    ///   - inner: the inner machine as it stands.
    ///   - state: the state round it, which is entered with the machine as the event left it.
    @inlinable
    @inline(__always)
    public mutating func forward<Inner: StateMachine>(
        _ event: Inner.Event?, to inner: Inner, in state: (Inner) -> Self
    ) -> Outcome<Inner.Command> {
        guard let event else { return .unhandled }
        var inner = inner
        let outcome = inner.handle(event)
        if outcome.isHandled { self = state(inner) }
        return outcome
    }
}

extension StateMachine {
    /// What a machine that does not say when it waits cannot do: see
    /// ``TimedMachine/forward(_:to:in:)``.
    @available(
        *, unavailable, message: "a machine that forwards has to be a TimedMachine, with a deadline"
    )
    public mutating func forward<Inner: StateMachine, Answer>(
        _ event: Inner.Event?, to inner: Inner, in state: (Inner) -> Self
    ) -> Answer { preconditionFailure() }
}
