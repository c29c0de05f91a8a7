import GPIOHardware
import Hardware
import Turnstile

// The lines' levels.
extension Doctor {
    /// Whether each input is at rest.
    static let inputs = Check.all("inputs") { facts throws(Conclusion) in
        let (wiring, survey) = try facts.wiredLines()
        var unread: [Line] = []
        let findings = Input.allCases.compactMap { input -> Finding? in
            guard let wired = wiring.inputs[input] else { return nil }
            let found = try? survey.lines[.input(input)]?.get()
            guard let isActive = facts.service?.levels[.input(input)] ?? found?.isActive else {
                unread.append(.input(input))
                return nil
            }
            return Finding(
                "input \(input.name)", judge(input, wired, isActive: isActive, facts))
        }
        return findings
            + (facts.process == nil
                ? unseen(
                    "inputs", unread, "they were not read",
                    do: "try --read-inputs, which requests them briefly")
                : unseen(
                    "inputs", unread, "the service holds them, and was not asked",
                    do: "ask it: turnstilectl status"))
    }

    private static func judge(
        _ input: Input, _ wired: InputLine, isActive: Bool, _ facts: Facts
    ) -> Conclusion {
        let level = isActive == wired.activeLow ? "low" : "high"
        let state = "\(isActive ? "active" : "inactive") (the line is \(level))"
        guard isActive != input.isActiveAtRest(facts) else { return .ok("at rest: \(state)") }
        return input == .fire
            ? .wrong("not at rest: \(state)", do: input.entry.advice)
            : .warning("not at rest: \(state)", do: input.entry.advice)
    }

    /// The level of each output, and its safe level.
    static let outputs = Check.all("outputs") { facts throws(Conclusion) in
        let (wiring, survey) = try facts.wiredLines()
        var (unknown, held): ([Line], [Line]) = ([], [])
        let findings = Output.allCases.compactMap { output -> Finding? in
            guard let wired = wiring.outputs[output] else { return nil }
            let name = "output \(output.name)"
            let safe = "its safe level is \(wired.activeLow ? "high" : "low")"
            if let isEnergised = facts.service?.levels[.output(output)] {
                let level = isEnergised == wired.activeLow ? "low" : "high"
                let state = isEnergised ? "energised" : "de-energised"
                return Finding(name, .ok("\(state) (the line is \(level)); \(safe)"))
            }
            guard let found = try? survey.lines[.output(output)]?.get() else {
                unknown.append(.output(output))
                return nil
            }
            guard found.holder == nil else {
                held.append(.output(output))
                return nil
            }
            guard found.isOutput else { return Finding(name, .ok("not driven; \(safe)")) }
            return Finding(
                name,
                .unseen(
                    "it is left as it was driven last; \(safe)",
                    do: "sudo turnstiled --safe-state drives it there"))
        }
        return findings
            + unseen("outputs", unknown, "they were not found", do: "see 'line' and 'chip'")
            + unseen(
                "outputs", held, "they are in use, and were not read",
                do: "ask the service: turnstilectl status")
    }
}

extension Input {
    /// Whether the input is active at an idle gate without faults.
    fileprivate func isActiveAtRest(_ facts: Facts) -> Bool {
        guard let way = Direction.allCases.first(where: { $0.lockFeedback == self }) else {
            return entry.isActiveAtRest
        }
        return Self.isOpen([way.lock, way.holdingCoil], facts)
    }

    /// Whether the lock of these coils should be open, by their levels.
    private static func isOpen(_ coils: [Output], _ facts: Facts) -> Bool {
        let isEnergised = coils.contains { facts.service?.levels[.output($0)] == true }
        let opensWithoutPower = facts.wiring?.outputs[coils[0]]?.powerLoss == .failSafe
        return isEnergised != opensWithoutPower
    }
}
