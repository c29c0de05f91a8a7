import System

// The folders that the unit makes.
extension Doctor {
    /// Whether the folder is there that lasts for good.
    static func stateFolder(_ facts: Facts) -> [Finding] {
        [folder("state folder", "StateDirectory", in: "/var/lib", facts)]
    }

    /// Whether the folder is there that lasts until the next boot.
    static func runtimeFolder(_ facts: Facts) -> [Finding] {
        [folder("runtime folder", "RuntimeDirectory", in: "/run", facts)]
    }

    private static func folder(
        _ name: String, _ key: String, in parent: String, _ facts: Facts
    ) -> Finding {
        guard let unit = facts.unit else {
            return .unseen(name, "there is no unit", do: "see 'unit'")
        }
        guard let value = unit["Service", key]?.split(separator: " ").first else {
            return .wrong(
                name, "the unit has no \(key)=: what it is for is not kept",
                do: "\(key)=turnstiled in the unit")
        }
        let path = "\(parent)/\(value)"
        switch facts.root.status(path) {
        case .success(let status): return judge(name, path, status, facts)
        case .failure(let error) where error.meansAbsence:
            return facts.process == nil
                ? .warning(name, "there is no \(path) yet", do: "systemd makes it at the start")
                : .wrong(
                    name, "there is no \(path), and the service runs",
                    do: "systemctl restart turnstiled, when nobody is in the gate")
        case .failure(let error): return .unseen(name, "\(path): \(error.reason)")
        }
    }

    private static func judge(
        _ name: String, _ path: String, _ status: FileStatus, _ facts: Facts
    ) -> Finding {
        guard let user = facts.user else {
            return .unseen(
                name, "there is no user '\(facts.userName)' who could own it",
                do: "see 'user'")
        }
        guard status.kind == .folder else {
            return .wrong(name, "\(path) is no folder", do: "remove it, and start the service")
        }
        guard status.owner == user.number else {
            return .wrong(
                name, "\(path) belongs to \(facts.accounts.userName(status.owner))",
                do: "sudo chown \(user.name): \(path)")
        }
        guard status.permissions & 0o002 == 0 else {
            return .wrong(
                name, "everybody may write into \(path)", do: "sudo chmod o-w \(path)")
        }
        return .ok(name, "\(path), of \(user.name)")
    }
}
