import StateMachines

/// The counting pulses of a gate: one per passage, step of the coin meter, or coin ejected.
///
/// Pulses are requested while an event is handled, and begin and end once, after it: a late shell
/// must not shorten pulses until a counter misses them.
struct Counters: Hashable, Sendable {
    private var passages: Pulser
    private var money: Pulser
    private var rejects: Pulser

    /// How many pulses an event asks for.
    struct Pulses {
        var passages = 0
        var money = 0
        var rejects = 0

        var isEmpty: Bool { passages == 0 && money == 0 && rejects == 0 }

        func wired(in outputs: OutputSet) -> Pulses {
            Pulses(
                passages: outputs[.countPulse] ? passages : 0,
                money: outputs[.coinMeter] ? money : 0,
                rejects: outputs[.coinReject] ? rejects : 0)
        }
    }

    /// Silent counters with the policy's length of a pulse.
    init(policy: Policy) {
        let silent = Pulser(length: policy.countPulse)
        (passages, money, rejects) = (silent, silent, silent)
    }

    private mutating func changeEach(_ change: (inout Pulser) -> Void) {
        change(&passages)
        change(&money)
        change(&rejects)
    }

    private(set) var deadline: Instant?

    func isDue(at time: Instant) -> Bool { deadline.map { $0 <= time } ?? false }

    private mutating func updateDeadline() {
        deadline = .earliest(passages.deadline, .earliest(money.deadline, rejects.deadline))
    }

    var areIdle: Bool {
        passages.state == .idle && money.state == .idle && rejects.state == .idle
    }

    var on: OutputSet {
        var on = OutputSet()
        on[.countPulse] = passages.isOn
        on[.coinMeter] = money.isOn
        on[.coinReject] = rejects.isOn
        return on
    }

    /// Advances the pulses to `time`, and requests `pulses`; returns whether anything changed.
    mutating func count(_ pulses: Pulses, at time: Instant) -> Bool {
        let isDue = isDue(at: time)
        guard isDue || !pulses.isEmpty else { return false }
        if isDue { changeEach { _ = $0.handle(.timePassed(time)) } }
        if pulses.passages > 0 { _ = passages.handle(.asked(pulses.passages, at: time)) }
        if pulses.money > 0 { _ = money.handle(.asked(pulses.money, at: time)) }
        if pulses.rejects > 0 { _ = rejects.handle(.asked(pulses.rejects, at: time)) }
        updateDeadline()
        return true
    }

    /// Applies a new policy to later pulses.
    mutating func adopt(_ policy: Policy) {
        changeEach { $0.adopt(length: policy.countPulse) }
    }

    mutating func shiftInstants(by duration: Duration) {
        changeEach { $0.shiftInstants(by: duration) }
        updateDeadline()
    }
}

extension Counters: Composite {
    static var title: String { "counters" }
    static var blank: Counters { Counters(policy: .blank) }

    func visit(_ fields: inout some FieldVisitor) -> Counters {
        var counters = self
        counters.passages = fields.part(.passages, passages, in: passages)
        counters.money = fields.part(.money, money, in: money)
        counters.rejects = fields.part(.rejects, rejects, in: rejects)
        counters.updateDeadline()
        return counters
    }
}
