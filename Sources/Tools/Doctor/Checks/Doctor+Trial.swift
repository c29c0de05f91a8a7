import GPIOHardware
import Hardware
import Settings
import Turnstile

// The level of outputs that are released.
extension Doctor {
    private static let letGo = "outputs let go"

    /// Whether each output stays at its safe level once it is released, if requested.
    static let outputsLetGo = Check.all(letGo) { facts throws(Conclusion) in
        guard facts.triesOutputs else { return [] }
        let (wiring, survey) = try facts.wiredLines()
        if let objection = facts.objectionToTrial {
            throw .unseen(objection.reason, do: objection.advice)
        }
        var (unknown, held): ([Line], [Line]) = ([], [])
        var (energised, fallen, kept): ([Line], [Line], [Line]) = ([], [], [])
        for output in Output.allCases where wiring.outputs[output] != nil {
            let line = Line.output(output)
            guard let found = try? survey.lines[line]?.get() else {
                unknown.append(line)
                continue
            }
            guard let letGo = found.letGo else {
                held.append(line)
                continue
            }
            switch (letGo.isEnergised, isOutput: letGo.isOutput) {
            case (true, _): energised.append(line)
            case (false, true): kept.append(line)
            case (false, false): fallen.append(line)
            }
        }
        return unseen(letGo, unknown, "they could not be taken", do: "see 'line' and 'chip'")
            + unseen(letGo, held, "they are in use", do: "see 'line'")
            + findings(energised) {
                .wrong("released, their level energises: \($0)", do: adviceIfEnergised)
            }
            + findings(fallen) {
                .warning(
                    "released, they are inputs, at the safe level now: \($0)", do: adviceIfFallen)
            }
            + findings(kept) { .ok("the kernel keeps them at their safe level: \($0)") }
    }

    private static func findings(
        _ lines: [Line], as conclusion: (String) -> Conclusion
    ) -> [Finding] {
        if lines.isEmpty { return [] }
        return [Finding(letGo, conclusion(lines.map(\.description).joined(separator: ", ")))]
    }

    private static let adviceIfEnergised =
        "fit a resistor to the safe level, or take pins that are at it by themselves: "
        + "docs/installation.md, 'Lines'"
    private static let adviceIfFallen =
        "what holds them there is the board outside: see that a resistor, or the driver's own "
        + "input, does"
}

extension Facts {
    /// Why outputs must not be tried now, and what to do; nil if they may.
    var objectionToTrial: (reason: String, advice: String)? {
        if process != nil || service != nil {
            return (
                "a service runs, and drives them",
                "while nobody is at the gate: sudo systemctl stop turnstiled"
            )
        }
        if let inForce, inForce.settings.wiring != wiring {
            return (
                "the service had another wiring when it ran last, and perhaps other safe levels",
                "start the service with these settings, then stop it"
            )
        }
        return nil
    }
}
