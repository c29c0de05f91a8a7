import Hardware
import Journal
import StateMachines
import System
import Turnstile

// The periodic check of clock, registers, store, retained state and lines.
extension Controller {
    /// Inputs come before locks, which read their contacts, and outputs after them, since the check
    /// of a lock may pull it again.
    func checkHealth(at now: Instant) {
        readClock(at: now)
        processRegisters(.looked(at: now))
        processStore(.looked(at: now))
        checkRetention()
        if let failure = recorder?.takeFailure() {
            journal.write(JournalEntry(.traceNotKept(failure)))
        }
        processLines(.lookBegan(at: now), at: now)
        checkInputs(at: now)
        checkLocks(at: now)
        checkOutputs(at: now)
        processLines(.lookEnded(heard: inputs, taken: machine.value.inputs), at: now)
    }

    func processLines(_ event: LineWatch.Event, at now: Instant) {
        recorded(
            lines.handle(event), of: .lines(event), at: now, as: ShellCommand.lines
        ).forEach { command in
            switch command {
            case .report(let line, let failure):
                dispatch(Event(.lineFailed(line, failure), at: now))
            case .reportRecovered(let line):
                dispatch(Event(.lineRecovered(line), at: now))
                processLines(.recoveryTold, at: now)
            case .reportLoss(let levels):
                inputs = levels
                dispatch(Event(.edgesLost(levels), at: now))
            case .giveUp:
                allLinesFailed(HardwareError(.failed, "no line works any more: the chip is lost"))
            case .assess(let problem):
                processSignsOfLife(.looked(problem, situation, at: now))
            }
        }
    }

    func report(_ line: Line, _ failure: LineFailure, at time: Instant) {
        processLines(.failed(line, failure), at: time)
    }

    private func processSignsOfLife(_ event: SignsOfLife.Event) {
        recorded(
            signsOfLife.handle(event), of: .signsOfLife(event), at: loop.now,
            as: ShellCommand.signsOfLife
        ).forEach { command in
            switch command {
            case .feed: service.notify(.alive)
            case .remember: onWithhold(signsOfLife.policy)
            case .note(let problem): journal.write(JournalEntry(.watchdogWithheld(problem)))
            }
        }
    }

    func updateWatchdog(at now: Instant) {
        guard signsOfLife.policy.isWithholding else { return }
        processSignsOfLife(.situationChanged(situation, at: now))
    }

    private var situation: WatchdogPolicy.Situation {
        .init(machine.value.status.state, isLaneClear: machine.value.gate.isLaneClear)
    }
}

// The inputs.
extension Controller {
    /// The levels of the input lines, and those that cannot be read, with their last known level.
    func readInputs() -> (levels: InputLevels, failures: [(input: Input, error: HardwareError)]) {
        var failures: [(input: Input, error: HardwareError)] = []
        var levels = bank.readInputs { failures.append(($0, $1)) }
        for (input, _) in failures { levels[input] = inputs[input] }
        return (levels, failures)
    }

    /// The same; reports the lines that cannot be read.
    func surveyInputs(at time: Instant) -> InputLevels {
        let (levels, failures) = readInputs()
        reportUnreadable(failures, at: time)
        return levels
    }

    func reportUnreadable(_ failures: [(input: Input, error: HardwareError)], at time: Instant) {
        for (input, error) in failures {
            journal.write(JournalEntry(.hardwareFailed(error.description)))
            report(.input(input), .unreadable, at: time)
        }
    }

    private func checkInputs(at now: Instant) {
        let (levels, failures) = readInputs()
        reportUnreadable(failures, at: now)
        for (input, error) in failures {
            processLines(.found(.input(input), .unreadable, error.description), at: now)
        }
        processLines(.inputsRead(levels, heard: inputs), at: now)
    }
}

// The outputs.
extension Controller {
    private func checkOutputs(at now: Instant) {
        if areOutputsInOrder { return }
        for actuator in wired { check(actuator, at: now) }
    }

    /// Whether every output carries its driven level: usually one read of all lines finds that out.
    private var areOutputsInOrder: Bool {
        var areRead = true
        let carried = bank.readOutputs { _, _ in areRead = false }
        return areRead
            && wired.allSatisfy {
                $0.state.pendingLevel == nil && carried[$0.output] == $0.isEnergised
            }
    }

    private func check(_ actuator: Actuator, at now: Instant) {
        process(actuator, .lookBegan, at: now)
        do throws(HardwareError) {
            process(actuator, .read(try bank.isEnergised(actuator.output)), at: now)
        } catch {
            process(actuator, .read(nil), at: now, because: error)
        }
        process(actuator, .lookEnded, at: now)
    }

    func process(
        _ actuator: Actuator, _ event: OutputDrive.Event, at now: Instant,
        because error: HardwareError? = nil
    ) {
        let output = actuator.output
        let line = Line.output(output)
        recorded(
            actuator.handle(event), of: .output(output, event), at: now,
            as: { .output(output, $0) }
        ).forEach { command in
            switch command {
            case .drive(let level): drive(actuator, level, at: now)
            case .report(let failure): report(line, failure, at: now)
            case .note(let failure):
                let text =
                    switch failure {
                    case .undrivable: "\(line) cannot be driven"
                    case .mismatch: "\(line) does not carry the level that it was driven to"
                    case .unreadable: error?.description ?? "\(line) cannot be read"
                    }
                processLines(.found(line, failure, text), at: now)
            case .warn:
                dispatch(Event(.onTimeWarning(output), at: now))
                process(actuator, .timePassed(now), at: now)
            case .cut: cut(actuator, at: now)
            }
        }
    }

    private func cut(_ actuator: Actuator, at now: Instant) {
        drive(actuator, false, at: now)
        if let limit = actuator.state.maximumOnTime, !actuator.isEnergised {
            journal.write(JournalEntry(.outputCut(actuator.output, after: limit)))
        }
        dispatch(Event(.outputCut(actuator.output), at: now))
    }
}
