import Hardware
import StateMachines
import System
import Turnstile

/// A lock with a pulling and a holding coil.
final class TwoCoilLock {
    let direction: Direction
    /// The lock's own line drives the pulling coil.
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
    /// Energises or de-energises the line of a command, or both of a lock with two coils.
    @inline(__always) func energise(_ actuator: Actuator, _ isEnergised: Bool, at time: Instant) {
        guard let index = locks.firstIndex(where: { $0.pull === actuator }) else {
            return drive(actuator, isEnergised, at: time)
        }
        // Timed from now, not from the event: the bolt needs the whole pull to move.
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

    /// Whether an energised coil has power; not if its line cannot be read.
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

    /// Whether the bolt of an energised lock has moved, by its contact; nil without one.
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
