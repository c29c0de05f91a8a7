import Hardware
import Turnstile

/// Checks that involve several keys.
extension Reader {
    mutating func check(_ draft: Draft) {
        checkLinesAreUsedOnce(draft)
        // The other checks conclude from missing keys, which may follow after a syntax error.
        guard isComplete else { return }
        checkSensors()
        checkPayment(draft)
        checkCoins(draft)
        checkPolicy(draft)
        checkFire(draft)
        checkFeedback()
        checkDrives(draft)
    }

    var inputs: String { "hardware.inputs" }
    var outputs: String { "hardware.outputs" }

    func place(of input: Input) -> String { "\(inputs).\(input.name)" }

    func place(of output: Output) -> String { "\(outputs).\(output.name)" }

    /// Whether an input is wired, validly or not.
    func has(_ input: Input) -> Bool { has(place(of: input)) }

    /// Whether an output is wired, validly or not.
    func has(_ output: Output) -> Bool { has(place(of: output)) }

    mutating func reportMissing(_ input: Input, _ reason: String) {
        reportMissing(input.name, in: inputs, reason)
    }

    mutating func reportMissing(_ output: Output, _ reason: String) {
        reportMissing(output.name, in: outputs, reason)
    }
}

extension Reader {
    private mutating func checkLinesAreUsedOnce(_ draft: Draft) {
        struct Use: Hashable {
            var chip: ChipSelector?
            var line: LineSelector
        }
        var uses: [(place: String, use: Use)] = []
        for (input, line) in draft.inputs {
            uses.append((place(of: input), Use(chip: line.chip ?? draft.chip, line: line.line)))
        }
        for (output, line) in draft.outputs.mapValues(\.line) {
            uses.append((place(of: output), Use(chip: line.chip ?? draft.chip, line: line.line)))
        }
        uses.removeAll { !isValid("\($0.place).line", "\($0.place).chip") }
        // Looked up once each, to start fast.
        let placed = uses.map { (position: position(of: "\($0.place).line"), line: $0) }
            .sorted { $0.position < $1.position }

        var first: [Use: String] = [:]
        for (place, use) in placed.map(\.line) {
            guard let other = first[use] else {
                first[use] = place
                continue
            }
            report(
                "\(Format.line.write(use.line)) is already the line of '\(other)' at "
                    + "\(position(of: "\(other).line"))",
                at: "\(place).line")
        }
    }

    private mutating func checkSensors() {
        let rotor: [Input] = [.rotorA, .rotorB]
        let beams: [Input] = [.beamA, .beamB]
        let beam = beams.first(where: has)
        if let beam, rotor.contains(where: has) {
            report(
                "the rotor's sensors are wired as well: a gate has either the one pair or the "
                    + "other", at: place(of: beam))
            return
        }
        let pair = beam == nil ? rotor : beams
        for input in pair {
            reportMissing(
                input,
                "it takes two sensors, '\(pair[0].name)' and '\(pair[1].name)', to tell "
                    + "the direction of a passage")
        }
    }

    private mutating func checkFire(_ draft: Draft) {
        let place = place(of: .fire)
        guard let fire = draft.inputs[.fire], isValid("\(place).bias", "\(place).active_low")
        else { return }
        let level: String
        switch (fire.bias, fire.activeLow) {
        case (.pullUp, true): level = "high"
        case (.pullDown, false): level = "low"
        case (.pullUp, false), (.pullDown, true), (.asIs, _), (.disabled, _): return
        }
        report(
            "a broken wire must be an emergency, but with bias \(fire.bias.rawValue) it reads "
                + "\(level), which is inactive here; a loop that closes to ground takes pull_up "
                + "and active_low: false, one that closes to the supply pull_down and "
                + "active_low: true",
            at: "\(place).active_low")
    }

    private mutating func checkFeedback() {
        if has(.lockFeedbackExit) {
            reportMissing(
                .lockExit, "'lock_feedback_exit' is wired, but its lock is missing")
        }
    }
}
