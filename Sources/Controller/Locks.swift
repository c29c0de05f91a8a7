import Hardware
import StateMachines
import System
import Turnstile

/// A lock with a coil that pulls and another that holds.
final class TwoCoilLock {
    /// The lock, whose line is that of the coil that pulls.
    let pull: Actuator
    /// The line of the coil that holds.
    let hold: Actuator
    /// What is done with both.
    var drive = LockDrive.atRest

    private init(pull: Actuator, hold: Actuator) {
        self.pull = pull
        self.hold = hold
    }

    /// The locks whose second coil is `wired`, of the actuators of all outputs.
    static func all(of actuators: [Actuator], in wired: some Collection<Output>) -> [TwoCoilLock] {
        [(Output.lockEntry, Output.lockEntryHold), (.lockExit, .lockExitHold)]
            .filter { wired.contains($0.1) }
            .map { TwoCoilLock(pull: actuators[$0.index], hold: actuators[$1.index]) }
    }
}

// Locks with two coils.
extension Controller {
    /// Energises or de-energises what a command is about: one line, or a lock of two coils.
    @inline(__always) func energise(_ actuator: Actuator, _ isEnergised: Bool, at time: Instant) {
        guard let index = locks.firstIndex(where: { $0.pull === actuator }) else {
            return drive(actuator, isEnergised, at: time)
        }
        // From now on, however late it is for the event: a bolt takes its time to move.
        let pull = LockDrive.Event.energise(at: loop.now, pull: lockPull)
        move(index, isEnergised ? pull : .deEnergise, at: time)
    }

    /// When the first of the locks has been pulled.
    var locksDeadline: Instant? { locks.reduce(nil) { .earliest($0, $1.drive.deadline) } }

    /// Goes on to hold what was pulled for long enough.
    func holdPulledLocks(at now: Instant) {
        for index in locks.indices {
            guard let end = locks[index].drive.deadline, end <= now else { continue }
            let isPulled = carries(locks[index].pull)
            move(index, .timePassed(now, isPulled: isPulled), at: now)
        }
    }

    /// Whether a coil that was energised has power: one whose line cannot be read may have none.
    private func carries(_ coil: Actuator) -> Bool {
        (try? bank.isEnergised(coil.output)) ?? false
    }

    /// Looks whether the locks that are held are where they were pulled to.
    func lookAtLocks(at now: Instant) {
        for index in locks.indices where locks[index].drive.isToBeLookedAt {
            let lock = locks[index]
            let finding: LockDrive.Finding =
                carries(lock.hold) ? .held(hasMoved: hasMoved(lock)) : .noPower
            move(index, .looked(at: now, finding, pull: lockPull), at: now)
        }
    }

    /// Whether the bolt of an energised lock is where its contact should show it; nil where it has
    /// none.
    private func hasMoved(_ lock: TwoCoilLock) -> Bool? {
        let feedback = (lock.pull.output == .lockEntry ? Direction.entry : .exit).lockFeedback
        guard machine.value.gate.equipment.inputs[feedback] else { return nil }
        return inputs[feedback] == lock.pull.level(toBeOn: true)
    }

    private func move(_ index: Int, _ event: LockDrive.Event, at time: Instant) {
        let lock = locks[index]
        guard case .handled(let commands) = locks[index].drive.handle(event) else { return }
        commands.forEach { command in
            switch command {
            case .pull(let isEnergised): drive(lock.pull, isEnergised, at: time)
            case .hold(let isEnergised): drive(lock.hold, isEnergised, at: time)
            }
        }
    }
}
