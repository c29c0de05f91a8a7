import System
import Turnstile

/// The result of a check.
public enum Verdict: String, CaseIterable, Comparable, Sendable {
    case ok
    /// The gate works, but should be inspected; or the check could not be made.
    case warning
    /// The gate does not work, or not as it is meant to.
    case wrong

    public static func < (a: Verdict, b: Verdict) -> Bool { a.exitCode < b.exitCode }

    /// The exit code of a program whose worst finding this is.
    public var exitCode: Int32 {
        switch self {
        case .ok: 0
        case .warning: 1
        case .wrong: 2
        }
    }
}

/// The conclusion about one thing. A check that cannot continue throws it.
struct Conclusion: Error, Hashable {
    var verdict: Verdict
    /// A phrase that follows the name.
    var found: String
    /// What to do, if anything.
    var advice: String?
    /// Why it was not checked; nil if it was.
    var reason: String?

    static func ok(_ found: String) -> Conclusion { Conclusion(verdict: .ok, found: found) }

    static func warning(_ found: String, do advice: String) -> Conclusion {
        Conclusion(verdict: .warning, found: found, advice: advice)
    }

    static func wrong(_ found: String, do advice: String) -> Conclusion {
        Conclusion(verdict: .wrong, found: found, advice: advice)
    }

    static func unseen(_ reason: String, do advice: String = "run this as root") -> Conclusion {
        Conclusion(
            verdict: .warning, found: "not checked: \(reason)", advice: advice, reason: reason)
    }
}

/// The conclusion about a named thing.
public struct Finding: Hashable, Sendable {
    /// `udev rule`, `line coin_pulse`.
    public var name: String
    var conclusion: Conclusion

    init(_ name: String, _ conclusion: Conclusion) {
        (self.name, self.conclusion) = (name, conclusion)
    }

    public var verdict: Verdict { conclusion.verdict }
    /// A phrase that follows the name.
    public var found: String { conclusion.found }
    /// What to do, if anything.
    public var advice: String? { conclusion.advice }

    var json: JSON {
        .object([
            ("name", .text(name)), ("verdict", .text(verdict.rawValue)), ("found", .text(found)),
            ("advice", advice.map { .text($0) }),
        ])
    }
}

public struct Report: Hashable, Sendable {
    /// The findings, in the order of the checks.
    public let findings: [Finding]

    public init(_ findings: [Finding]) { self.findings = findings }

    public var verdict: Verdict { findings.map(\.verdict).max() ?? .ok }

    /// The exit code of a program that prints this: 0, 1 with warnings, 2 if something is wrong.
    public var exitCode: Int32 { verdict.exitCode }

    /// The findings; those not checked for the same reason are merged.
    private var lines: [Finding] {
        var names: [Conclusion: [String]] = [:]
        for finding in findings where finding.conclusion.reason != nil {
            names[finding.conclusion, default: []].append(finding.name)
        }
        return findings.compactMap { finding in
            var conclusion = finding.conclusion
            guard let reason = conclusion.reason, let names = names[conclusion], names.count > 1
            else { return finding }
            guard finding.name == names[0] else { return nil }
            conclusion.found = "\(names.joined(separator: ", ")): \(reason)"
            return Finding("not checked", conclusion)
        }
    }

    /// `1 wrong, 2 warnings, 24 ok`.
    private var summary: String {
        let counts = Verdict.allCases.reversed().map { verdict in
            let count = lines.count { $0.verdict == verdict }
            return "\(count) \(verdict)\(verdict == .warning && count != 1 ? "s" : "")"
        }
        return counts.joined(separator: ", ")
    }

    public var json: String {
        JSON.object([
            ("verdict", .text(verdict.rawValue)), ("findings", .array(findings.map(\.json))),
        ]).description
    }
}

extension Report: CustomStringConvertible {
    /// A line for each finding, its advice below it, and the summary.
    public var description: String {
        let found = lines
        let width = found.map(\.name.count).max() ?? 0
        let margin = String(repeating: " ", count: 9 + width + 2)
        let lines = found.map { finding in
            let line =
                finding.verdict.rawValue.padded(to: 9) + finding.name.padded(to: width + 2)
                + finding.found
            return finding.advice.map { "\(line)\n\(margin)-> \($0)" } ?? line
        }
        return (lines + [summary]).map { "\($0)\n" }.joined()
    }
}
