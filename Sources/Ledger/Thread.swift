import CLinux
import Glibc

/// A thread of the system that runs one function to its end.
///
/// It hears no signal, since those are for the event loop. It is scheduled as the process is, but
/// the unit has systemd reset that for what the service starts: what may take time must not keep
/// the gate from the processor.
final class Thread {
    private let handle: pthread_t

    /// What the thread is given: a function, once.
    private final class Task {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Starts a thread that runs `body`. It has to be joined.
    init(_ body: sending @escaping () -> Void) throws(LedgerError) {
        // Sound, all of it: the structures are written by the calls that they are lent to, and
        // the task's reference is given up by the thread, or here when there will be none.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        var thread = pthread_t()
        let task = unsafe Unmanaged.passRetained(Task(body))
        let code = unsafe pthread_create(
            &thread, nil,
            {
                unsafe Unmanaged<Task>.fromOpaque($0!).takeRetainedValue().body()
                return nil
            }, task.toOpaque())
        guard code == 0 else {
            unsafe task.release()
            throw LedgerError(call: "pthread_create", errno: code)
        }
        handle = thread
    }

    /// Waits until the thread has ended.
    func join() {
        pthread_join(handle, nil)
    }
}
