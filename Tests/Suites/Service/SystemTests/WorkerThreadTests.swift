import Glibc
import StateMachines
import Synchronization
import System
import Testing

@Suite struct WorkerThreadTests {
    /// Whether the calling thread has this descriptor open.
    private static func isOpen(_ descriptor: CInt) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    @Test func `what is opened after the start is not open in the thread`() throws {
        let isOpenThere = Mutex<[Bool]>([])
        let before = try EventFD()
        let (hasOpened, isDone) = (try EventFD(), try EventFD())
        let later = Mutex<CInt>(-1)
        let thread = try WorkerThread {
            hasOpened.wait()
            isOpenThere.withLock { open in
                open = [before.descriptor, later.withLock { $0 }].map(Self.isOpen)
            }
            isDone.signal()
        }
        let line = try EventFD()
        // A number that no thread of the tests gives back and takes again meanwhile.
        let number = fcntl(line.descriptor, F_DUPFD_CLOEXEC, 900)
        defer { close(number) }
        later.withLock { $0 = number }
        hasOpened.signal()
        isDone.wait()
        thread.join()
        #expect(Self.isOpen(number))
        #expect(isOpenThere.withLock { $0 } == [true, false])
    }

    @Test func `whoever waits for a thread that hangs waits no longer than asked`() throws {
        let release = try EventFD()
        let thread = try WorkerThread { release.wait() }
        let start = MonotonicTimer.now
        #expect(!thread.join(within: .milliseconds(20)))
        #expect(MonotonicTimer.now - start >= .milliseconds(20))
        release.signal()
        #expect(thread.join())
    }

    @Test func `what has ended is not waited for again`() throws {
        let thread = try WorkerThread {}
        #expect(thread.join())
        #expect(thread.join(within: .zero))
        #expect(thread.join())
    }

    @Test func `a signal wakes whoever waits, once`() throws {
        let event = try EventFD()
        #expect(!event.wait(within: .zero))
        event.signal()
        event.signal()
        #expect(event.wait(within: .zero))
        #expect(!event.wait(within: .zero))
    }
}
