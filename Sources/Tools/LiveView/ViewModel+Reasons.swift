internal import Console
internal import SimulatedHardware
internal import StateMachines
internal import System
internal import Turnstile

// Why a key has no effect, according to the gate's report.

extension ViewModel {
    /// Why this has no effect at the gate; nil if it has, or that is unknown.
    func objection(to event: World.Event) -> String? {
        switch event {
        case .coinInserted, .coinFished, .acceptorStruck: return coinObjection
        case .armPushed(let direction, _): return passageObjection(direction)
        case .steppedBack, .stoodStill: return isEmpty ? "nobody is in the gate" : nil
        case .tailgated(let direction, _):
            return isEmpty ? passageObjection(direction) : nil
        case .armRaised: return armObjection
        case .defectAppeared(.jammedAcceptor):
            return levels[.coinJam] ? "a coin is stuck there already: r repairs it" : nil
        case .defectAppeared(.stuckActive(let input)):
            return levels[input] ? "\(input.name) is active already: r repairs it" : nil
        case .defectAppeared, .timePassed, .armForced, .armLetGo, .sensorsDisturbed,
            .contactMoved, .contactPressed, .outputDriven, .defectRepaired, .everythingRepaired,
            .queueOverflowed, .edgeMissed:
            return nil
        }
    }

    /// The wall-clock time of day: `08:00`.
    func timeOfDay(at time: Instant) -> String {
        String(localTimeOfDay(at: clockOffset + (time - .zero)).prefix(5))
    }

    /// Why coins are refused, and until when; nil while they are accepted.
    var coinObjection: String? {
        report.coinRefusal.map { refusal in
            let message = Record.coinsRefused(refusal).entry.sentence
            return refusal == .entryLocked ? message + term(of: .entry) : message
        }
    }

    /// Whether neither sensors nor gate know of a person.
    private var isEmpty: Bool {
        GateScene(self, nil).person == nil && !report.entry.isPassing && !report.exit.isPassing
    }

    private func passageObjection(_ direction: Direction) -> String? {
        let way = report[direction]
        switch report.status.state {
        case .emergency, .awaitingReset, .awaitingClearLane, .passing, .free: return nil
        case .starting, .stopped, .service, .testing, .outOfService:
            return report.status.caption.words
        case .locked, .released: break
        }
        guard !way.isReleased else { return nil }
        let name = direction == .entry ? "the way in" : "the way out"
        // One lock holds both ways.
        let lock = direction.lock
        guard report.equipment.outputs[lock] else {
            return report.entry.isReleased ? nil : "\(name) is locked"
        }
        switch way.mode.value {
        case .free: return nil
        case .locked: return "\(name) is locked for all\(term(of: direction))"
        case .controlled:
            let takesCoins = direction == .entry && report.coinRefusal == nil
            guard takesCoins, report.equipment.inputs[.coinPulse] else {
                return "\(name) is locked until a passage is authorised"
            }
            return "\(name) is locked: credit \(report.credit), a passage costs \(report.price)"
        }
    }

    /// Who requested the mode in force, or the schedule, and until when.
    private func term(of direction: Direction) -> String {
        let mode = report[direction].mode
        if let term = mode.term {
            let end = term.until.map { ", until \(timeOfDay(at: $0))" } ?? ""
            return ", as \(term.requester.text) asked\(end)"
        }
        let due = report.due.first { $0.reason == .termsChange }
        return due.map { ", by the schedule, which changes at \(timeOfDay(at: $0.time))" } ?? ""
    }

    private var armObjection: String? {
        if report.isOn(.dropArm) { return "the arm falls again: the gate lets it drop" }
        return levels[.home] ? "the arm is up" : nil
    }
}
