public import Keeping
import StateMachines
public import System
public import Turnstile

/// Keeps the state in memory, where it outlives the process, and on the disk, where it outlives a
/// power failure.
///
/// See docs/decisions/0023-what-outlives-the-process.md.
public final class Retention: StateStore {
    /// How long to wait for the disk's state, once the lines are at their safe levels.
    public static let timeout: Duration = .milliseconds(250)
    private static let fileName = "state"

    private let bootID: String
    private let memory: StateFile?
    private let disk: DiskState?
    private let thread: WorkerThread?
    private var memoryFailure: RetentionError?
    private var lasting: RetainedState?
    private var written = Instant.zero

    /// Starts to read the disk's state; either folder may be nil. Has to be called before the lines
    /// are requested: see ``System/WorkerThread``.
    public init(
        runtimeFolder: String?, stateFolder: String?, bootID: String
    ) throws(SystemError) {
        self.bootID = bootID
        memory = runtimeFolder.map {
            StateFile(path: "\($0)/\(Self.fileName)", isDurable: false)
        }
        guard let stateFolder else {
            disk = nil
            thread = nil
            return
        }
        let disk = try DiskState(bootID: bootID)
        let path = "\(stateFolder)/\(Self.fileName)"
        thread = try WorkerThread { disk.run(path: path) }
        self.disk = disk
    }

    deinit { close(within: .zero) }

    /// The state in memory of an earlier process since the boot; nil for none.
    public var stateOfThisBoot: RetainedState? {
        guard let slot = try? memory?.read(), slot.bootID == bootID else { return nil }
        return slot.stateOfThisBoot
    }

    /// The state of the previous process, and the problem if it is incomplete.
    ///
    /// Since the boot only the runtime folder counts: its file exists after every end of the
    /// process, and no disk can delay it for `timeout`.
    public func recover(within timeout: Duration) -> (Recovery, problem: RetentionError?) {
        do throws(RetentionError) {
            if let slot = try memory?.read(), slot.bootID == bootID {
                return (.known(slot.stateOfThisBoot), nil)
            }
            guard let disk else { return (.unknown, nil) }
            guard let found = disk.found(within: timeout) else {
                return (.unknown, RetentionError("the state on the disk", "it is not read yet"))
            }
            let state = try found.get()?.stateOfAnotherBoot(
                at: MonotonicTimer.now, wallOffset: SystemWallClock.offset,
                utcOffset: SystemWallClock.utcOffset)
            return (state.map { .known($0.lasting.withoutFare) } ?? .unknown, nil)
        } catch {
            return (.unknown, error)
        }
    }

    /// Keeps `state`: in memory on return, on the disk as soon as possible. The disk gets only what
    /// matters in another boot, no pulses of coins, and remaining times once a minute.
    public func keep(_ state: RetainedState) { keep(state, at: MonotonicTimer.now) }

    func keep(_ state: RetainedState, at now: Instant) {
        do throws(RetentionError) {
            try memory?.write(state, bootID: bootID)
            memoryFailure = nil
        } catch {
            memoryFailure = error
        }
        let isDue = state.holdsTimes && now - written >= .seconds(60)
        guard let disk, state.lasting != lasting || disk.failure != nil || isDue else { return }
        lasting = state.lasting
        written = now
        disk.keep(state.lasting)
    }

    /// The problem of either place.
    public var failure: String? {
        let failures = [memoryFailure, disk?.failure].compactMap { $0?.description }
        return failures.isEmpty ? nil : failures.joined(separator: "; ")
    }

    /// Waits until the last state is on the disk, or failed to be written, for `timeout` at most.
    public func close(within timeout: Duration) {
        disk?.close()
        thread?.join(within: timeout)
    }
}

extension StateSlot {
    /// The state for this process, of the same boot.
    fileprivate var stateOfThisBoot: RetainedState {
        stateOfThisBoot(
            at: MonotonicTimer.now, wallOffset: SystemWallClock.offset,
            utcOffset: SystemWallClock.utcOffset)
    }
}

extension RetainedState {
    /// The state for the disk. The ledger, written as soon, may know better whether a fare was used
    /// since.
    var withoutFare: RetainedState {
        var state = self
        state.passage?.fare = 0
        return state
    }
}
