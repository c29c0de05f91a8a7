import GPIOHardware
import Hardware
import System

// The chips: whether they exist, and who may open them.
extension Doctor {
    /// Whether there is any chip.
    static let devices = Check("device") { facts in
        let paths = facts.devices.keys.sorted()
        guard !paths.isEmpty else {
            return .wrong(
                "there is no /dev/gpiochip*",
                do: "this board has no GPIO lines, or their driver is not loaded: journalctl -k")
        }
        return .ok(paths.joined(separator: ", "))
    }

    /// Whether the service may open them, and no other user but root.
    static let deviceAccess = Check.all("device access") { facts throws(Conclusion) in
        guard !facts.devices.isEmpty else {
            throw .unseen("there is no device", do: "see 'device'")
        }
        guard let user = facts.user else {
            throw .unseen("there is no user '\(facts.userName)'", do: "see 'user'")
        }
        let complaints = facts.devices.sorted { $0.key < $1.key }.compactMap { path, status in
            complaint(path, status, user, facts)
        }
        if complaints.isEmpty { throw .ok("\(user.name) alone, but for root") }
        return complaints.map { Finding("device access", $0) }
    }

    private static func complaint(
        _ path: String, _ status: FileStatus, _ user: Accounts.User, _ facts: Facts
    ) -> Conclusion? {
        let rule = """
            install the udev rule, then: sudo udevadm control --reload; \
            sudo udevadm trigger --subsystem-match=gpio
            """
        let shown = """
            \(path) is \(facts.accounts.userName(status.owner)):\
            \(facts.accounts.groupName(status.group)) \(String(status.permissions, radix: 8))
            """
        guard mayOpen(status, user, facts) else {
            return .wrong("\(shown): \(user.name) may not open it", do: rule)
        }
        if status.permissions & 0o006 != 0 {
            return .warning("\(shown): everybody may take the lines", do: rule)
        }
        let others = facts.accounts.members(of: status.group, but: user)
        if status.permissions & 0o060 != 0, !others.isEmpty {
            return .warning(
                "\(shown): so may \(others.joined(separator: ", "))",
                do: "these users can open the gate: "
                    + "sudo gpasswd -d \(others[0]) \(facts.accounts.groupName(status.group))")
        }
        return nil
    }

    private static func mayOpen(
        _ status: FileStatus, _ user: Accounts.User, _ facts: Facts
    ) -> Bool {
        // The first match decides, as in the kernel.
        if user.number == 0 { return true }
        if status.owner == user.number { return status.permissions & 0o600 == 0o600 }
        if facts.accounts.groups(of: user).contains(status.group) {
            return status.permissions & 0o060 == 0o060
        }
        return status.permissions & 0o006 == 0o006
    }

    /// Whether a udev rule gives the chips to the service at each boot.
    static let udevRule = Check("udev rule") { facts in
        let advice = facts.installation
        guard let path = facts.root.first("60-turnstiled.rules", in: Root.folders("udev/rules.d"))
        else { return .wrong("there is no 60-turnstiled.rules", do: advice) }
        // Group= owns the service's files; the supplementary group has the chips.
        let group =
            facts.unit?["Service", "SupplementaryGroups"] ?? facts.unit?["Service", "Group"]
            ?? facts.userName
        switch facts.root.text(path) {
        case .success(let text) where text.contains("GROUP:=\"\(group)\""): return .ok(path)
        case .success:
            return .wrong("\(path) does not give the chips to the group '\(group)'", do: advice)
        case .failure(let error): return .unseen(path, error)
        }
    }

    /// Whether the chips in the settings exist.
    static let chips = Check.all("chip") { facts throws(Conclusion) in
        guard let survey = facts.survey else { throw .unknownWiring }
        return survey.chips.map { selector, chip in
            let conclusion: Conclusion =
                switch chip {
                case .success(let description): .ok(description)
                case .failure(let error) where error.kind == .notReady: .unseen(error.description)
                case .failure(let error):
                    .wrong(
                        error.description, do: "name an existing one: gpiodetect lists them")
                }
            return Finding("chip \(selector.text)", conclusion)
        }.sorted { $0.name < $1.name }
    }
}

extension ChipSelector {
    /// The chip's label, name or path.
    fileprivate var text: String {
        switch self {
        case .label(let text), .name(let text), .path(let text): text
        }
    }
}
