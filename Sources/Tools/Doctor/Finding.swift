import System
import Turnstile

/// How a check came out.
public enum Verdict: String, CaseIterable, Comparable, Sendable {
    /// All is as it should be.
    case ok
    /// The gate works, and somebody should look; or it could not be seen.
    case warning
    /// The gate does not work, or not as it is meant to.
    case wrong

    /// Whether `a` is the better of the two.
    public static func < (a: Verdict, b: Verdict) -> Bool { a.exitCode < b.exitCode }

    /// What a program ends with whose worst finding this is.
    public var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .warning: 1
        case .wrong: 2
        }
    }
}

/// What one check has found.
public struct Finding: Hashable, Sendable {
    /// What was looked at: `udev rule`, `line coin_pulse`.
    public var name: String
    /// How it came out.
    public var verdict: Verdict
    /// What is there, in words that follow the name.
    public var found: String
    /// What to do; nil where there is nothing to do.
    public var advice: String?
    /// Why it could not be looked at; nil where it was.
    var reason: String?

    /// All is as it should be.
    static func ok(_ name: String, _ found: String) -> Finding {
        Finding(name: name, verdict: .ok, found: found)
    }

    /// Somebody should look.
    static func warning(_ name: String, _ found: String, do advice: String) -> Finding {
        Finding(name: name, verdict: .warning, found: found, advice: advice)
    }

    /// It does not work.
    static func wrong(_ name: String, _ found: String, do advice: String) -> Finding {
        Finding(name: name, verdict: .wrong, found: found, advice: advice)
    }

    /// It could not be seen, for this reason.
    static func unseen(
        _ name: String, _ reason: String, do advice: String = "run this as root"
    ) -> Finding {
        var finding = warning(name, "not checked: \(reason)", do: advice)
        finding.reason = reason
        return finding
    }

    /// The finding in JSON.
    public var json: JSONObject {
        JSONObject([
            "name": .text(name), "verdict": .text(verdict.rawValue), "found": .text(found),
            "advice": advice.map { .text($0) },
        ])
    }
}

/// All that was found.
public struct Report: Hashable, Sendable {
    /// The findings, in the order of the checks.
    public let findings: [Finding]

    /// A report of these.
    public init(_ findings: [Finding]) { self.findings = findings }

    /// The worst of them.
    public var verdict: Verdict { findings.map(\.verdict).max() ?? .ok }

    /// What a program ends with that reports this: 0, 1 with warnings, 2 where something is wrong.
    public var exitCode: Int32 { verdict.exitCode }

    /// The findings, of which those are one that could not be looked at for the same reason.
    private var lines: [Finding] {
        var names: [Finding: [String]] = [:]
        func blank(_ finding: Finding) -> Finding {
            var finding = finding
            finding.name = "not checked"
            return finding
        }
        for finding in findings where finding.reason != nil {
            names[blank(finding), default: []].append(finding.name)
        }
        return findings.compactMap { finding in
            guard let reason = finding.reason, let names = names[blank(finding)], names.count > 1
            else { return finding }
            guard finding.name == names[0] else { return nil }
            var line = blank(finding)
            line.found = "\(names.joined(separator: ", ")): \(reason)"
            return line
        }
    }

    /// How many lines there are of each kind: `1 wrong, 2 warnings, 24 ok`.
    private var summary: String {
        let counts = Verdict.allCases.reversed().map { verdict in
            let count = lines.count { $0.verdict == verdict }
            return "\(count) \(verdict)\(verdict == .warning && count != 1 ? "s" : "")"
        }
        return counts.joined(separator: ", ")
    }

    /// The report as an object of JSON, on one line: the verdict, and each finding.
    public var json: String {
        JSONObject(texts: [
            ("verdict", "\(FieldValue.text(verdict.rawValue))"),
            ("findings", findings.map(\.json).json),
        ]).description
    }
}

extension Report: CustomStringConvertible {
    /// A line for each finding, its advice below it, and how many there are at the end. What could
    /// not be looked at for one reason is one line.
    public var description: String {
        let found = lines
        let width = found.map(\.name.count).max() ?? 0
        let margin = String(repeating: " ", count: 9 + width + 2)
        let lines = found.map { finding in
            let line =
                padded(finding.verdict.rawValue, to: 9) + padded(finding.name, to: width + 2)
                + finding.found
            return finding.advice.map { "\(line)\n\(margin)-> \($0)" } ?? line
        }
        return (lines + [summary]).map { "\($0)\n" }.joined()
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
