import Glibc
import StateMachines
import System
import Turnstile

/// Brings the records from the desk to the file: the body of the ledger's thread.
///
/// All that was left while a transaction ran goes into the next one. What cannot be written is
/// tried again until it can.
final class Writer {
    /// How long after a failure the writer tries again.
    private static let patience: Duration = .seconds(1)
    /// How many records wait at most for a disk that takes none; of those that go beyond, the
    /// oldest are lost. The registers and what is held for people know of them all the same.
    static let waitingAtMost = 10_000

    private let desk: Desk
    private let file: LedgerFile
    private var contents: Contents
    /// What was taken from the desk, and is empty in between.
    private var taken: [Entry] = []
    /// What is not durable yet.
    private var waiting: [Entry] = []
    /// How many records could not be kept.
    private var missing = 0
    /// How many confirmations were asked for, and how many of them were given.
    private var asked = 0
    private var confirmed = 0
    private var isFailing = false

    /// A writer that has not begun.
    init(_ desk: Desk, _ file: LedgerFile) {
        self.desk = desk
        self.file = file
        contents = file.contents
        taken.reserveCapacity(Desk.listCapacity)
    }

    /// Writes until the desk is closed.
    func run() {
        var isLast = false
        while !isLast {
            desk.work.wait(within: isFailing ? Self.patience : nil)
            isLast = takeWork()
            guard !waiting.isEmpty || asked > confirmed else { continue }
            write()
        }
    }

    /// Takes what is on the desk, and returns whether that was the last.
    private func takeWork() -> Bool {
        let work = desk.take(&taken)
        asked = work.asked
        for entry in taken { contents.count(entry.record) }
        waiting += taken
        taken.removeAll(keepingCapacity: true)
        let excess = waiting.count - Self.waitingAtMost
        if excess > 0 {
            waiting.removeFirst(excess)
            missing += excess
        }
        return work.isLast
    }

    private func write() {
        do throws(LedgerError) {
            try file.write(
                waiting, missing: missing, contents: contents, wallOffset: wallOffset)
            waiting.removeAll(keepingCapacity: true)
            missing = 0
            if isFailing || asked > confirmed { desk.answer(.stored, asked: asked) }
            confirmed = asked
            isFailing = false
            file.tidy()
        } catch {
            if !isFailing { desk.answer(.failed(error.description), asked: asked) }
            isFailing = true
        }
    }

    /// What the clock on the wall is ahead of the monotonic one.
    private var wallOffset: Duration {
        var time = timespec()
        // Sound: the call writes the structure that it is given; this clock always exists.
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        let wall = Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        return wall - MonotonicTimer.now
    }
}
