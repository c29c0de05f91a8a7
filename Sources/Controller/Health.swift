import Hardware
import StateMachines
import System
import Turnstile

/// What the shell knows of its own health.
struct Health {
    /// When to look again.
    var nextCheck = Instant.zero
    /// Why no sign of life was given, as it was last said; nil while one is.
    var complaint: String?
    /// Whether one is given.
    var watchdog: WatchdogPolicy
    /// Inputs that carried another level at the last look than their edges told.
    var suspects = InputLevels()
    /// The lines that failed, and are not known to work again.
    var failed: [Line] = []
}

// The watchdog is fed while the loop turns; where lines are broken, as its policy says.
extension Controller {
    func checkHealth(at now: Instant) {
        health.nextCheck = now + healthInterval
        readClock(at: now)
        mindRegisters(.looked(at: now))
        mindStore(.looked(at: now))
        checkRetention()
        let failedBefore = health.failed
        health.failed = []
        let inputComplaint = inputComplaint(at: now)
        // What the locks' contacts show is known by now, and whether the lines carry it comes next.
        lookAtLocks(at: now)
        let outputComplaint = outputComplaint(at: now)
        if isEveryLineLost {
            return lose(HardwareError(.failed, "no line works any more: the chip is lost"))
        }
        tellRecovered(of: failedBefore, at: now)
        giveSignOfLife(inputComplaint ?? outputComplaint, at: now)
    }

    /// Whether no line works any more, of all that are wired: whatever the gate is doing, only a
    /// new start can have lines that do.
    private var isEveryLineLost: Bool {
        let inputs = machine.value.gate.equipment.inputs
        let lines =
            Input.allCases.filter { inputs[$0] }.map { Line.input($0) }
            + wired.map { Line.output($0.output) }
        return !lines.isEmpty && lines.allSatisfy(health.failed.contains)
    }

    /// Tells the service manager that the service is well, unless a new start might help.
    private func giveSignOfLife(_ complaint: String?, at now: Instant) {
        let wasWithholding = health.watchdog.isWithholding
        let look = WatchdogPolicy.Event(
            isTroubled: complaint != nil, situation: situation, time: now)
        guard case .handled(let commands) = health.watchdog.handle(look) else { return }
        var reason: String?
        commands.forEach { command in
            switch command {
            case .feed: service.notify(.alive)
            case .withhold: reason = complaint
            }
        }
        if !wasWithholding, health.watchdog.isWithholding { onWithhold(health.watchdog) }
        if let reason, reason != health.complaint {
            journal.write(JournalEntry(.watchdogWithheld(reason)))
        }
        health.complaint = reason
    }

    /// Where no sign of life was given and people come to depend on the service, one is given at
    /// once: the next look may be too late.
    func reassure(at now: Instant) {
        guard health.watchdog.isWithholding, situation != .other else { return }
        giveSignOfLife(health.complaint, at: now)
    }

    /// What the gate is doing, as far as a new start would matter to people.
    private var situation: WatchdogPolicy.Situation {
        switch machine.value.status.state {
        case .emergency, .awaitingReset, .awaitingClearLane: return .emergency
        case .passing: return .occupied
        case .service, .testing: return .service
        case .starting, .stopped, .outOfService, .released, .free, .locked:
            return machine.value.gate.isLaneClear ? .other : .occupied
        }
    }

    /// Tells the machine that a line fails.
    func report(_ line: Line, _ failure: LineFailure, at time: Instant) {
        if !health.failed.contains(line) { health.failed.append(line) }
        dispatch(Event(.lineFailed(line, failure), at: time))
    }

    /// Tells the machine which of the lines that failed work again. An input does when it can be
    /// read and carries what the machine takes it to carry: of what changed while it could not be
    /// read no edge told.
    private func tellRecovered(of lines: [Line], at now: Instant) {
        for line in lines where !health.failed.contains(line) {
            if case .input(let input) = line,
                health.suspects[input] || inputs[input] != machine.value.inputs[input]
            {
                health.failed.append(line)
            } else {
                dispatch(Event(.lineRecovered(line), at: now))
            }
        }
    }

    /// What the input lines carry now, as far as they can be read, and which cannot. One that
    /// cannot is taken as it was when it was last heard of, so that it hides none of the others.
    func readInputs() -> (levels: InputLevels, failures: [(input: Input, error: HardwareError)]) {
        var failures: [(input: Input, error: HardwareError)] = []
        var levels = bank.readInputs { failures.append(($0, $1)) }
        for (input, _) in failures { levels[input] = inputs[input] }
        return (levels, failures)
    }

    /// Tells the journal and the machine which inputs cannot be read.
    func tell(_ failures: [(input: Input, error: HardwareError)], at time: Instant) {
        for (input, error) in failures {
            journal.write(JournalEntry(.hardwareFailed(error.description)))
            report(.input(input), .unreadable, at: time)
        }
    }

    /// What the input lines carry now, as far as they can be read; those that cannot are told.
    func surveyInputs(at time: Instant) -> (levels: InputLevels, complaint: String?) {
        let (levels, failures) = readInputs()
        tell(failures, at: time)
        return (levels, failures.first?.error.description)
    }

    /// A level that no edge told of, at two looks in a row, means that an edge got lost: with
    /// libgpiod 1.6 it vanishes unseen.
    private func inputComplaint(at now: Instant) -> String? {
        let (levels, complaint) = surveyInputs(at: now)
        let strange = levels.symmetricDifference(inputs)
        if !strange.isDisjoint(with: health.suspects) {
            inputs = levels
            dispatch(Event(.edgesLost(levels), at: now))
        }
        health.suspects = levels.symmetricDifference(inputs)
        return complaint
    }

    /// What is wrong with the outputs, as far as it keeps the gate from its work: what only tells
    /// people, such as a lamp, is a fault, and no reason to end the service.
    private func outputComplaint(at now: Instant) -> String? {
        if areOutputsInOrder { return nil }
        var complaint: String?
        for actuator in wired {
            guard let (failure, text) = failure(of: actuator, at: now) else { continue }
            guard Fault.line(.output(actuator.output), failure).effect != .none else { continue }
            complaint = complaint ?? text
        }
        return complaint
    }

    /// Whether every output carries what it was driven to: as a rule one look finds that out.
    private var areOutputsInOrder: Bool {
        var areRead = true
        let carried = bank.readOutputs { _, _ in areRead = false }
        return areRead
            && wired.allSatisfy { $0.owed == nil && carried[$0.output] == $0.isEnergised }
    }

    /// How an output fails, if it does; the machine is told. What it does not carry, it is driven
    /// to again: somebody may have repaired it, and the machine, which is done with it, does not
    /// command it twice.
    private func failure(of actuator: Actuator, at now: Instant) -> (LineFailure, String)? {
        let output = actuator.output
        if let level = actuator.owed { drive(actuator, level, at: now) }
        if actuator.owed != nil { return (.undrivable, "\(output.name) cannot be driven") }
        do throws(HardwareError) {
            if try actuator.readsBack(on: bank) { return nil }
            report(.output(output), .mismatch, at: now)
            drive(actuator, actuator.isEnergised, at: now)
            return (.mismatch, "\(output.name) does not carry the level that it was driven to")
        } catch {
            report(.output(output), .unreadable, at: now)
            return (.unreadable, error.description)
        }
    }
}
