import CSystemd
import Glibc

/// A signal that an sd-event loop listens to, and its handler; it leaves the loop when the object
/// goes.
@safe final class SignalSource {
    private let source: OpaquePointer
    private let handler: () -> Void

    /// Attaches a source to `loop`, which has to live for as long as the source.
    init(
        in loop: OpaquePointer, on signal: Signal, handler: @escaping () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        // The flag has sd-event block the signal for this thread, and unblock it at the end.
        // Sound: loop and source are live, and the callback refers to nothing but user data; on
        // success the function has written a pointer, with a reference for this object.
        try check(
            unsafe sd_event_add_signal(
                loop, &source, signal.number | SD_EVENT_SIGNAL_PROCMASK,
                { unsafe SignalSource.run($2) }, nil),
            "sd_event_add_signal", signal.name)
        unsafe self.source = source!
        self.handler = handler
        // Sound: the source lives until deinit, and until then so does this object.
        unsafe sd_event_source_set_userdata(
            self.source, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        // Sound: the reference from init is given up, once.
        unsafe _ = sd_event_source_disable_unref(source)
    }

    /// Runs the handler of the source whose user data this is.
    private static func run(_ userData: UnsafeMutableRawPointer?) -> CInt {
        if let userData = unsafe userData {
            // Sound: only init sets user data, to an object that lives as long as its source. The
            // reference taken here keeps it while its handler runs, which may let go of it.
            unsafe Unmanaged<SignalSource>.fromOpaque(userData).takeUnretainedValue().handler()
        }
        return 0
    }
}

extension Signal {
    fileprivate var number: CInt {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }

    fileprivate var name: String {
        switch self {
        case .terminate: "SIGTERM"
        case .interrupt: "SIGINT"
        case .hangUp: "SIGHUP"
        }
    }
}
