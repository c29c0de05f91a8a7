import Foundation
import Hardware
import Settings
import System
import Testing
import Turnstile

@testable import Doctor
@testable import GPIOHardware
@testable import Ledger

/// A machine on which all is well, in a folder: what a test breaks is broken on this one alone.
final class Machine: Folder {
    static let unit = "usr/local/lib/systemd/system/turnstiled.service"
    static let rules = "usr/local/lib/udev/rules.d/60-turnstiled.rules"
    static let catalog = "usr/local/lib/systemd/catalog/turnstiled.catalog"
    static let policy = "usr/share/dbus-1/system.d/io.turnstiled1.conf"
    static let settings = "etc/turnstiled/turnstiled.yaml"
    static let kept = "run/turnstiled/settings.yaml"
    static let ledger = "var/lib/turnstiled/ledger.db"
    static let stat = "proc/812/stat"
    static let processes = "sys/fs/cgroup/system.slice/turnstiled.service/cgroup.procs"
    static let zone = "usr/share/zoneinfo/Europe/Zurich"

    /// A machine with all that there should be.
    override init() throws {
        try super.init()
        func text(_ name: String) throws -> String { try Project.text("systemd/\(name)") }
        let unit = try text("turnstiled.service.in")
            .replacing("@BINDIR@", with: "/usr/local/bin").replacing("@SYSCONFDIR@", with: "/etc")
            .replacing("@VERSION@", with: "1.2.3")
        try write(unit, to: Self.unit)
        try write(text("60-turnstiled.rules"), to: Self.rules)
        try write(text("turnstiled.catalog"), to: Self.catalog)
        try write("", to: "var/lib/systemd/catalog/database")
        try write("<policy user=\"turnstiled\"><allow own=\"io.turnstiled1\"/>", to: Self.policy)
        try write("", to: "usr/local/bin/turnstiled", mode: 0o755)
        // Whoever runs the tests stands for the service's user: nobody else could own its files.
        try write("turnstiled:x:\(geteuid()):990::/:/bin/false\n", to: "etc/passwd")
        try write("root:x:0:\nturnstiled:x:990:\n", to: "etc/group")
        let settings = try Project.text("config/two-way.yaml")
        try write(settings, to: Self.settings)
        try write(settings, to: Self.kept)
        try makeFolder("var/lib/turnstiled")
        _ = try Opening(place: Place(path: path(Self.ledger)), gate: "two-way", bootID: "boot")
            .open()
        try write("812\n", to: Self.processes)
        try write(Self.stat(policy: 1), to: Self.stat)
        try makeFolder("var/log/journal")
        try write("", to: Self.zone)
        try link("etc/localtime", to: "/usr/share/zoneinfo/Europe/Zurich")
        try write("", to: "dev/gpiochip0")
    }

    /// What the kernel says of a process that is scheduled in this way.
    static func stat(policy: Int, name: String = "turnstiled") -> String {
        let fields = (3...52).map { $0 == 40 ? "50" : $0 == 41 ? "\(policy)" : "0" }
        return "812 (\(name)) \(fields.joined(separator: " "))\n"
    }

    /// Has the unit hand over the ledger's key.
    func handOverKey() throws {
        try replace(
            "[Service]",
            with: "[Service]\nLoadCredentialEncrypted=ledger.key:/etc/turnstiled/ledger.key",
            in: Self.unit)
    }

    /// What is known of this machine; of what no folder can have, what there should be.
    func facts(measuresCommit: Bool = false, triesOutputs: Bool = false) -> Facts {
        var options = Doctor.Options(path: "/\(Self.settings)")
        options.version = "1.2.3"
        options.root = Root(path(""))
        options.measuresCommit = measuresCommit
        options.triesOutputs = triesOutputs
        options.isVolatile = { _ in false }
        var facts = Facts(options)
        facts.devices = facts.devices.mapValues { _ in
            FileStatus(.device, owner: 0, group: 990, permissions: 0o660)
        }
        facts.capabilities = Capabilities(
            name: "libgpiod 2.2.1", debounces: true, detectsLostEdges: true)
        facts.kernel = "6.12.0"
        facts.stampsEdgesMonotonic = true
        facts.rooms = facts.rooms.mapValues { _ in
            .success(Room(free: 1 << 30, total: 4 << 30))
        }
        facts.isClockSynchronized = true
        if let wiring = facts.wiring {
            facts.survey = LineSurvey(ofWholeBoard: wiring, holder: "turnstiled")
            facts.service = ServiceReport(version: "1.2.3", levels: wiring.levelsAtRest)
        }
        return facts
    }
}

extension LineSurvey {
    /// A board that has all lines of a wiring.
    init(ofWholeBoard wiring: Wiring, holder: String?) {
        let found = wiring.lines.enumerated().map { offset, line in
            (
                line,
                Result<Found, HardwareError>.success(
                    Found("line WIRE_\(offset) (gpiochip0/\(offset))", holder: holder))
            )
        }
        self.init(
            chips: [wiring.chip: .success("gpiochip0 \"board\"")],
            lines: Dictionary(uniqueKeysWithValues: found))
    }
}

extension LineSurvey {
    /// A board whose outputs were tried and are kept at their safe levels, but for what `change`
    /// makes of the lock's.
    init(ofTriedBoard wiring: Wiring, _ change: (inout Found) -> Void = { _ in }) {
        self.init(ofWholeBoard: wiring, holder: nil)
        for output in wiring.outputs.keys {
            var found = Found("line", letGo: ReleasedOutput(isOutput: true, isEnergised: false))
            if output == .lockEntry { change(&found) }
            lines[.output(output)] = .success(found)
        }
    }
}

extension Wiring {
    /// What the lines carry while nobody is at the gate.
    var levelsAtRest: [String: Bool] {
        let active: Set<Input> = [.home, .vaultPresent]
        let inputs = inputs.keys.map { ($0.name, active.contains($0)) }
        let energised: Set<Output> = [.lockEntryHold, .lockExitHold, .coinEnable, .ready]
        let outputs = outputs.keys.map { ($0.name, energised.contains($0)) }
        return Dictionary(uniqueKeysWithValues: inputs + outputs)
    }
}
