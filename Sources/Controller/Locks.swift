import StateMachines
import Turnstile

/// A lock with a coil that pulls and another that holds.
struct TwoCoilLock {
    /// The lock, whose line is that of the coil that pulls.
    let pull: Output
    /// The line of the coil that holds.
    let hold: Output
    /// What is done with both.
    var drive = LockDrive.atRest

    /// The locks whose second coil is wired.
    static func wired(in outputs: some Collection<Output>) -> [TwoCoilLock] {
        [
            TwoCoilLock(pull: .lockEntry, hold: .lockEntryHold),
            TwoCoilLock(pull: .lockExit, hold: .lockExitHold),
        ].filter { outputs.contains($0.hold) }
    }
}

// Locks with two coils.
extension Controller {
    /// Energises or de-energises what a command is about: one line, or a lock of two coils.
    func energise(_ output: Output, _ isEnergised: Bool, at time: Instant) {
        guard let index = locks.firstIndex(where: { $0.pull == output }) else {
            return drive(actuators[output.index], isEnergised, at: time)
        }
        move(index, isEnergised ? .energise(at: time, pull: lockPull) : .deEnergise, at: time)
    }

    /// When the first of the locks has been pulled.
    var locksDeadline: Instant? { locks.reduce(nil) { .earliest($0, $1.drive.deadline) } }

    /// Goes on to hold what was pulled for long enough.
    func holdPulledLocks(at now: Instant) {
        for index in locks.indices { move(index, .timePassed(now), at: now) }
    }

    private func move(_ index: Int, _ event: LockDrive.Event, at time: Instant) {
        let lock = locks[index]
        guard case .handled(let commands) = locks[index].drive.handle(event) else { return }
        commands.forEach { command in
            switch command {
            case .pull(let isEnergised): drive(actuators[lock.pull.index], isEnergised, at: time)
            case .hold(let isEnergised): drive(actuators[lock.hold.index], isEnergised, at: time)
            }
        }
    }
}
