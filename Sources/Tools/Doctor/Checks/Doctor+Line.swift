import GPIOHardware
import Hardware
import Turnstile

// The lines: whether they exist, and who holds them.
extension Doctor {
    /// Whether each line in the settings exists, and no other program holds it.
    static let lines = Check.all("lines") { facts throws(Conclusion) in
        let (wiring, survey) = try facts.wiredLines()
        var withoutChip: [Line] = []
        let findings = Line.all.compactMap { line -> Finding? in
            guard let found = survey.lines[line] else { return nil }
            if case .failure? = survey.chips[wiring.chip(of: line)] {
                withoutChip.append(line)
                return nil
            }
            return Finding("line \(line)", judge(found, facts))
        }
        return findings + unseen("lines", withoutChip, "their chip was not found", do: "see 'chip'")
    }

    /// Reports lines that could not be read, all for one reason; empty if there are none.
    static func unseen(
        _ name: String, _ lines: [Line], _ reason: String, do advice: String
    ) -> [Finding] {
        guard !lines.isEmpty else { return [] }
        let names = lines.map(\.description).joined(separator: ", ")
        return [Finding(name, .unseen("\(reason): \(names)", do: advice))]
    }

    private static func judge(
        _ found: Result<LineSurvey.Found, HardwareError>, _ facts: Facts
    ) -> Conclusion {
        switch found {
        case .failure(let error):
            switch error.kind {
            case .notReady: return .unseen(error.description)
            case .missing, .busy, .misconfigured, .failed:
                return .wrong(
                    error.description, do: "name an existing one: gpioinfo lists them")
            }
        case .success(let found):
            let isOurs = found.isServices
            switch (found.holder, isRunning: facts.process != nil) {
            case (nil, false): return .ok("is \(found.description)")
            case (_?, true) where isOurs:
                return .ok("is \(found.description), held by the service")
            case (nil, true):
                return .warning(
                    "the service runs and does not hold \(found.description)",
                    do: "see its status: systemctl status turnstiled")
            case (let holder?, _):
                return .wrong(
                    "\(found.description) is held by \(title(of: holder))",
                    do: isOurs
                        ? "stop the turnstiled that was started by hand"
                        : "end that program, or take its driver out of the device tree")
            }
        }
    }

    private static func title(of holder: String) -> String {
        holder.isEmpty ? "an unnamed program" : "\"\(holder)\""
    }

    static let libgpiod = Check("libgpiod") { facts in
        let capabilities = facts.capabilities
        let lacks = [
            capabilities.debounces ? nil : "does not debounce, so the service does",
            capabilities.detectsLostEdges ? nil : "does not detect lost edges",
        ].compactMap { $0 }
        guard !lacks.isEmpty else { return .ok(capabilities.name) }
        return .warning(
            "\(capabilities.name) \(lacks.joined(separator: ", and "))",
            do: "it works; libgpiod 2 does more, and Debian 13 has it")
    }

    /// Whether the kernel stamps edges with the monotonic clock.
    static let kernel = Check("kernel") { facts in
        facts.stampsEdgesMonotonic
            ? .ok("Linux \(facts.kernel)")
            : .wrong(
                "Linux \(facts.kernel) stamps edges with the clock on the wall",
                do: "libgpiod 1.6 needs Linux 5.7 or later: update the kernel")
    }
}
