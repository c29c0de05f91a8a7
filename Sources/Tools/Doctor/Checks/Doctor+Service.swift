import System

// The service: its unit, its user, its process.
extension Doctor {
    /// Whether the unit and its program exist.
    static let unit = Check("unit") { facts in
        guard let unit = facts.unit else {
            return .wrong("there is no turnstiled.service", do: facts.installation)
        }
        let words = unit["Service", "ExecStart"]?.split(separator: " ") ?? []
        // The path may have a prefix of systemd's: see systemd.service(5).
        guard let program = words.first?.drop(while: { "@-:+!".contains($0) }) else {
            return .wrong(
                "\(unit.path) starts nothing",
                do: "systemctl unmask turnstiled, or \(facts.installation)")
        }
        return switch facts.root.status(String(program)) {
        case .success(let status) where status.permissions & 0o111 != 0:
            .ok("\(unit.path) starts \(program)")
        case .success:
            .wrong("\(program) is no program: it may not be run", do: facts.installation)
        case .failure(let error):
            .wrong("\(unit.path) starts \(program): \(error.reason)", do: facts.installation)
        }
    }

    /// Whether unit, program and running service have the same version.
    static let version = Check("version") { facts throws(Conclusion) in
        let unit = try facts.installedUnit()
        guard let version = unit["Unit", "X-Version"] else {
            return .warning(
                "\(unit.path) does not say which version it is of", do: facts.installation)
        }
        guard version == facts.version else {
            return .wrong(
                "the unit is of version \(version), this program of \(facts.version)",
                do: facts.installation)
        }
        if let running = facts.service?.version, running != facts.version {
            return .warning(
                "version \(running) runs, \(facts.version) is installed",
                do: "systemctl restart turnstiled, when nobody is in the gate")
        }
        return .ok(version)
    }

    /// Whether the service's user exists.
    static let user = Check("user") { facts in
        guard let user = facts.user else {
            return .wrong(
                "there is no user '\(facts.userName)', as whom the service runs",
                do: "sudo systemd-sysusers turnstiled.conf")
        }
        return .ok(user.name)
    }

    static let process = Check("service") { facts in
        if let process = facts.process { return .ok("runs, PID \(process.number)") }
        guard facts.showsProcesses else {
            return .unseen("systemd shows no processes here", do: "run this on the board itself")
        }
        return .warning(
            "it does not run",
            do: "see why: systemctl status turnstiled; or start it: "
                + "sudo systemctl start turnstiled")
    }

    /// Whether the unit asks for real-time scheduling, and the service has it.
    static let realTime = Check("real time") { facts throws(Conclusion) in
        let unit = try facts.installedUnit()
        guard let policy = unit["Service", "CPUSchedulingPolicy"], ["fifo", "rr"].contains(policy)
        else {
            return .wrong(
                "the unit does not ask for it: an edge may wait for other programs",
                do: "CPUSchedulingPolicy=fifo and CPUSchedulingPriority=50 in the unit")
        }
        guard let process = facts.process else {
            return .unseen(
                "the unit asks for \(policy), and no service runs", do: "start the service")
        }
        guard [1, 2].contains(process.schedulingPolicy) else {
            return .wrong(
                "the unit asks for \(policy), and the service does not have it",
                do: "restart the service; in a container its host must allow it")
        }
        return .ok("\(policy), priority \(process.priority)")
    }

    /// Whether systemd watches the service.
    static let watchdog = Check("watchdog") { facts throws(Conclusion) in
        let unit = try facts.installedUnit()
        // Zero, in any unit of time, is off.
        guard let time = unit["Service", "WatchdogSec"],
            time.contains(where: { "123456789".contains($0) })
        else {
            return .wrong(
                "it is off: a service that hangs holds the locks as they are",
                do: "WatchdogSec=2s in the unit")
        }
        return .ok("WatchdogSec=\(time)")
    }

    /// Whether the bus allows the service its name.
    static let busPolicy = Check("bus policy") { facts in
        let folders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d"]
        guard let path = facts.root.first("io.turnstiled1.conf", in: folders) else {
            return .warning(
                "the bus does not let the service have its name io.turnstiled1",
                do: facts.installation)
        }
        return switch facts.root.text(path) {
        case .success(let text) where text.contains("user=\"\(facts.userName)\""): .ok(path)
        case .success:
            .warning(
                "\(path) gives the name io.turnstiled1 to another user than '\(facts.userName)'",
                do: facts.installation)
        case .failure(let error): .unseen(path, error)
        }
    }
}
