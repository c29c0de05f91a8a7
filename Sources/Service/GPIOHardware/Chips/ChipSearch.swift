import Hardware
import Turnstile

/// Finds the chip that a selector means.
enum ChipSearch {
    struct Finding: Hashable {
        var path: String
        /// The chip there, or why it could not be opened.
        var chip: Result<ChipIdentity, CallFailure>
    }

    static func open(_ selector: ChipSelector) throws(HardwareError) -> Chip {
        switch selector {
        case .path(let path): try open(path)
        case .name(let name): try open("/dev/\(name)")
        case .label(let label): try open(path(ofChipLabelled: label, among: survey()))
        }
    }

    private static func survey() -> [Finding] {
        Chip.paths().map { path in
            Finding(
                path: path,
                chip: Result { () throws(CallFailure) in try Chip(path: path).identity })
        }
    }

    private static func open(_ path: String) throws(HardwareError) -> Chip {
        do {
            return try Chip(path: path)
        } catch {
            throw failure(toOpen: path, error, among: survey())
        }
    }

    static func path(
        ofChipLabelled label: String, among findings: [Finding]
    ) throws(HardwareError) -> String {
        let matches = findings.filter { (try? $0.chip.get())?.label == label }
        if let match = matches.first, matches.count == 1 { return match.path }
        if matches.isEmpty {
            // It may be one that cannot be read yet.
            let areAllKnown = findings.allSatisfy { (try? $0.chip.get()) != nil }
            throw HardwareError(
                areAllKnown ? .missing : .notReady,
                "no GPIO chip is labelled \"\(label)\"\(hint(label, findings)); "
                    + sentence(findings))
        }
        let paths = matches.map(\.path).joined(separator: " and ")
        throw HardwareError(
            .misconfigured, "\(paths) are all labelled \"\(label)\"; select one by its name")
    }

    /// Why `path` could not be opened, with the chips that there are where it is not one.
    static func failure(
        toOpen path: String, _ failure: CallFailure, among findings: [Finding]
    ) -> HardwareError {
        var description = "cannot open \(path): \(failure.call): \(failure.reason)"
        switch failure.kind {
        case .misconfigured: description += " (not a GPIO chip); \(sentence(findings))"
        case .missing:
            let name = String(path.dropFirst(path.hasPrefix("/dev/") ? 5 : 0))
            let isLabel = findings.contains { (try? $0.chip.get())?.label == name }
            if isLabel { description += " (it is a label: {label: \(name)})" }
            description += "; \(sentence(findings))"
        case .notReady, .busy, .failed: description += "; \(sentence(findings))"
        }
        return HardwareError(failure.kind, description)
    }

    /// The chip that was probably meant by an unknown label: one of that name, or with a similar
    /// label.
    private static func hint(_ label: String, _ findings: [Finding]) -> String {
        let chips = findings.compactMap { try? $0.chip.get() }
        if chips.contains(where: { $0.name == label }) {
            return " (it is a name: {name: \(label)})"
        }
        return Spelling.nearest(to: label, among: chips.map(\.label))
            .map { " (did you mean \"\($0)\"?)" } ?? ""
    }

    /// `there are gpiochip0 "a" and gpiochip1 "b"`.
    private static func sentence(_ findings: [Finding]) -> String {
        let chips = findings.map { finding in
            switch finding.chip {
            case .success(let identity): identity.description
            case .failure(let failure): "\(finding.path) (\(failure.call): \(failure.reason))"
            }
        }
        return switch chips.count {
        case 0: "there is no GPIO chip"
        case 1: "the only one is \(chips[0])"
        default:
            "there are \(chips.dropLast().joined(separator: ", ")) and \(chips[chips.count - 1])"
        }
    }
}
