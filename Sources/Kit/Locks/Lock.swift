// A value behind a lock, of one of three kinds that are used alike.

#if hasFeature(Embedded)
    /// The value without a lock: a microcontroller has one thread, and nothing is held from an
    /// interrupt.
    package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        private let storage: Storage

        private final class Storage {
            var value: Value

            init(_ value: Value) {
                self.value = value
            }
        }

        package init(_ value: sending Value) {
            storage = Storage(value)
        }

        package borrowing func withLock<Result>(
            _ body: (inout Value) -> sending Result
        ) -> sending Result {
            body(&storage.value)
        }
    }
#elseif THREAD_SANITIZER
    internal import Glibc

    /// The value under a lock that ThreadSanitizer sees: `make sanitize` builds with it.
    ///
    /// It sees every call of a mutex of pthreads. The way that `Mutex` takes where threads meet
    /// lies in a library of the toolchain, built without it, so that it would take each hand-over
    /// there for a race.
    @safe package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        /// An unlocked value.
        package init(_ value: sending Value) {
            unsafe mutex = .allocate(capacity: 1)
            let status = unsafe pthread_mutex_init(mutex, nil)
            precondition(status == 0, "pthread_mutex_init fails")
            unsafe self.value = .allocate(capacity: 1)
            unsafe self.value.initialize(to: value)
        }

        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
            let status = unsafe pthread_mutex_destroy(mutex)
            precondition(status == 0, "the lock is held while it goes")
            unsafe mutex.deallocate()
        }

        /// Calls `body` with the value, which nobody else has meanwhile.
        // Both pointers are this value's alone, and the second one's target is touched only by the
        // thread that holds the first.
        package borrowing func withLock<Result>(
            _ body: (inout Value) -> sending Result
        ) -> sending Result {
            let status = unsafe pthread_mutex_lock(mutex)
            precondition(status == 0, "pthread_mutex_lock fails")
            defer { unsafe pthread_mutex_unlock(mutex) }
            return unsafe body(&value.pointee)
        }
    }
#else
    package import Synchronization

    /// The value under a lock: `Mutex`, by a name that the other two have as well.
    package typealias Lock = Mutex
#endif
