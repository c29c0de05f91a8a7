// A value that threads change one at a time, by one of two locks that are used alike. Whoever uses
// it imports the modules of both: the compiler wants to see where `withLock` comes from.

#if THREAD_SANITIZER
    package import StateMachines

    /// A value that threads change one at a time: the lock that ThreadSanitizer sees.
    package typealias Guarded = Lock
#else
    package import Synchronization

    /// A value that threads change one at a time.
    package typealias Guarded = Mutex
#endif
