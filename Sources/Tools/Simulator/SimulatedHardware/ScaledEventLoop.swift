public import StateMachines
public import System

/// The event loop of the system, whose time passes as a ``Timescale`` says.
public final class ScaledEventLoop: EventLoop {
    private let loop: SystemdEventLoop
    private let timescale: Timescale
    private var due: Instant?

    /// A loop that watches nothing yet.
    public init(_ timescale: Timescale) throws(SystemError) {
        self.timescale = timescale
        loop = try SystemdEventLoop()
    }

    public var now: Instant { timescale.now }

    public var deadline: Instant? {
        get { loop.deadline == nil ? nil : due }
        set {
            due = newValue
            loop.deadline = newValue.map(timescale.real)
        }
    }

    public func onDeadline(_ handler: @escaping () -> Void) { loop.onDeadline(handler) }

    /// Calls `handler` with those of `descriptors` that are readable, hung up or in error.
    public func watch(
        _ descriptors: [CInt], _ handler: @escaping (_ ready: [CInt]) -> Void
    ) throws(SystemError) {
        try loop.watch(descriptors, handler)
    }

    /// Calls `handler` for each `signal`.
    public func onSignal(
        _ signal: Signal, _ handler: @escaping () -> Void
    ) throws(SystemError) {
        try loop.onSignal(signal, handler)
    }

    public func run() throws(SystemError) -> CInt { try loop.run() }

    /// Has ``run()`` return `exitCode`.
    public func stop(_ exitCode: CInt) { loop.stop(exitCode) }
}
