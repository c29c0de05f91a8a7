import StateMachines
import Stories
import Turnstile

/// A step that a turnstile took, as an onlooker sees it: large, and looked at by dozens of laws.
final class Observation {
    let event: Happening
    let outcome: Outcome<Command>
    let before: Situation
    let after: Situation
    /// The gate before and after. All this is stored, since a law that computes it copies it.
    let gateBefore: Gate
    let gate: Gate
    let policy: Policy
    let equipment: Equipment
    /// What the outputs did and do, or nil before the start.
    let wasDriven: OutputSet?
    let drive: OutputSet?
    /// What the lines carry after the step.
    let inputs: InputLevels
    let world: World
    /// What was wanted done, and what was said.
    let targets: [(output: Output, isOn: Bool)]
    let records: [Record]
    /// What became of what was asked for from afar.
    let answers: [Answer]
    /// What a gate that starts knows of the one before it; nil for what is no start.
    let past: Past?

    init(_ step: Step<Situation>) {
        event = step.event
        outcome = step.outcome
        before = step.before
        after = step.after
        gateBefore = before.turnstile.gate
        gate = after.turnstile.gate
        past = before.past(of: event)
        wasDriven = past == nil ? gateBefore.drive : nil
        drive = gate.drive
        policy = gate.policy
        equipment = gate.equipment
        inputs = after.inputs
        world = after.world
        targets = outcome.commands.compactMap { command in
            if case .set(let output, let isOn) = command { (output, isOn) } else { nil }
        }
        records = outcome.commands.compactMap(\.record)
        answers = outcome.commands.compactMap(\.answer).filter { $0.requester.person != nil }
    }

    /// Whether the output did what it is for.
    func wasOn(_ output: Output) -> Bool { gateBefore.drive?[output] ?? false }

    /// Whether the output does what it is for.
    func isOn(_ output: Output) -> Bool { drive?[output] ?? false }

    /// Whether the rotor has now, and had not before, made half a turn this way.
    func reachesMiddle(_ direction: Direction) -> Bool {
        let middle = direction == .entry ? 2 : -2
        guard let now = world.rotor.quarters, let then = before.world.rotor.quarters else {
            return false
        }
        return now == middle && abs(then) == 1
    }
}

/// Something that must hold of every step that a turnstile can take.
///
/// A number is that of an invariant in docs/invariants.md, which says who keeps the others.
struct Law: Sendable {
    let name: String
    let holds: @Sendable (Observation) -> Bool

    static let all =
        locks + indicators + coins + passages + people + turns + fares + money + ledger + requests
        + form
}
