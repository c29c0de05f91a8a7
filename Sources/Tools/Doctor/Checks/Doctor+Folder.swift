import System

// The service's folders, without which it starts as well.
extension Doctor {
    /// The folder of files that outlive a boot.
    static let stateFolder = Check("state folder") { facts throws(Conclusion) in
        try folder("State", in: "/var/lib", facts)
    }

    /// The folder of files that last until the next boot.
    static let runtimeFolder = Check("runtime folder") { facts throws(Conclusion) in
        try folder("Runtime", in: "/run", facts)
    }

    private static let remedy = "sudo systemd-tmpfiles --create turnstiled.conf"
    private static let restart = "systemctl restart turnstiled, when nobody is in the gate"

    private static func folder(
        _ kind: String, in parent: String, _ facts: Facts
    ) throws(Conclusion) -> Conclusion {
        let unit = try facts.installedUnit()
        let variable = "TURNSTILED_\(kind.uppercased())_DIRECTORY"
        // A drop-in may have systemd make and name another one.
        let made = unit["Service", "\(kind)Directory"]?.split(separator: " ").first
        guard let path = made.map({ "\(parent)/\($0)" }) ?? unit.environment[variable] else {
            return .wrong(
                "the unit has no \(variable)=: its files are not kept",
                do: "Environment=\(variable)=\(parent)/turnstiled in the unit")
        }
        switch facts.root.status(path) {
        case .success(let status): return try judge(path, status, facts)
        case .failure(let error) where error.meansAbsence:
            return facts.process == nil
                ? .warning("there is no \(path) yet", do: remedy)
                : .wrong(
                    "there is no \(path), and the service runs without",
                    do: "\(remedy); then \(restart)")
        case .failure(let error): return .unseen(path, error)
        }
    }

    private static func judge(
        _ path: String, _ status: FileStatus, _ facts: Facts
    ) throws(Conclusion) -> Conclusion {
        let user = try facts.owner()
        guard status.kind == .folder else {
            return .wrong("\(path) is no folder", do: "move it away; \(remedy); then \(restart)")
        }
        if let unit = Mounts(root: facts.root("")).missingUnit(of: path) {
            return .wrong(
                "the disk of \(path) is not mounted",
                do: "see why: systemctl status '\(unit)'; and mount it")
        }
        guard status.owner == user.number else {
            return .wrong(
                "\(path) belongs to \(facts.accounts.userName(status.owner))",
                do: "sudo chown -R \(user.name):\(facts.groupName) \(path)")
        }
        guard status.permissions & 0o002 == 0 else {
            return .wrong("everybody may write into \(path)", do: "sudo chmod o-w \(path)")
        }
        return .ok("\(path), of \(user.name)")
    }

    /// Directives whose failure, such as a missing disk, prevents the start of the service.
    private static let asked = [
        ("Unit", ["Requires", "Requisite", "BindsTo", "RequiresMountsFor"]),
        (
            "Service",
            [
                "StateDirectory", "RuntimeDirectory", "CacheDirectory", "LogsDirectory",
                "ConfigurationDirectory", "PrivateTmp", "PrivateUsers", "LoadCredential",
                "LoadCredentialEncrypted", "ExecStartPre", "EnvironmentFile",
            ]
        ),
    ]

    /// Whether the unit has no directive that can prevent the start.
    static let unitNeeds = Check("unit needs") { facts throws(Conclusion) in
        let unit = try facts.installedUnit()
        let keys = asked.flatMap { section, keys in
            keys.filter { key in
                guard let value = unit[section, key] else { return false }
                // With a "-" before it, it may be missing.
                return !["no", "false", "off", "0"].contains(value) && !value.hasPrefix("-")
            }
        }
        guard keys.isEmpty else {
            let names = keys.map { "\($0)=" }.joined(separator: ", ")
            return .warning(
                "the unit asks for \(names): where it cannot be had, nothing starts",
                do: "systemctl cat turnstiled; docs/operations.md says what to write instead")
        }
        return .ok("nothing that a disk has to hold")
    }
}
