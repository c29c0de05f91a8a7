import Foundation
import GPIOHardware
import Hardware
import System
import Testing
import Turnstile

@testable import Doctor

/// What is said of a machine that is whole, and of one that is broken in one way.
@Suite struct DoctorTests {
    let machine: Machine

    init() throws { machine = try Machine() }

    @Test func `a machine with all that there should be is well`() throws {
        let report = Doctor.examine(machine.facts())
        #expect(report.verdict == .ok && report.exitCode == 0)
        try expect("\(report)", toBe: "whole")
    }

    @Test(arguments: Case.all) func `what is broken is found`(broken: Case) throws {
        try broken.disk(machine)
        var facts = machine.facts()
        broken.facts(&facts)
        let report = Doctor.examine(facts)
        let finding = try #require(
            report.findings.first { $0.name == broken.name && $0.found.contains(broken.found) },
            "\(report)")
        #expect(finding.verdict == broken.verdict)
        #expect(finding.advice?.isEmpty == false)
        #expect(report.exitCode >= broken.verdict.exitCode)
    }

    @Test func `each check has a machine that is whole and one that is not`() throws {
        var failed: Set<Int> = []
        for broken in Case.all {
            let machine = try Machine()
            try broken.disk(machine)
            var facts = machine.facts()
            broken.facts(&facts)
            failed.formUnion(
                Doctor.checks.indices.filter { index in
                    Doctor.checks[index](facts).contains { $0.verdict != .ok }
                })
        }
        #expect(failed == Set(Doctor.checks.indices))
    }

    @Test func `nothing is changed on the machine`() throws {
        let before = try machine.contents()
        _ = Doctor.examine(machine.facts())
        let after = try machine.contents()
        #expect(Set(after.keys).symmetricDifference(before.keys) == [])
        #expect(after == before)
    }

    @Test func `a commit is measured where that is asked for, and leaves no file`() throws {
        let before = try machine.contents()
        let facts = machine.facts(measuresCommit: true)
        #expect(try #require(facts.commit).get() > .zero)
        #expect(Doctor.commitTime(facts).map(\.name) == ["commit time"])
        #expect(try machine.contents() == before)
        #expect(machine.facts().commit == nil)
    }

    @Test func `outputs that stay as they were driven are well, where they were tried`() throws {
        try machine.remove(Machine.processes)
        #expect(Doctor.outputsLetGo(machine.facts()) == [])
        var facts = machine.facts(triesOutputs: true)
        facts.service = nil
        facts.survey = facts.wiring.map { LineSurvey(ofTriedBoard: $0) }
        let findings = Doctor.outputsLetGo(facts)
        #expect(findings.map(\.verdict) == [.ok])
        #expect(findings[0].found.contains("safe level: lock_entry, lock_exit, drop_arm, alarm"))
    }

    @Test func `the advice for a journal in memory helps, whatever the distribution says`() throws {
        let folder = "usr/lib/systemd/journald.conf.d"
        try machine.write(
            "[Journal]\nStorage=volatile\n", to: "\(folder)/40-rpi-volatile-storage.conf")
        let dropIn = try Project.text("config/journald-turnstiled.conf")
        let example = "usr/share/doc/turnstiled/examples/journald-turnstiled.conf"
        func advice() -> String? { Doctor.journal(machine.facts()).first?.advice }
        #expect(advice()?.hasPrefix("'[Journal]' and 'Storage=persistent' in /etc/") == true)
        try machine.write(dropIn, to: example)
        let target = "etc/systemd/journald.conf.d/turnstiled.conf"
        #expect(advice()?.hasPrefix("sudo install -D -m 644 /\(example) /\(target), ") == true)
        try machine.write(dropIn, to: target)
        #expect(
            Doctor.journal(machine.facts()) == [.ok("journal", "persistent, in /var/log/journal")])
    }

    @Test func `what dpkg knows the package of is not installed from the sources`() throws {
        func advice() -> String? { Doctor.udevRule(machine.facts()).first?.advice }
        try machine.remove(Machine.rules)
        let list = "var/lib/dpkg/info/turnstiled.list"
        try machine.write("/.\n/usr\n/usr/lib/systemd/system/turnstiled.service\n", to: list)
        // The one from the sources counts, as long as it is there.
        #expect(advice() == "install the service: sudo make install")
        try machine.remove(Machine.unit)
        #expect(advice()?.hasSuffix("sudo apt install --reinstall ./turnstiled_*.deb") == true)
        // What is left of a package that was removed.
        try machine.write("/.\n/etc\n/etc/turnstiled/turnstiled.yaml\n", to: list)
        #expect(advice() == "install the service: sudo make install")
    }

    @Test func `what could not be checked for one reason is one line`() throws {
        try machine.remove(Machine.unit)
        let report = Doctor.examine(machine.facts())
        let unseen = report.findings.filter { $0.found == "not checked: there is no unit" }
        #expect(unseen.count == 6)
        let lines = "\(report)".split(separator: "\n").filter { $0.contains("there is no unit") }
        #expect(
            lines.map { $0.drop { $0 != "u" } } == [
                """
                unit needs, version, real time, watchdog, state folder, runtime folder: \
                there is no unit
                """
            ])
    }

    @Test func `a key that the unit hands over is well`() throws {
        try machine.handOverKey()
        try machine.remove("\(Machine.ledger).key")
        #expect(
            Doctor.ledgerKey(machine.facts())
                == [.ok("ledger key", "the unit hands it over as a credential")])
    }

    @Test func `a service that does not run signs nothing`() throws {
        try machine.remove(Machine.processes)
        var facts = machine.facts()
        facts.now += .seconds(30 * 3_600)
        #expect(
            Doctor.lastCheckpoint(facts)
                == [.ok("last checkpoint", "number 1, for begin, 30 h old")])
    }

    @Test func `a disk that is fast enough is well`() throws {
        var facts = machine.facts()
        facts.commit = .success(.milliseconds(40))
        #expect(Doctor.commitTime(facts) == [.ok("commit time", "40 ms at the longest")])
    }

    @Test func `the document explains each line`() throws {
        let page = try Project.text("docs/doctor.md")
        let explained = Set(page.matches(of: /(?m)^\| `([^`]+)` \|/).map { String($0.1) })
        let told =
            Doctor.examine(machine.facts()).findings.map { $0.name } + Case.all.map { $0.name }
        let names = Set(
            told.map { name in
                let kind = name.prefix { $0 != " " }
                return ["line", "input", "output", "chip"].contains(kind) ? "\(kind) …" : name
            })
        let verdicts = Verdict.allCases.map { $0.rawValue }
        #expect(
            names.subtracting(["lines", "inputs", "outputs"]) == explained.subtracting(verdicts))
    }

    @Test func `an empty machine has everything wrong, and none of it is passed over`() throws {
        var options = Doctor.Options(path: "/\(Machine.settings)")
        options.root = Root(machine.path("nowhere"))
        let report = Doctor.examine(options)
        #expect(report.exitCode == 2)
        let wrong = ["settings", "unit", "user", "device", "udev rule"]
        for name in wrong {
            #expect(report.findings.contains { $0.name == name && $0.verdict == .wrong }, "\(name)")
        }
        let well: Set = ["settings in force", "libgpiod", "kernel", "clock"]
        for finding in report.findings where !well.contains(finding.name) {
            #expect(finding.verdict != .ok, "\(finding)")
        }
    }

    @Test func `what was in force counts while a service runs, and no longer`() throws {
        try machine.replace("    stop:  ", with: "    #stop:", in: Machine.settings)
        #expect(machine.facts().wiring?.inputs[.stop] != nil)
        try machine.remove(Machine.processes)
        #expect(machine.facts().wiring?.inputs[.stop] == nil)
    }

    @Test func `what must be asked for is asked of a service that does not run`() throws {
        try machine.remove(Machine.processes)
        var facts = machine.facts()
        facts.service = nil
        facts.survey = facts.wiring.map { LineSurvey(ofWholeBoard: $0, holder: nil) }
        let advice = Doctor.inputs(facts).compactMap(\.advice)
        #expect(advice == ["try --read-inputs, which requests them briefly"])
        #expect(Doctor.outputs(facts).allSatisfy { $0.verdict == .ok })
        #expect(Doctor.lines(facts).allSatisfy { $0.verdict == .ok })
    }
}

/// What a report looks like.
@Suite struct ReportTests {
    private let report = Report([
        .ok("clock", "synchronised"), .wrong("input fire", "active", do: "close it"),
        .warning("time zone", "\"none\"", do: "set one"),
    ])

    @Test func `a line for each finding, with its advice below`() {
        #expect(
            "\(report)" == """
                ok       clock       synchronised
                wrong    input fire  active
                                     -> close it
                warning  time zone   "none"
                                     -> set one
                1 wrong, 1 warning, 1 ok

                """)
    }

    @Test func `the same in JSON`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
        #expect(
            object as? NSDictionary == [
                "verdict": "wrong",
                "findings": [
                    ["name": "clock", "verdict": "ok", "found": "synchronised"],
                    [
                        "name": "input fire", "verdict": "wrong", "found": "active",
                        "advice": "close it",
                    ],
                    [
                        "name": "time zone", "verdict": "warning", "found": "\"none\"",
                        "advice": "set one",
                    ],
                ],
            ])
    }

    @Test func `the worst finding is the exit code`() {
        #expect(Report([]).exitCode == 0)
        #expect(Report([.ok("a", "")]).exitCode == 0)
        #expect(Report([.warning("a", "", do: ""), .ok("b", "")]).exitCode == 1)
        #expect(report.exitCode == 2)
    }
}

extension Finding {
    static func ok(_ name: String, _ found: String) -> Finding { Finding(name, .ok(found)) }

    static func warning(_ name: String, _ found: String, do advice: String) -> Finding {
        Finding(name, .warning(found, do: advice))
    }

    static func wrong(_ name: String, _ found: String, do advice: String) -> Finding {
        Finding(name, .wrong(found, do: advice))
    }
}
