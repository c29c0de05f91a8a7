internal import CLinux
internal import Glibc
internal import StateMachines

/// A thread for slow work: it runs one function to its end.
///
/// It has descriptors of its own: copies of those open at its start, and those that it opens. A
/// thread that hangs in the kernel keeps all its descriptors, even when the process was killed;
/// started before the lines are requested, it has none of theirs. Its heap exists when it starts:
/// see ``Heap``.
///
/// It blocks all signals, which are for the event loop. It inherits the process's scheduling, but
/// the unit has systemd reset that for children: slow work must not keep the gate from the
/// processor.
public final class WorkerThread {
    private let handle: pthread_t
    /// Whether the end was waited for: the number may be another thread's then.
    private var wasJoined = false

    /// The thread's function, to be taken once.
    private final class Task {
        let body: () -> Void
        /// Signalled when the thread shares no descriptor any more.
        let isApart: EventFD

        init(_ body: @escaping () -> Void, _ isApart: EventFD) {
            self.body = body
            self.isApart = isApart
        }

        func run() {
            Heap.begin()
            // Short of memory it fails; then the thread does its work all the same.
            if unshare(CLONE_FILES) == 0 {
                // The inputs' descriptors are the gate's: a copy left here would keep their lines
                // busy. It is too early for these numbers to have been reused.
                for (_, descriptor) in keptDescriptors { close(descriptor) }
            }
            isApart.signal()
            body()
        }
    }

    /// Starts a thread that runs `body`, and must be joined. Descriptors opened after this returns
    /// are not the thread's.
    public init(_ body: sending @escaping () -> Void) throws(SystemError) {
        // Sound, all of it: the structures are written by the calls that they are lent to, and
        // the task's reference is given up by the thread, or here when there will be none.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let isApart = try EventFD()
        let task = unsafe Unmanaged.passRetained(Task(body, isApart))
        let code = unsafe pthread_create(
            &thread, nil,
            {
                unsafe Unmanaged<Task>.fromOpaque($0!).takeRetainedValue().run()
                return nil
            }, task.toOpaque())
        guard code == 0 else {
            unsafe task.release()
            throw SystemError(call: "pthread_create", errno: code)
        }
        handle = thread
        isApart.wait()
    }

    // A thread that was not joined frees its memory at its end.
    deinit { if !wasJoined { pthread_detach(handle) } }

    /// Waits until the thread has ended, for `timeout` at most, or as long as it takes; returns
    /// whether it has. It may be joined again, whether it has or not.
    @discardableResult
    public func join(within timeout: Duration? = nil) -> Bool {
        if !wasJoined { wasJoined = hasEnded(within: timeout) }
        return wasJoined
    }

    private func hasEnded(within timeout: Duration?) -> Bool {
        guard let timeout else { return pthread_join(handle, nil) == 0 }
        #if THREAD_SANITIZER
            // Of the waits that have an end it knows this one, which goes by the clock on the wall.
            var limit = timespec(Instant.zero + SystemWallClock.utc + timeout)
            // Sound: the call reads a structure that lives until it returns, and writes nothing.
            return unsafe pthread_timedjoin_np(handle, nil, &limit) == 0
        #else
            var limit = timespec(MonotonicTimer.now + timeout)
            // Sound: the call reads a structure that lives until it returns, and writes nothing.
            return unsafe pthread_clockjoin_np(handle, nil, CLOCK_MONOTONIC, &limit) == 0
        #endif
    }
}

extension timespec {
    fileprivate init(_ instant: Instant) {
        let end = instant.nanoseconds
        self.init(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    }
}
