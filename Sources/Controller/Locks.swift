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
    /// Whether a line did not carry what it was driven to, so that the bolt was not pulled, or has
    /// sprung back.
    var hasMissedPower = false

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
            locks[index].hasMissedPower = !carries(locks[index].pull)
            move(index, .timePassed(now), at: now)
        }
    }

    /// Whether a coil that was energised has power: one whose line cannot be read may have none.
    private func carries(_ coil: Actuator) -> Bool {
        (try? bank.isEnergised(coil.output)) ?? false
    }

    /// Pulls once more a lock that is held though its bolt is not where it was pulled to: it may
    /// have been jammed, or one of the lines was broken, and the coil that holds cannot move it.
    func pullStrayedLocks(at now: Instant) {
        let wired = machine.value.gate.equipment.inputs
        for index in locks.indices {
            let lock = locks[index]
            guard lock.drive == .holding else { continue }
            guard carries(lock.hold) else {
                lock.hasMissedPower = true
                continue
            }
            let feedback = (lock.pull.output == .lockEntry ? Direction.entry : .exit).lockFeedback
            let hasStayed = wired[feedback] && inputs[feedback] != lock.pull.level(toBeOn: true)
            guard hasStayed || lock.hasMissedPower else { continue }
            move(index, .strayed(at: now, pull: lockPull), at: now)
        }
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
