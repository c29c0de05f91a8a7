import Keeping
import StateMachines
import System
import Turnstile

/// Opens the file and writes the records from the mailbox: the body of the ledger's thread.
///
/// Records left during a transaction go into the next one. A failure is retried until it succeeds.
final class Writer {
    /// How many records wait at most for a failing disk. Beyond that the oldest are lost, but still
    /// count in registers and balances.
    static let waitingAtMost = 10_000

    private let mailbox: LedgerMailbox
    private var opening: Opening
    private let pace: Pace
    /// The file; nil while it is not open.
    private var file: LedgerFile?
    /// The totals of all records but the waiting ones; nil until the file is first opened. They
    /// take precedence: a file that replaces the first one is brought up to them.
    private var contents: Contents?
    /// Why a checkpoint is requested; nil if none is.
    private var occasion: Checkpoint.Occasion?
    /// The last branch reported.
    private var reportedBranch = ""
    /// The use of the ledger's room at the last checkpoint, in per cent.
    private var reportedRoom = 0
    /// The records from the mailbox; empty between two takes, and reused.
    private var taken: [Entry] = []
    /// The records that are not durable yet.
    private var waiting: [Entry] = []
    /// The records lost before the file was open: they still count in the totals.
    private var uncounted: [Record] = []
    private var missing = 0
    /// Whether nothing is written until the gate has taken over a counted coin from the file.
    private var isHeldBack = false
    /// Whether the file's totals differ from `contents`, to which the next write brings them.
    private var isApart = false
    /// How many confirmations the gate requested, and how many it got.
    private var asked = 0
    private var confirmed = 0
    /// The last confirmation that the controller requested, and the last answered: as durable, or
    /// as never durable since a record was lost.
    private var requestedNumber: UInt64 = 0
    private var answeredNumber: UInt64 = 0
    /// Whether a record was lost that the next confirmation would cover.
    private var isIncomplete = false
    private var takenCount: Int64 = 0
    /// Why the last attempt failed; nil while all is well.
    private var failure: String?
    /// After a failure: when the next attempt is due, and the pause before it.
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
        // The file is closed before the end is reported.
        file = nil
        mailbox.end(isAllWritten: waiting.isEmpty && missing == 0 && asked == confirmed)
    }

    private var hasWork: Bool { !waiting.isEmpty || asked > confirmed || occasion != nil }

    private func takeWork() -> Bool {
        let work = mailbox.take(&taken)
        asked = work.asked
        requestedNumber = work.number
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

// The controller's confirmations.
extension Writer {
    /// Answers a requested confirmation, once all is durable or a record was lost.
    private func reportDurability() {
        guard requestedNumber > answeredNumber else {
            // The loss is recorded: later confirmations do not cover it.
            if missing == 0 { isIncomplete = false }
            return
        }
        if isIncomplete {
            (isIncomplete, answeredNumber) = (false, requestedNumber)
            return mailbox.answer(.unconfirmed(requestedNumber), asked: asked)
        }
        guard let file, waiting.isEmpty, missing == 0 else { return }
        answeredNumber = requestedNumber
        let first = file.lastSequence + 1 - takenCount
        mailbox.answer(.confirmed(requestedNumber, first: first), asked: asked)
    }
}

// Opening.
extension Writer {
    private func open() {
        do throws(LedgerError) {
            let opened = try opening.open()
            file = opened.file
            let branch = opened.file.state.identity.branch ?? ""
            if branch != reportedBranch { mailbox.answer(.branch(branch), asked: asked) }
            reportedBranch = branch
            for note in opened.notes { mailbox.answer(.noted(note), asked: asked) }
            if contents == nil { resume(from: opened.file) }
            isApart = contents != opened.file.contents
            // Otherwise the next transaction reports success.
            if waiting.isEmpty && asked == confirmed && failure != nil { succeeded() }
        } catch {
            failed(error, tryingAfter: error.remedy == .time ? nextPause() : pace.longest)
        }
    }

    /// Takes over the file's totals, and counts the records lost before.
    private func resume(from file: LedgerFile) {
        let earlier = file.contents
        isHeldBack = Acceptor.allCases.contains { earlier.balances.counted[$0] != nil }
        mailbox.answer(.opened(earlier.balances, earlier.registers), asked: asked)
        // Optional for the gate.
        if let note = (try? file.lastCollection()) ?? nil {
            mailbox.answer(.collected(note: note), asked: asked)
        }
        // The opening clears the reported failure: a later one is reported again.
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
            // All pages of the file are checked, and it is opened again if it is sound.
            file.abandon()
            self.file = nil
            opening.isThorough = true
            failed(error, tryingAfter: nextPause())
        }
    }

    private func writeTransaction(to file: LedgerFile) throws(LedgerError) {
        guard let contents else { return }
        // Read once: the same offset for every record's day.
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
        // The next checkpoint retries both.
        try? file.remember()
        reportRoom((try? file.usedRoom()) ?? nil)
    }

    /// Reports scarce room, once for each per cent.
    private func reportRoom(_ used: Double?) {
        let percent = Int((used ?? 0) * 100)
        if percent >= Self.scarceRoom && percent > reportedRoom {
            mailbox.answer(.noted(.roomRunsOut(percent: percent)), asked: asked)
        }
        reportedRoom = percent
    }

    private static let scarceRoom = 90

    private func succeeded() {
        if failure != nil || asked > confirmed { mailbox.answer(.durable, asked: asked) }
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
