import CSystemd
import Glibc

/// One source of an sd-event loop and its handler; it leaves the loop when the object goes.
@safe final class EventSource {
    /// What a source waits for.
    enum Trigger {
        /// A signal to the process.
        case signal(Signal)
        /// A moment of `CLOCK_MONOTONIC`; none until the source is armed.
        case time
        /// A descriptor that is readable, hung up or in error.
        case readable(CInt)
    }

    private let source: OpaquePointer
    private let handler: () -> Void

    /// Attaches a source to `loop`, which has to live for as long as the source.
    init(
        in loop: OpaquePointer, on trigger: Trigger, handler: @escaping () -> Void
    ) throws(SystemError) {
        var source: OpaquePointer?
        // Sound: on success the function has written a pointer, with a reference for this object.
        try check(unsafe trigger.add(to: loop, &source), trigger.addingCall, trigger.subject)
        unsafe self.source = source!
        self.handler = handler
        // Sound: the source lives until deinit, and until then so does this object.
        unsafe sd_event_source_set_userdata(
            self.source, Unmanaged.passUnretained(self).toOpaque())
        try check(
            unsafe sd_event_source_set_priority(self.source, trigger.priority),
            "sd_event_source_set_priority", trigger.subject)
    }

    deinit {
        // Sound: the reference from init is given up, once.
        unsafe _ = sd_event_source_disable_unref(source)
    }

    /// Has a time source fire once, at this time of its clock.
    func arm(atMicroseconds time: UInt64) throws(SystemError) {
        // Sound: the source lives until deinit; the same below.
        try check(unsafe sd_event_source_set_time(source, time), "sd_event_source_set_time")
        try check(
            unsafe sd_event_source_set_enabled(source, CInt(SD_EVENT_ONESHOT)),
            "sd_event_source_set_enabled")
    }

    /// Has the source fire no more until it is armed.
    func disarm() throws(SystemError) {
        try check(
            unsafe sd_event_source_set_enabled(source, CInt(SD_EVENT_OFF)),
            "sd_event_source_set_enabled")
    }

    /// Runs the handler of the source whose user data this is.
    fileprivate static func run(_ userData: UnsafeMutableRawPointer?) -> CInt {
        if let userData = unsafe userData {
            // Sound: only init sets user data, to an object that lives as long as its source. The
            // reference taken here keeps it while its handler runs, which may let go of it.
            unsafe Unmanaged<EventSource>.fromOpaque(userData).takeUnretainedValue().handler()
        }
        return 0
    }
}

extension EventSource.Trigger {
    /// What sd-event runs first when several sources are ready: the lowest.
    fileprivate var priority: Int64 {
        switch self {
        case .signal: -20
        case .time: -10
        case .readable: 0
        }
    }

    /// The function that ``add(to:_:)`` calls.
    fileprivate var addingCall: String {
        switch self {
        case .signal: "sd_event_add_signal"
        case .time: "sd_event_add_time"
        case .readable: "sd_event_add_io"
        }
    }

    /// What that function is called for.
    fileprivate var subject: String {
        switch self {
        case .signal(let signal): signal.name
        case .time: ""
        case .readable(let descriptor): "descriptor \(descriptor)"
        }
    }

    /// Adds a source that runs the handler of its user data.
    fileprivate func add(to loop: OpaquePointer, _ source: inout OpaquePointer?) -> CInt {
        // Sound: loop and source are live, and the callbacks refer to nothing but user data.
        switch self {
        case .signal(let signal):
            // The flag has sd-event block the signal for this thread, and unblock it at the end.
            unsafe sd_event_add_signal(
                loop, &source, signal.number | SD_EVENT_SIGNAL_PROCMASK,
                { unsafe EventSource.run($2) }, nil)
        case .time:
            // An accuracy of 1 µs is the best there is; 0 would mean 250 ms.
            unsafe sd_event_add_time(
                loop, &source, CLOCK_MONOTONIC, .max, 1, { unsafe EventSource.run($2) }, nil)
        case .readable(let descriptor):
            unsafe sd_event_add_io(
                loop, &source, descriptor, EPOLLIN.rawValue, { unsafe EventSource.run($3) }, nil)
        }
    }
}

extension Signal {
    /// The signal's number.
    var number: CInt {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }

    /// The signal's name.
    var name: String {
        switch self {
        case .terminate: "SIGTERM"
        case .interrupt: "SIGINT"
        case .hangUp: "SIGHUP"
        }
    }
}

/// Throws what a function of libsystemd returned, if that is the negative of an error number.
func check(_ result: CInt, _ call: String, _ subject: String = "") throws(SystemError) {
    if result < 0 { throw SystemError(call: call, subject: subject, errno: -result) }
}
