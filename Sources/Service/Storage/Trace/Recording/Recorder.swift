public import Controller
import StateMachines
import Synchronization
public import System

/// Records the gate's steps in the files of a ring, which a thread of its own writes.
///
/// The loop queues its steps with a few instructions, and never waits. A power failure loses what
/// the kernel had not written; a hung or full disk, the steps since.
public final class Recorder: StepRecorder {
    private let queue: StepQueue
    private let thread: WorkerThread
    private var wasClosed = false
    private var toldFailure: String?

    /// Starts to record in the folder at `path`, without waiting for the disk. Has to be called
    /// before the lines are requested: see ``System/WorkerThread``.
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

    /// Whether the next steps must contain the state.
    public var wantsState: Bool { queue.wantsState.load(ordering: .relaxed) }

    /// Takes the steps, and leaves an empty list.
    public func take(_ steps: inout [TraceStep]) { queue.append(&steps) }

    package func adopt(settings: String) { queue.adopt(settings: settings) }

    /// Why nothing is recorded, if the reason changed since the last call.
    public func takeFailure() -> String? {
        let failure = queue.failure
        defer { toldFailure = failure }
        return failure == toldFailure ? nil : failure
    }

    /// Writes the queued steps, for `timeout` at most. Later ones are lost.
    public func close(within timeout: Duration) {
        wasClosed = true
        queue.close()
        thread.join(within: timeout)
    }
}

/// The queue from the loop's thread to the writer.
///
/// The loop also frees written steps: the writer, which has a lower priority, would hold the
/// allocator's lock for it, and delay the loop.
final class StepQueue: Sendable {
    /// How many steps wait at most for a failing disk.
    static let stepsAtMost = 16_384

    /// How long steps are gathered, to write less and wake less often. A stop ends it at once.
    static let gathering: Duration = .milliseconds(500)

    let wantsState = Atomic(true)
    private let mailbox: Mailbox<Contents>
    /// Ends the gathering.
    private let ending: EventFD

    private struct Contents {
        var steps: [TraceStep] = []
        /// Written steps for the loop to free. The loop's own posts wake the writer, so there are
        /// at most two lists.
        var spent: [TraceStep] = [], spentBefore: [TraceStep] = []
        /// Whether a state is among them, and the wall clock's offset then.
        var holdState = false
        var clock: ClockOffset?
        /// How many steps were lost since the last queued one.
        var lost = 0
        var settings: AdoptedSettings?
        var isClosing = false
        var failure: String?
    }

    /// New settings, and how many of the steps happened before.
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

    /// Takes `steps`, and leaves an empty list. Checks of the lines alone wake no thread.
    func append(_ steps: inout [TraceStep]) {
        let isUrgent = steps.contains { $0.isEvent || $0.isState }
        let holdState = steps.contains { $0.isState }
        // Read here, as the loop reads the clock anyway: the writer would hold the lock of the time
        // zone, and delay the loop.
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
                // Steps after a gap are useless without a state.
                contents.lost += steps.count
            } else {
                contents.steps.append(contentsOf: steps)
            }
            return contents.steps.count > Self.stepsAtMost / 16
        }
        if isUrgent || isCrowded { mailbox.forThread.signal() }
        steps.removeAll(keepingCapacity: true)
        spent.removeAll(keepingCapacity: true)
        // Keeps the longer list, so that it need not grow again.
        if spent.capacity > steps.capacity { swap(&spent, &steps) }
    }

    func adopt(settings: String) {
        mailbox.postToThread { contents in
            contents.settings = AdoptedSettings(text: settings, place: contents.steps.count)
            // Before the first step under the new settings.
            wantsState.store(true, ordering: .relaxed)
        }
    }

    func close() {
        mailbox.open { $0.isClosing = true }
        ending.signal()
        mailbox.forThread.signal()
    }

    /// Writes the queue with `writer` until it is closed; after a failure, retries in `retryPause`.
    func drain(into writer: inout TraceWriter, retryPause: Duration = TraceWriter.retryPause) {
        var steps: [TraceStep] = []
        var isLast = false
        var nextAttempt = Instant.zero
        while !isLast {
            // After a failure it requests a state, which is the next attempt.
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

    /// Hands written steps to the loop to free, with the outcome. A state queued meanwhile fulfils
    /// a request for one.
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
