public import Turnstile

extension ShellMachines: Composite {
    public static var title: String { "shell" }
    public static var blank: ShellMachines {
        ShellMachines(
            inputs: InputLevels(), outputs: [:], watchdogInterval: nil, registerSnapshot: .zero)
    }

    /// A missing output is at rest, without a limit of its on-time.
    public func visit(_ fields: inout some FieldVisitor) -> ShellMachines {
        var machines = Self.blank
        let driven = Output.allCases.map { DrivenOutput(output: $0, machine: drives[$0.index]) }
        for driven in fields.field(.outputs, driven.filter { $0.machine != .blank }) {
            machines.drives[driven.output.index] = driven.machine
        }
        let locks = Direction.allCases.compactMap { direction in
            self[lock: direction].map { DrivenLock(direction: direction, machine: $0) }
        }
        for driven in fields.field(.locks, locks) {
            machines[lock: driven.direction] = driven.machine
        }
        machines.lines = fields.field(.lineWatch, lines)
        machines.signsOfLife = fields.field(.signsOfLife, signsOfLife)
        machines.store = fields.field(.store, store)
        machines.retention = fields.field(.retention, retention)
        machines.registers = fields.field(.registers, registers)
        machines.clock = fields.field(.clock, clock)
        return machines
    }
}

struct DrivenOutput: Composite {
    var output: Output
    var machine: OutputDrive

    static var title: String { "driven_output" }
    static var blank: DrivenOutput { DrivenOutput(output: .lockEntry, machine: .blank) }

    func visit(_ fields: inout some FieldVisitor) -> DrivenOutput {
        let output = fields.field(.output, output)
        return DrivenOutput(output: output, machine: fields.inline(machine))
    }
}

struct DrivenLock: Composite {
    var direction: Direction
    var machine: LockDrive

    static var title: String { "driven_lock" }
    static var blank: DrivenLock { DrivenLock(direction: .entry, machine: .atRest) }

    func visit(_ fields: inout some FieldVisitor) -> DrivenLock {
        let direction = fields.direction(direction)
        return DrivenLock(direction: direction, machine: fields.inline(machine, as: .drive))
    }
}
