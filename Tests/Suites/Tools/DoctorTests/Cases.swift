import Foundation
import GPIOHardware
import Hardware
import System
import Testing
import Turnstile

@testable import Doctor

/// One thing that is not as it should be, and what is to be said of it.
struct Case: Sendable, CustomTestStringConvertible {
    /// What is broken.
    let testDescription: String
    /// The finding that tells of it.
    let name: String
    let verdict: Verdict
    /// A part of what it says.
    let found: String
    /// Breaks it on the machine's disk.
    let disk: @Sendable (Machine) throws -> Void
    /// Breaks it in what else is known of the machine.
    let facts: @Sendable (inout Facts) -> Void

    init(
        _ description: String, _ name: String, _ verdict: Verdict, _ found: String,
        disk: @escaping @Sendable (Machine) throws -> Void = { _ in },
        facts: @escaping @Sendable (inout Facts) -> Void = { _ in }
    ) {
        testDescription = description
        self.name = name
        self.verdict = verdict
        self.found = found
        self.disk = disk
        self.facts = facts
    }

    static let all =
        settings + service + folders + devices + lines + levels + trial + ledger + keeping + journal
        + clock
}

// Settings.
extension Case {
    static let settings = [
        Case(
            "no settings", "settings", .wrong, "No such file",
            disk: { machine in
                try machine.remove(Machine.settings)
            }),
        Case(
            "a mistake in the settings", "settings", .wrong,
            "/etc/turnstiled/turnstiled.yaml:8:15:",
            disk: { machine in
                try machine.replace("price: 150", with: "price: 1.50", in: Machine.settings)
            }),
        Case(
            "a setting that is rarely meant", "settings", .warning, "is in memory",
            disk: { machine in
                for file in [Machine.settings, Machine.kept] {
                    try machine.replace(
                        "\nhardware:", with: "\nledger: {path: /run/l.db}\nhardware:", in: file)
                }
            }),
        Case(
            "a policy that was not reloaded", "settings in force", .warning, "fare.price",
            disk: { machine in
                try machine.replace("price: 150", with: "price: 200", in: Machine.settings)
            }),
        Case(
            "settings in force that nobody may read", "settings in force", .warning,
            "cannot be read", facts: { $0.inForce = nil }),
    ]

    static let service = [
        Case(
            "no unit", "unit", .wrong, "no turnstiled.service",
            disk: { machine in
                try machine.remove(Machine.unit)
            }),
        Case(
            "a masked unit", "unit", .wrong, "starts nothing",
            disk: { machine in
                try machine.write("", to: "etc/systemd/system/turnstiled.service")
            }),
        Case(
            "no program", "unit", .wrong, "No such file",
            disk: { machine in
                try machine.remove("usr/local/bin/turnstiled")
            }),
        Case(
            "a program that may not be run", "unit", .wrong, "is no program",
            disk: { machine in
                try machine.setMode(0o644, of: "usr/local/bin/turnstiled")
            }),
        Case(
            "a unit of another version", "version", .wrong, "of version 1.0.0",
            disk: { machine in
                try machine.replace("X-Version=1.2.3", with: "X-Version=1.0.0", in: Machine.unit)
            }),
        Case(
            "a unit of no version", "version", .warning, "does not say",
            disk: { machine in
                try machine.replace("X-Version=1.2.3", with: "", in: Machine.unit)
            }),
        Case(
            "a service that was not restarted", "version", .warning, "1.2.2 runs",
            facts: { $0.service?.version = "1.2.2" }),
        Case(
            "no user", "user", .wrong, "no user 'turnstiled'",
            disk: { machine in
                try machine.write("root:x:0:0::/:/bin/sh\n", to: "etc/passwd")
            }),
        Case(
            "no service", "service", .warning, "does not run",
            disk: { machine in
                try machine.remove(Machine.processes)
            }),
        Case(
            "no systemd", "service", .warning, "shows no processes",
            disk: { machine in
                try machine.remove("sys")
            }),
        Case(
            "another process", "service", .warning, "does not run",
            disk: { machine in
                try machine.write(Machine.stat(policy: 1, name: "sh"), to: Machine.stat)
            }),
        Case(
            "a drop-in without urgency", "real time", .wrong, "does not ask",
            disk: { machine in
                try machine.write(
                    "[Service]\nCPUSchedulingPolicy=\n",
                    to: "etc/systemd/system/turnstiled.service.d/50-own.conf")
            }),
        Case(
            "urgency that was not granted", "real time", .wrong, "does not have",
            disk: { machine in
                try machine.write(Machine.stat(policy: 0), to: Machine.stat)
            }),
        Case(
            "urgency that cannot be seen", "real time", .warning, "no service",
            disk: { machine in
                try machine.remove(Machine.processes)
            }),
        Case(
            "no watchdog", "watchdog", .wrong, "off",
            disk: { machine in
                try machine.replace("WatchdogSec=2s", with: "WatchdogSec=0", in: Machine.unit)
            }),
        Case(
            "no policy of the bus", "bus policy", .warning, "io.turnstiled1",
            disk: { machine in
                try machine.remove(Machine.policy)
            }),
        Case(
            "a policy for another", "bus policy", .warning, "another user",
            disk: { machine in
                try machine.replace("turnstiled\">", with: "other\">", in: Machine.policy)
            }),
    ]

    static let folders = [
        Case(
            "no state folder", "state folder", .wrong, "there is no /var/lib",
            disk: { machine in
                try machine.remove("var/lib/turnstiled")
            }),
        Case(
            "no state folder yet", "state folder", .warning, "yet",
            disk: { machine in
                try machine.remove("var/lib/turnstiled")
                try machine.remove(Machine.processes)
            }),
        Case(
            "a file in its place", "state folder", .wrong, "is no folder",
            disk: { machine in
                try machine.remove("var/lib/turnstiled")
                try machine.write("", to: "var/lib/turnstiled")
            }),
        Case(
            "a folder of another", "state folder", .wrong, "belongs to",
            disk: { machine in
                try machine.write("turnstiled:x:\(geteuid() + 1):990::/:\n", to: "etc/passwd")
            }),
        Case(
            "a folder for everybody", "runtime folder", .wrong, "everybody",
            disk: { machine in
                try machine.setMode(0o777, of: "run/turnstiled")
            }),
        Case(
            "a unit without the folder", "runtime folder", .wrong, "has no TURNSTILED_RUNTIME",
            disk: { machine in
                try machine.replace(
                    "Environment=TURNSTILED_RUNTIME_DIRECTORY=/run/turnstiled", with: "",
                    in: Machine.unit)
            }),
        Case(
            "a disk that is not mounted", "state folder", .wrong,
            "the disk of /var/lib/turnstiled is not mounted",
            disk: { machine in
                try machine.write("", to: "run/systemd/generator/var-lib-turnstiled.mount")
            }),
        Case(
            "a drop-in that has systemd make a folder", "state folder", .warning,
            "there is no /var/lib/other yet",
            disk: { machine in
                try machine.write(
                    "[Service]\nStateDirectory=other\n",
                    to: "etc/systemd/system/turnstiled.service.d/folder.conf")
                try machine.remove(Machine.processes)
            }),
        Case(
            "a drop-in that needs what a disk has to hold", "unit needs", .warning,
            "asks for RequiresMountsFor=, LoadCredential=: where",
            disk: { machine in
                try machine.write(
                    """
                    [Unit]
                    RequiresMountsFor=/media/key
                    [Service]
                    PrivateTmp=no
                    EnvironmentFile=-/etc/default/turnstiled
                    LoadCredential=ledger.key:/media/key/ledger.key
                    """, to: "etc/systemd/system/turnstiled.service.d/key.conf")
            }),
    ]
}

// Chips and lines.
extension Case {
    /// A device of these permissions, and a service's user who is not root.
    private static func device(_ permissions: UInt32) -> @Sendable (inout Facts) -> Void {
        { facts in
            facts.devices["/dev/gpiochip0"]?.permissions = permissions
        }
    }

    @Sendable private static func ordinaryUser(_ machine: Machine) throws {
        try machine.write(
            "turnstiled:x:990:990::/:\nanna:x:1000:1000::/:\n", to: "etc/passwd")
    }

    static let devices = [
        Case(
            "no chip", "device", .wrong, "there is no /dev/gpiochip*",
            disk: { machine in
                try machine.remove("dev/gpiochip0")
            }),
        Case(
            "a chip for root alone", "device access", .wrong,
            "/dev/gpiochip0 is 0:turnstiled 600: turnstiled may not open it", disk: ordinaryUser,
            facts: device(0o600)),
        Case(
            "a chip of another group", "device access", .wrong, "0:44 660", disk: ordinaryUser,
            facts: { $0.devices["/dev/gpiochip0"]?.group = 44 }),
        Case(
            "a chip for everybody", "device access", .warning, "everybody", disk: ordinaryUser,
            facts: device(0o666)),
        Case(
            "a chip for anna", "device access", .warning, "so may anna",
            disk: { machine in
                try ordinaryUser(machine)
                try machine.write("turnstiled:x:990:anna\n", to: "etc/group")
            }),
        Case(
            "no rule", "udev rule", .wrong, "there is no 60-",
            disk: { machine in
                try machine.remove(Machine.rules)
            }),
        Case(
            "a rule that is hidden", "udev rule", .wrong, "does not give",
            disk: { machine in
                try machine.write("", to: "etc/udev/rules.d/60-turnstiled.rules")
            }),
        Case(
            "a chip that is not there", "chip turnstile", .wrong, "no GPIO chip is labelled",
            facts: { facts in
                let error = HardwareError(.missing, "no GPIO chip is labelled \"turnstile\"")
                facts.survey?.chips[.label("turnstile")] = .failure(error)
            }),
        Case(
            "a chip that may not be opened", "chip turnstile", .warning, "not checked: cannot open",
            facts: { facts in
                let error = HardwareError(.notReady, "cannot open /dev/gpiochip0")
                facts.survey?.chips[.label("turnstile")] = .failure(error)
            }),
        Case("nobody knows which chip", "chip", .warning, "do not say", facts: { $0.survey = nil }),
    ]

    static let lines = [
        Case(
            "a line that is not there", "line fire", .wrong, "did you mean \"FIRE\"?",
            facts: { facts in
                let error = HardwareError(.misconfigured, "did you mean \"FIRE\"?")
                facts.survey?.lines[.input(.fire)] = .failure(error)
            }),
        Case(
            "a line that cannot be seen", "line fire", .warning, "not checked",
            facts: { facts in
                facts.survey?.lines[.input(.fire)] = .failure(HardwareError(.notReady, "closed"))
            }),
        Case(
            "a line of another", "line fire", .wrong, "held by \"spi0 CS0\"",
            facts: { facts in
                facts.survey?.lines[.input(.fire)] = .success(
                    LineSurvey.Found("line FIRE", holder: "spi0 CS0"))
            }),
        Case(
            "a line of nobody", "line fire", .warning, "does not hold",
            facts: { $0.survey?.lines[.input(.fire)] = .success(LineSurvey.Found("line FIRE")) }),
        Case(
            "a second service", "line fire", .wrong, "held by \"turnstiled\"",
            facts: { $0.process = nil }),
        Case(
            "lines of a chip that is not there", "lines", .warning,
            "chip was not found: coin_pulse,",
            facts: { facts in
                let error = HardwareError(.missing, "no such chip")
                facts.survey?.chips[.label("turnstile")] = .failure(error)
            }),
        Case(
            "an output that was not found", "outputs", .warning, "were not found: lock_entry",
            facts: { facts in
                facts.service = nil
                facts.survey?.lines[.output(.lockEntry)] = .failure(
                    HardwareError(.misconfigured, "no line is named \"LOCK\""))
            }),
        Case(
            "nobody knows which line", "lines", .warning, "do not say", facts: { $0.survey = nil }),
        Case(
            "libgpiod 1", "libgpiod", .warning, "does not detect lost edges",
            facts: { $0.capabilities.detectsLostEdges = false }),
        Case(
            "an old kernel", "kernel", .wrong, "Linux 6.12.0 stamps",
            facts: { $0.stampsEdgesMonotonic = false }),
    ]

    static let levels = [
        Case(
            "an open loop", "input fire", .wrong, "not at rest: active (the line is high)",
            facts: { $0.service?.levels[.input(.fire)] = true }),
        Case(
            "a box that is not in its place", "input vault_present", .warning,
            "not at rest: inactive (the line is high)",
            facts: { $0.service?.levels[.input(.vaultPresent)] = false }),
        Case(
            "a stuck sensor, without a service", "input rotor_a", .warning, "not at rest: active",
            facts: { facts in
                (facts.service, facts.process) = (nil, nil)
                facts.survey?.lines[.input(.rotorA)] = .success(
                    LineSurvey.Found("line ROTOR_A", isActive: true))
            }),
        Case(
            "a lock that is not open without power", "input lock_feedback", .warning,
            "not at rest: inactive",
            facts: { $0.service?.levels[.output(.lockEntryHold)] = false }),
        Case(
            "a lock that is open with power", "input lock_feedback_exit", .warning,
            "not at rest: active",
            facts: { $0.service?.levels[.input(.lockFeedbackExit)] = true }),
        Case(
            "inputs that nobody has read", "inputs", .warning, "was not asked: coin_pulse, ",
            facts: { $0.service = nil }),
        Case(
            "an output that somebody holds", "outputs", .warning,
            "they are in use, and were not read: lock_entry, ",
            facts: { $0.service = nil }),
        Case(
            "an output that was left as it was", "output lock_entry", .warning,
            "as it was driven last; its safe level is low",
            facts: { facts in
                facts.service = nil
                facts.survey?.lines[.output(.lockEntry)] = .success(
                    LineSurvey.Found("line LOCK", isOutput: true))
            }),
        Case(
            "nobody knows which inputs", "inputs", .warning, "not say", facts: { $0.survey = nil }),
    ]
}

// Ledger, journal, clock.
extension Case {
    private static func room(
        _ folder: String, _ free: Int64
    ) -> @Sendable (inout Facts) -> Void {
        { $0.rooms[folder] = .success(Room(free: free << 20, total: 4 << 30)) }
    }

    static let ledger = [
        Case(
            "no ledger yet", "ledger", .warning, "missing so far",
            disk: { machine in
                for part in ["", ".known"] { try machine.remove(Machine.ledger + part) }
            }),
        Case(
            "a ledger that is gone", "ledger", .wrong, "it is gone",
            disk: { machine in
                try machine.remove(Machine.ledger)
            }),
        Case(
            "a damaged ledger", "ledger", .wrong, "it is damaged",
            disk: { machine in
                try machine.write("no database, whatever it says", to: Machine.ledger)
            }),
        Case(
            "a ledger of another gate", "ledger", .wrong, "two-way",
            disk: { machine in
                for file in [Machine.settings, Machine.kept] {
                    try machine.replace("name: two-way", with: "name: north", in: file)
                }
            }),
        Case(
            "a disk that is nearly full", "ledger room", .warning, "100 MiB free",
            facts: room("/var/lib/turnstiled", 100)),
        Case(
            "a disk that is full", "ledger room", .wrong, "1 MiB free",
            facts: room("/var/lib/turnstiled", 1)),
        Case(
            "a disk that is slow", "commit time", .warning, "60 ms",
            facts: { $0.commit = .success(.milliseconds(60)) }),
        Case(
            "a disk that is far too slow", "commit time", .wrong, "2500 ms",
            facts: { $0.commit = .success(.milliseconds(2500)) }),
        Case(
            "a disk that cannot be written", "commit time", .warning, "Permission denied",
            facts: { $0.commit = .failure(SystemError(call: "open", errno: EACCES)) }),
    ]

    static let journal = [
        Case(
            "a journal in memory", "journal", .warning, "in memory",
            disk: { machine in
                try machine.remove("var/log/journal")
            }),
        Case(
            "a journal that is told to be", "journal", .warning, "in memory",
            disk: { machine in
                try machine.write("[Journal]\nStorage=volatile\n", to: "etc/systemd/journald.conf")
            }),
        Case(
            "no journal", "journal", .wrong, "off",
            disk: { machine in
                try machine.write(
                    "[Journal]\n# Nothing.\nStorage = none\n",
                    to: "etc/systemd/journald.conf.d/10-own.conf")
            }),
        Case(
            "a journal without room", "journal room", .wrong, "2 MiB free",
            facts: room("/var/log/journal", 2)),
        Case(
            "no catalog", "catalog", .warning, "no turnstiled.catalog",
            disk: { machine in
                try machine.remove(Machine.catalog)
            }),
        Case(
            "a catalog of another version", "catalog", .warning, "another version",
            disk: {
                try $0.replace("-- 9e11", with: "-- 0e11", in: Machine.catalog)
            }),
        Case(
            "a catalog not taken in", "catalog", .warning, "has not taken in",
            disk: { machine in
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1)],
                    ofItemAtPath: machine.path("var/lib/systemd/catalog/database"))
            }),
    ]

    static let clock = [
        Case(
            "a clock of its own", "clock", .warning, "not synchronised",
            facts: { $0.isClockSynchronized = false }),
        Case(
            "a clock that nobody knows of", "clock", .warning, "not checked",
            facts: { $0.isClockSynchronized = nil }),
        Case(
            "no zone", "time zone", .warning, "none is set",
            disk: { machine in
                try machine.remove("etc/localtime")
            }),
        Case(
            "a schedule by UTC", "time zone", .warning, "Etc/UTC, and there",
            disk: { machine in
                try machine.write("", to: "usr/share/zoneinfo/Etc/UTC")
                try machine.link("etc/localtime", to: "../usr/share/zoneinfo/Etc/UTC")
            }),
        Case(
            "a zone that is not there", "time zone", .wrong, "not installed",
            disk: { machine in
                try machine.remove(Machine.zone)
            }),
        Case(
            "a link to elsewhere", "time zone", .warning, "leads to /nowhere",
            disk: { machine in
                try machine.link("etc/localtime", to: "/nowhere")
            }),
    ]
}
