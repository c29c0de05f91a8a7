import Hardware
import StateMachines
import System
import Turnstile

/// A lock with a coil that pulls and another that holds.
final class TwoCoilLock {
    let direction: Direction
    /// The lock, whose line is that of the coil that pulls.
    let pull: Actuator
    let hold: Actuator
    var drive: LockDrive

    private init(_ direction: Direction, _ drive: LockDrive, of actuators: [Actuator]) {
        self.direction = direction
        self.drive = drive
        pull = actuators[direction.lock.index]
        hold = actuators[direction.holdingCoil.index]
    }

    static func all(of actuators: [Actuator], in machines: ShellMachines) -> [TwoCoilLock] {
        Direction.allCases.compactMap { direction in
            machines[lock: direction].map { TwoCoilLock(direction, $0, of: actuators) }
        }
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

    var locksDeadline: Instant? { locks.reduce(nil) { .earliest($0, $1.drive.deadline) } }

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

    func checkLocks(at now: Instant) {
        for index in locks.indices where locks[index].drive.isToBeLookedAt {
            let lock = locks[index]
            let finding: LockDrive.Finding =
                carries(lock.hold) ? .held(hasMoved: hasMoved(lock)) : .noPower
            move(index, .looked(at: now, finding, pull: lockPull), at: now)
        }
    }

    /// Whether the bolt of an energised lock has moved, by its contact; nil where it has none.
    private func hasMoved(_ lock: TwoCoilLock) -> Bool? {
        let feedback = lock.direction.lockFeedback
        guard machine.value.gate.equipment.inputs[feedback] else { return nil }
        return inputs[feedback] == lock.pull.level(toBeOn: true)
    }

    private func move(_ index: Int, _ event: LockDrive.Event, at time: Instant) {
        let lock = locks[index]
        recorded(
            lock.drive.handle(event), of: .lock(lock.direction, event), at: time,
            as: { .lock(lock.direction, $0) }
        ).forEach { command in
            switch command {
            case .pull(let isEnergised): drive(lock.pull, isEnergised, at: time)
            case .hold(let isEnergised): drive(lock.hold, isEnergised, at: time)
            }
        }
    }
}
