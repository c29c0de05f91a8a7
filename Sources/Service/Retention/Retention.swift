public import Keeping
import StateMachines
public import System
public import Turnstile

/// Keeps the state in two places: in memory, where it outlives the process, and on the disk, where
/// it outlives the power.
///
/// See docs/decisions/0023-what-outlives-the-process.md.
public final class Retention: StateStore {
    /// How long the state on the disk is waited for, once the lines are at their safe levels.
    public static let timeout: Duration = .milliseconds(250)
    private static let fileName = "state"

    private let bootID: String
    private let memory: StateFile?
    private let disk: DiskState?
    private let thread: WorkerThread?
    private var memoryFailure: RetentionError?
    private var lasting: RetainedState?
    private var written = Instant.zero

    /// Starts to read the state on the disk; either folder may be none. Its thread has to be there
    /// before the lines are: see ``System/WorkerThread``.
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

    /// What the memory knows of a gate before this one, since the boot; nil where there was none.
    public var stateOfThisBoot: RetainedState? {
        guard let slot = try? memory?.read(), slot.bootID == bootID else { return nil }
        return slot.stateOfThisBoot(at: MonotonicTimer.now)
    }

    /// What is known of the gate before this one, and why not more where something is wrong.
    ///
    /// Of the same boot the runtime folder knows, and nobody else is asked: its file is there after
    /// every end of the process, and no disk can hold it up for `timeout`.
    public func recover(within timeout: Duration) -> (Recovery, problem: RetentionError?) {
        do throws(RetentionError) {
            if let slot = try memory?.read(), slot.bootID == bootID {
                return (.known(slot.stateOfThisBoot(at: MonotonicTimer.now)), nil)
            }
            guard let disk else { return (.unknown, nil) }
            guard let found = disk.found(within: timeout) else {
                return (.unknown, RetentionError("the state on the disk", "it is not read yet"))
            }
            let state = try found.get()?.stateOfAnotherBoot(
                at: MonotonicTimer.now, wallOffset: SystemWallClock.offset)
            return (state.map { .known($0.lasting.withoutFare) } ?? .unknown, nil)
        } catch {
            return (.unknown, error)
        }
    }

    /// Keeps `state`: in memory when this returns, on the disk as soon as that can. There it is
    /// only what means something in another boot: no pulse of a coin is worth a write. What is left
    /// of a length of time is written once a minute.
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

    /// What is wrong with either place.
    public var failure: String? {
        let failures = [memoryFailure, disk?.failure].compactMap { $0?.description }
        return failures.isEmpty ? nil : failures.joined(separator: "; ")
    }

    /// Waits until the last state is on the disk, or could not be written, for `timeout` at most.
    public func close(within timeout: Duration) {
        disk?.close()
        thread?.join(within: timeout)
    }
}

extension RetainedState {
    /// The state as a disk knows it: the ledger, which is written as soon, may know better whether
    /// a fare was used since.
    var withoutFare: RetainedState {
        var state = self
        state.passage?.fare = 0
        return state
    }
}
