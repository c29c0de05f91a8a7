import System

// The service: its unit, its user, its process.
extension Doctor {
    /// Whether there is a unit, and the program that it starts.
    static func unit(_ facts: Facts) -> [Finding] {
        let name = "unit"
        guard let unit = facts.unit else {
            return [.wrong(name, "there is no turnstiled.service", do: facts.installation)]
        }
        let words = unit["Service", "ExecStart"]?.split(separator: " ") ?? []
        // A sign in front of the path says how it is started.
        guard let program = words.first?.drop(while: { "@-:+!".contains($0) }) else {
            return [
                .wrong(
                    name, "\(unit.path) starts nothing",
                    do: "systemctl unmask turnstiled, or \(facts.installation)")
            ]
        }
        switch facts.root.status(String(program)) {
        case .success(let status) where status.permissions & 0o111 != 0:
            return [.ok(name, "\(unit.path) starts \(program)")]
        case .success:
            return [
                .wrong(name, "\(program) is no program: it may not be run", do: facts.installation)
            ]
        case .failure(let error):
            return [
                .wrong(
                    name, "\(unit.path) starts \(program): \(error.reason)", do: facts.installation)
            ]
        }
    }

    /// Whether unit, program and running service are of one version.
    static func version(_ facts: Facts) -> [Finding] {
        let name = "version"
        guard let unit = facts.unit else {
            return [.unseen(name, "there is no unit", do: "see 'unit'")]
        }
        guard let version = unit["Unit", "X-Version"] else {
            return [
                .warning(
                    name, "\(unit.path) does not say which version it is of", do: facts.installation
                )
            ]
        }
        guard version == facts.version else {
            return [
                .wrong(
                    name, "the unit is of version \(version), this program of \(facts.version)",
                    do: facts.installation)
            ]
        }
        if let running = facts.service?.version, running != facts.version {
            return [
                .warning(
                    name, "version \(running) runs, \(facts.version) is installed",
                    do: "systemctl restart turnstiled, when nobody is in the gate")
            ]
        }
        return [.ok(name, version)]
    }

    /// Whether there is the user as whom the service runs.
    static func user(_ facts: Facts) -> [Finding] {
        let name = "user"
        guard let user = facts.user else {
            return [
                .wrong(
                    name, "there is no user '\(facts.userName)', as whom the service runs",
                    do: "sudo systemd-sysusers turnstiled.conf")
            ]
        }
        return [.ok(name, user.name)]
    }

    /// Whether the service runs.
    static func process(_ facts: Facts) -> [Finding] {
        guard let process = facts.process else {
            guard facts.showsProcesses else {
                return [
                    .unseen(
                        "service", "systemd shows no processes here",
                        do: "run this on the board itself")
                ]
            }
            return [
                .warning(
                    "service", "it does not run",
                    do: "see why: systemctl status turnstiled; or start it: "
                        + "sudo systemctl start turnstiled")
            ]
        }
        return [.ok("service", "runs, PID \(process.number)")]
    }

    /// Whether the service is scheduled in real time, and whether it is to be.
    static func realTime(_ facts: Facts) -> [Finding] {
        let name = "real time"
        guard let unit = facts.unit else {
            return [.unseen(name, "there is no unit", do: "see 'unit'")]
        }
        guard let policy = unit["Service", "CPUSchedulingPolicy"], ["fifo", "rr"].contains(policy)
        else {
            return [
                .wrong(
                    name, "the unit does not ask for it: an edge may wait for other programs",
                    do: "CPUSchedulingPolicy=fifo and CPUSchedulingPriority=50 in the unit")
            ]
        }
        guard let process = facts.process else {
            return [
                .unseen(
                    name, "the unit asks for \(policy), and no service runs",
                    do: "start the service")
            ]
        }
        guard [1, 2].contains(process.schedulingPolicy) else {
            return [
                .wrong(
                    name, "the unit asks for \(policy), and the service does not have it",
                    do: "restart the service; in a container its host must allow it")
            ]
        }
        return [.ok(name, "\(policy), priority \(process.priority)")]
    }

    /// Whether systemd watches the service.
    static func watchdog(_ facts: Facts) -> [Finding] {
        let name = "watchdog"
        guard let unit = facts.unit else {
            return [.unseen(name, "there is no unit", do: "see 'unit'")]
        }
        // Zero, in whatever unit, is off.
        guard let time = unit["Service", "WatchdogSec"],
            time.contains(where: { "123456789".contains($0) })
        else {
            return [
                .wrong(
                    name, "it is off: a service that hangs holds the locks as they are",
                    do: "WatchdogSec=2s in the unit")
            ]
        }
        return [.ok(name, "WatchdogSec=\(time)")]
    }

    /// Whether the bus lets the service have its name.
    static func busPolicy(_ facts: Facts) -> [Finding] {
        let name = "bus policy"
        let folders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d"]
        guard let path = facts.root.first("io.turnstiled1.conf", in: folders) else {
            return [
                .warning(
                    name, "the bus does not let the service have its name io.turnstiled1",
                    do: facts.installation)
            ]
        }
        switch facts.root.text(path) {
        case .success(let text) where text.contains("user=\"\(facts.userName)\""):
            return [.ok(name, path)]
        case .success:
            return [
                .warning(
                    name,
                    "\(path) gives the name io.turnstiled1 to another user than "
                        + "'\(facts.userName)'", do: facts.installation)
            ]
        case .failure(let error): return [.unseen(name, "\(path): \(error.reason)")]
        }
    }
}
