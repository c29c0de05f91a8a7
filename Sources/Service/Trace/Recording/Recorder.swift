public import Controller
import StateMachines
import Synchronization
public import System

/// Records what a gate decides, step by step, in the files of a ring, which a thread of its own
/// writes.
///
/// The loop leaves its steps in a queue, which takes a few instructions. A loss of power takes what
/// the kernel had not written yet, and nothing else; a disk that hangs or is full, the steps
/// since: the gate never waits for it.
public final class Recorder: StepRecorder {
    private let queue: StepQueue
    private let thread: WorkerThread
    private var wasClosed = false
    private var toldFailure: String?

    /// Starts to record in the folder at `path`. Its thread has to be there before the lines are:
    /// see ``System/WorkerThread``. Nothing here waits for the disk.
    public init(
        path: String, limits: TraceLimits, header: TraceHeader
    ) throws(SystemError) {
        let queue = try StepQueue()
        self.queue = queue
        thread = try WorkerThread {
            var writer = TraceWriter(
                in: SystemTraceFolder(path: path), limits, header, clock: .ofSystem)
            queue.drain(into: &writer)
        }
    }

    deinit { if !wasClosed { close(within: .zero) } }

    /// Whether the state is to stand between the next steps.
    public var wantsState: Bool { queue.wantsState.load(ordering: .relaxed) }

    /// Takes the steps, and leaves an empty list.
    public func take(_ steps: inout [TraceStep]) { queue.append(&steps) }

    package func adopt(settings: String) { queue.adopt(settings: settings) }

    /// Why nothing is recorded, once it is another reason than when this was last asked.
    public func takeFailure() -> String? {
        let failure = queue.failure
        defer { toldFailure = failure }
        return failure == toldFailure ? nil : failure
    }

    /// Has all written that was left, for `timeout` at most. What comes after it is lost.
    public func close(within timeout: Duration) {
        wasClosed = true
        queue.close()
        thread.join(within: timeout)
    }
}

/// Where the loop's thread leaves its steps, and another takes them.
///
/// The loop also frees what they are made of, once they are written: a thread that is not urgent
/// would hold the allocator's lock for it, and the loop could have to wait for that.
final class StepQueue: Sendable {
    /// How many steps wait at most for a disk that takes none.
    static let stepsAtMost = 16_384

    /// How long what happens is gathered: less is written, and wakes fewer. The end of the process
    /// takes as much of it.
    static let gathering: Duration = .milliseconds(500)

    let wantsState = Atomic(true)
    private let mailbox: Mailbox<Contents>
    /// Ends the gathering.
    private let ending: EventFD

    private struct Contents {
        var steps: [TraceStep] = []
        /// What was written, for the loop to free. It is woken for what the loop has left, so that
        /// there are two lists at most before the loop comes again.
        var spent: [TraceStep] = [], spentBefore: [TraceStep] = []
        /// Whether a state is among them, and what the clock on the wall was ahead then.
        var holdState = false
        var clock: ClockOffset?
        /// How many steps found no room since the last that did.
        var lost = 0
        var settings: AdoptedSettings?
        var isClosing = false
        var failure: String?
    }

    /// Settings that are in force, and how many of the steps happened before.
    private struct AdoptedSettings {
        var text: String
        var place: Int
    }

    private struct Work {
        var lost: Int
        var settings: AdoptedSettings?
        var clock: ClockOffset?
        var isLast: Bool
    }

    init() throws(SystemError) {
        mailbox = try Mailbox(Contents())
        ending = try EventFD()
    }

    /// Why nothing can be written; nil while all is well.
    var failure: String? { mailbox.open { $0.failure } }

    /// Takes `steps`, and leaves an empty list. Looks at the lines alone wake nobody.
    func append(_ steps: inout [TraceStep]) {
        let isUrgent = steps.contains { $0.isEvent || $0.isState }
        let holdState = steps.contains { $0.isState }
        // The loop looks at the clock anyway. The other thread would hold the lock of its zone, and
        // the loop could have to wait for it.
        let clock = holdState ? ClockOffset.ofSystem : nil
        var (spent, spentBefore): ([TraceStep], [TraceStep]) = ([], [])
        let isCrowded = mailbox.open { contents in
            swap(&spent, &contents.spent)
            swap(&spentBefore, &contents.spentBefore)
            if holdState {
                contents.holdState = true
                contents.clock = clock
                wantsState.store(false, ordering: .relaxed)
            }
            if contents.steps.isEmpty && contents.lost == 0 {
                swap(&steps, &contents.steps)
            } else if contents.lost > 0 || contents.steps.count + steps.count > Self.stepsAtMost {
                // What follows a gap means nothing until a state is known.
                contents.lost += steps.count
            } else {
                contents.steps.append(contentsOf: steps)
            }
            return contents.steps.count > Self.stepsAtMost / 16
        }
        if isUrgent || isCrowded { mailbox.forThread.signal() }
        steps.removeAll(keepingCapacity: true)
        spent.removeAll(keepingCapacity: true)
        // The longer list, that it need not grow again.
        if spent.capacity > steps.capacity { swap(&spent, &steps) }
    }

    func adopt(settings: String) {
        mailbox.postToThread { contents in
            contents.settings = AdoptedSettings(text: settings, place: contents.steps.count)
            // Before anything happens under these.
            wantsState.store(true, ordering: .relaxed)
        }
    }

    func close() {
        mailbox.open { $0.isClosing = true }
        ending.signal()
        mailbox.forThread.signal()
    }

    /// Has `writer` write what is left here, until it is closed; after a failure, in `retryPause`.
    func drain(into writer: inout TraceWriter, retryPause: Duration = TraceWriter.retryPause) {
        var steps: [TraceStep] = []
        var isLast = false
        var nextAttempt = Instant.zero
        while !isLast {
            // After a failure a state is asked for, which is the next attempt, whatever happens.
            mailbox.forThread.wait(within: writer.failure == nil ? nil : retryPause)
            ending.wait(within: Self.gathering)
            let work = take(&steps)
            if let clock = work.clock { writer.clock = clock }
            if let settings = work.settings {
                writer.write(Array(steps[..<settings.place]))
                writer.adopt(settings: settings.text)
                writer.write(Array(steps[settings.place...]))
            } else {
                writer.write(steps)
            }
            if work.lost > 0 { writer.countLost(work.lost) }
            isLast = work.isLast
            if isLast { writer.finish() }
            var isWanted = writer.wantsState
            if writer.failure != nil {
                let now = MonotonicTimer.now
                isWanted = now >= nextAttempt
                if isWanted { nextAttempt = now + retryPause }
            }
            returnWritten(&steps, writer.failure, wantsState: isWanted)
        }
    }

    /// Leaves what was written for the loop to free, and an empty list; has it know how it went.
    /// One that has left a state since is asked for no other.
    private func returnWritten(
        _ steps: inout [TraceStep], _ failure: String?, wantsState isWanted: Bool
    ) {
        mailbox.open { contents in
            if contents.spent.isEmpty {
                swap(&steps, &contents.spent)
            } else if contents.spentBefore.isEmpty {
                swap(&contents.spent, &contents.spentBefore)
                swap(&steps, &contents.spent)
            } else {
                steps.removeAll()
            }
            contents.failure = failure
            guard !contents.holdState, contents.settings == nil else { return }
            wantsState.store(isWanted, ordering: .relaxed)
        }
    }

    private func take(_ steps: inout [TraceStep]) -> Work {
        mailbox.open { contents in
            swap(&steps, &contents.steps)
            defer {
                (contents.lost, contents.settings, contents.holdState) = (0, nil, false)
            }
            return Work(
                lost: contents.lost, settings: contents.settings, clock: contents.clock,
                isLast: contents.isClosing)
        }
    }
}

extension TraceStep {
    fileprivate var isEvent: Bool {
        if case .event = self { true } else { false }
    }
}
