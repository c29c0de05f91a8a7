import Keeping
import StateMachines
import System
import Turnstile

/// Opens the file and brings the records from the mailbox to it: the body of the ledger's thread.
///
/// All that was left while a transaction ran goes into the next one. What cannot be done is tried
/// again until it can.
final class Writer {
    /// How many records wait at most for a disk that takes none; of those that go beyond, the
    /// oldest are lost. The registers and what is held for people know of them all the same.
    static let waitingAtMost = 10_000

    private let mailbox: LedgerMailbox
    private var opening: Opening
    private let pace: Pace
    /// The file; nil while it is not open.
    private var file: LedgerFile?
    /// What all records come to but those that wait; nil until it is known what the file held. From
    /// then on it is this that holds: a file that takes the place of another one is brought up to
    /// it.
    private var contents: Contents?
    /// Why all that is held is to be signed; nil where nobody asked.
    private var occasion: Checkpoint.Occasion?
    /// Which branch of the ledger it was when that was last said.
    private var saidBranch = ""
    /// How much of its room the ledger had used when that was last said, in per cent.
    private var saidOfRoom = 0
    /// What was taken from the mailbox, and is empty in between.
    private var taken: [Entry] = []
    /// What is not durable yet.
    private var waiting: [Entry] = []
    /// The records that could not be kept before the file was open: they count all the same.
    private var uncounted: [Record] = []
    private var missing = 0
    /// Whether a coin that the file holds as counted waits for the gate: nothing is written before.
    private var isHeldBack = false
    /// Whether the file is open that has other contents: it is brought up to these.
    private var isApart = false
    /// How many confirmations were asked for, and how many of them were given.
    private var asked = 0
    private var confirmed = 0
    /// The number of the last confirmation that others have asked for, and of the last that they
    /// have, or never will, since something of it is lost.
    private var number: UInt64 = 0
    private var confirmedNumber: UInt64 = 0
    /// Whether something got lost of what the next confirmation is about.
    private var isIncomplete = false
    private var takenCount: Int64 = 0
    /// Why the last attempt failed; nil while all is well.
    private var failure: String?
    /// When the next attempt is due, while all is not, and how long after the one before.
    private var nextAttempt = Instant.zero
    private var pause: Duration

    init(_ mailbox: LedgerMailbox, _ opening: Opening, _ pace: Pace) {
        self.mailbox = mailbox
        self.opening = opening
        self.pace = pace
        pause = pace.first
        taken.reserveCapacity(LedgerMail.listCapacity)
    }

    func run() {
        var isLast = false
        while !isLast {
            let isIdle = file != nil && failure == nil
            mailbox.forThread.wait(
                within: isIdle ? nil : max(.zero, nextAttempt - MonotonicTimer.now))
            isLast = takeWork()
            if file == nil && (isLast || MonotonicTimer.now >= nextAttempt) { open() }
            if file != nil && hasWork && !isHeldBack { write() }
            reportDurability()
        }
        // All that is known of the file goes with it, and then it is told.
        file = nil
        mailbox.end(isAllWritten: waiting.isEmpty && missing == 0 && asked == confirmed)
    }

    private var hasWork: Bool { !waiting.isEmpty || asked > confirmed || occasion != nil }

    private func takeWork() -> Bool {
        let work = mailbox.take(&taken)
        asked = work.asked
        number = work.number
        takenCount += Int64(taken.count)
        if work.isLast { occasion = .stop } else if work.isToSign { occasion = .interval }
        if work.isTakenOver || work.isLast { isHeldBack = false }
        waiting += taken
        taken.removeAll(keepingCapacity: true)
        let excess = waiting.count - Self.waitingAtMost
        if excess > 0 {
            for entry in waiting.prefix(excess) {
                if contents == nil { uncounted.append(entry.record) }
                contents?.count(entry.record)
            }
            waiting.removeFirst(excess)
            missing += excess
            isIncomplete = true
        }
        return work.isLast
    }
}

// What others than the gate want to know.
extension Writer {
    /// Tells that all is durable, or never will be, where somebody has asked.
    private func reportDurability() {
        guard number > confirmedNumber else {
            // What got lost is written down as such, and what comes after it is about itself.
            if missing == 0 { isIncomplete = false }
            return
        }
        if isIncomplete {
            (isIncomplete, confirmedNumber) = (false, number)
            return mailbox.answer(.unconfirmed(number), asked: asked)
        }
        guard let file, waiting.isEmpty, missing == 0 else { return }
        confirmedNumber = number
        let first = file.lastSequence + 1 - takenCount
        mailbox.answer(.confirmed(number, first: first), asked: asked)
    }
}

// Opening.
extension Writer {
    private func open() {
        do throws(LedgerError) {
            let opened = try opening.open()
            file = opened.file
            let branch = opened.file.state.identity.branch ?? ""
            if branch != saidBranch { mailbox.answer(.branch(branch), asked: asked) }
            saidBranch = branch
            for note in opened.notes { mailbox.answer(.noted(note), asked: asked) }
            if contents == nil { resume(from: opened.file) }
            isApart = contents != opened.file.contents
            // What waits is written next, and says that it works again.
            if waiting.isEmpty && asked == confirmed && failure != nil { succeeded() }
        } catch {
            failed(error, tryingAfter: error.remedy == .time ? nextPause() : pace.longest)
        }
    }

    /// Takes over what the file held, and counts what came before it was known.
    private func resume(from file: LedgerFile) {
        let earlier = file.contents
        isHeldBack = Acceptor.allCases.contains { earlier.balances.counted[$0] != nil }
        mailbox.answer(.opened(earlier.balances, earlier.registers), asked: asked)
        // The gate can do without it.
        if let note = (try? file.lastCollection()) ?? nil {
            mailbox.answer(.collected(note: note), asked: asked)
        }
        // Whoever hears that it is open takes it that all is well: what fails now is said anew.
        failure = nil
        var contents = earlier
        for record in uncounted { contents.count(record) }
        uncounted = []
        self.contents = contents
    }
}

// Writing.
extension Writer {
    private func write() {
        guard let file else { return }
        do throws(LedgerError) {
            repeat { try writeTransaction(to: file) } while !waiting.isEmpty || occasion != nil
            succeeded()
            file.compactLog()
        } catch {
            guard error.remedy != .time else { return failed(error, tryingAfter: pace.write) }
            // It is looked at as a whole, and opened again if that can be.
            file.abandon()
            self.file = nil
            opening.isThorough = true
            failed(error, tryingAfter: nextPause())
        }
    }

    private func writeTransaction(to file: LedgerFile) throws(LedgerError) {
        guard let contents else { return }
        // Read once, so that each record is of the day that its own time says.
        let wallOffset = opening.clock.wallOffset
        if missing > 0 || isApart {
            deliver(
                try file.write(
                    [], missing: missing, contents: contents, wallOffset: wallOffset,
                    closing: .gap))
            (missing, isApart) = (0, false)
        }
        let transaction = Transaction(
            of: waiting, day: file.state.books[.day], at: opening.clock.now.utc,
            wallOffset: wallOffset, after: contents, asked: occasion)
        let entries = Array(waiting.prefix(transaction.count))
        var fresh = contents
        for entry in entries { fresh.count(entry.record) }
        let signed = try file.write(
            entries, missing: 0, contents: fresh, wallOffset: wallOffset,
            day: transaction.day, closing: transaction.occasion)
        self.contents = fresh
        waiting.removeFirst(transaction.count)
        if transaction.occasion == occasion { occasion = nil }
        deliver(signed)
    }

    private func deliver(_ signed: SignedCheckpoint?) {
        guard let signed, let file else { return }
        mailbox.answer(.noted(signed.storeNote), asked: asked)
        // Both are tried again with the next checkpoint.
        try? file.remember()
        reportRoom((try? file.usedRoom()) ?? nil)
    }

    /// Says so where the room runs out, and how much of it is used, but each per cent once.
    private func reportRoom(_ used: Double?) {
        let percent = Int((used ?? 0) * 100)
        if percent >= Self.scarceRoom && percent > saidOfRoom {
            mailbox.answer(.noted(.roomRunsOut(percent: percent)), asked: asked)
        }
        saidOfRoom = percent
    }

    private static let scarceRoom = 90

    private func succeeded() {
        if failure != nil || asked > confirmed { mailbox.answer(.stored, asked: asked) }
        confirmed = asked
        failure = nil
        pause = pace.first
    }

    private func nextPause() -> Duration {
        defer { pause = min(pause * 2, pace.longest) }
        return pause
    }

    private func failed(_ error: LedgerError, tryingAfter pause: Duration) {
        nextAttempt = MonotonicTimer.now + pause
        var reason = error.description
        if error.remedy == .decision {
            reason +=
                opening.trial == nil
                ? "; coins are refused until you decide: turnstiled --accept-ledger"
                : "; coins are refused: start the trial in an empty folder"
        }
        if reason != failure { mailbox.answer(.failed(reason), asked: asked) }
        failure = reason
    }
}
