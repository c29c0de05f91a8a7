import Console
import Controller
import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Trace
@testable import turnstilectl

/// What the commands make of a trace that is in order.
@Suite struct TraceCommandTests {
    private let incident: RecordedIncident

    init() throws { incident = try RecordedIncident() }

    /// Has a subcommand work on the incident.
    private func trace(_ verb: String, _ arguments: String...) throws -> Command {
        try Command(["trace", verb, incident[.trace]] + arguments, at: nil)
    }

    @Test func `all that was recorded is shown on one axis of time`() throws {
        let shown = try trace("show")
        #expect(shown.code == 0 && shown.errors == "")
        let lines = shown.output.split(separator: "\n")
        let heading = try #require(lines.first)
        #expect(heading.hasPrefix("── 2026-11-24 06:00:02.000000: turnstiled 0.2.0, "))
        #expect(heading.hasSuffix("gate 'north gate', boot 5d1e6f0a9c7b4d3e8f2a1b0c9d8e7f60"))
        #expect(lines.contains("06:10:03.052000  changed line=coin_pulse is_active=false"))
        #expect(lines.contains("                 → release_entry"))
        #expect(lines.contains { $0.hasSuffix("↪ lane: locked → released") })
        #expect(lines.contains { $0.contains("• grant by anna (1000): done") })
        #expect(lines.count { $0.contains("somebody passed (entry)") } == 2)
        #expect(!shown.output.contains("look_began"))
        let times = lines.compactMap { $0.prefixMatch(of: /\d\d:\d\d:\d\d\.\d{6}/)?.0 }
        #expect(times.count > 20 && times == times.sorted())
    }

    @Test func `of the machines of the shell it is told with --shell`() throws {
        let shown = try trace("show", "--shell", "--since", "06:10:05", "--until", "06:10:06.5")
        #expect(shown.output.contains("06:10:05.000000  lines_look_began"))
    }

    @Test func `a time in which the shell alone did something is shown, and cut`() throws {
        let times = ["--since", "06:10:04", "--until", "06:10:05.5"]
        let path = incident[.trace]
        let shown = try Command(["trace", "show", path, "--shell"] + times, at: nil)
        #expect(shown.code == 0 && shown.output.contains("06:10:05.000000  lines_look_began"))
        #expect(!shown.output.contains("changed"))
        let plain = try Command(["trace", "show", path] + times, at: nil)
        #expect(plain.code == 66 && plain.output == "")
        #expect(plain.errors.contains("nothing happened then: it covers 2026-11-24 06:00"))
        let cut = try Command(["trace", "cut", path, "-o", incident["quiet"]] + times, at: nil)
        #expect(cut.code == 0, "\(cut.errors)")
        let again = try Command("trace", "show", "--shell", incident["quiet"], at: nil)
        #expect(
            again.output.split(separator: "\n").dropFirst()
                == shown.output.split(separator: "\n").dropFirst())
        let state = try Command(
            "trace", "replay", incident["quiet"], "--state-at", "06:10:05.2", at: nil)
        #expect(state.output.contains(/credit +100, a passage costs 150/), "\(state)")
    }

    @Test func `what was cut can go on to another program`() throws {
        let shown = try Command(
            shell: "turnstilectl trace cut gate.trace --since 06:10 -o - > piped "
                + "&& turnstilectl trace replay piped", at: nil, in: incident.folder)
        #expect(shown.code == 0 && shown.output.contains("all as recorded"), "\(shown)")
    }

    @Test(arguments: [
        ["--since", "06:10:06", "--until", "06:10:06.5"],
        ["--since", "06:10:05.999999", "--to", "06:10:06.021001"],
        ["--since", "2026-11-24T06:10:06", "--until", "2026-11-24 06:10:06.1"],
        ["--since", "2026-11-24T05:10:06Z", "--until", "2026-11-24T06:10:06.25+01:00"],
    ]) func `a part of it is between two times by the gate's clock`(times: [String]) throws {
        let shown = try Command(["trace", "show", incident[.trace]] + times, at: nil)
        #expect(shown.code == 0, "\(shown.errors)")
        let events = shown.output.split(separator: "\n").filter { $0.contains("  changed ") }
        #expect(
            events == [
                "06:10:06.000000  changed line=coin_pulse is_active=true",
                "06:10:06.021000  changed line=coin_pulse is_active=false",
            ])
        // Who recorded it is told whatever the part is.
        #expect(shown.output.hasPrefix("── 2026-11-24 "))
    }

    @Test func `how long ago is how long before its end`() throws {
        let shown = try trace("show", "--since", "3min")
        #expect(shown.output.contains("line=service_key"))
        #expect(!shown.output.contains("line=coin_pulse"))
    }

    @Test func `a time after the end is that of the last day, unless the one before has it`() throws
    {
        let late = try trace("show", "--since", "12:00")
        #expect(late.code == 66 && late.errors.contains("nothing was recorded then"))
        let state = try trace("replay", "--state-at", "12:00")
        #expect(state.code == 0 && state.output.hasPrefix("after 2026-11-24 06:1"))
    }

    @Test func `what the process before came to is left by no other`() throws {
        // The same twice, as two starts of which the first is killed in an emergency.
        let fire = Event(.changed(.fire, isActive: true), at: .zero + .seconds(5))
        var gate = Turnstile(Beginning(policy: Policy(price: 150, coinUnit: 50)))
        var steps: [TraceStep] = [.state(gate, .blank, at: .zero + .seconds(4))]
        for event in [Event(.started([]), at: .zero + .seconds(4)), fire] {
            steps.append(.event(event, .handled))
            gate.handle(event).commands.forEach { command in
                if case .record(let record) = command {
                    steps.append(.record(record))
                } else {
                    steps.append(.command(command))
                }
            }
        }
        let folder = incident["ring"]
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for number in 1...2 {
            let bytes = try RecordedIncident.bytes(of: steps, start: .seconds(number))
            try Data(bytes).write(to: URL(filePath: "\(folder)/0000000\(number).trace"))
        }
        let shown = try Command("trace", "show", folder, at: nil)
        #expect(shown.output.split(separator: "\n").count { $0.contains(": turnstiled ") } == 2)
        #expect(
            shown.output.split(separator: "\n").filter { $0.contains("no stop was recorded") }.count
                == 1)
        #expect(shown.errors.contains("1 start of the service without a stop at its end"))
        #expect(shown.output.contains("emergency: none → loop_open"))
        #expect(!shown.output.contains("emergency: loop_open → none"))
    }

    @Test func `of other settings those are told that differ`() throws {
        let gate = Turnstile(Beginning(policy: Policy(price: 150, coinUnit: 50)))
        let (first, then) = (Instant.zero + .seconds(4), Instant.zero + .seconds(5))
        let dearer = Event(
            .requested(.adopt(Policy(price: 200, coinUnit: 50)), by: .settings), at: then)
        let steps: [TraceStep] = [
            .state(gate, .blank, at: first), .event(Event(.started([]), at: first), .handled),
            .event(dearer, .handled),
        ]
        let path = incident["other.trace"]
        try Data(RecordedIncident.bytes(of: steps)).write(to: URL(filePath: path))
        let shown = try Command("trace", "show", path, at: nil).output
        let line = "requested request=adopt_policy policy={\"price\": 200} requester=settings"
        #expect(shown.contains("  \(line)\n"), "\(shown)")
    }

    @Test func `an end that is still to come is none, and one of the day before is found`() throws {
        let shown = try trace("show", "--since", "06:16:00", "--until", "06:30")
        #expect(shown.output.contains("line=service_key"))
        let backwards = try trace("show", "--since", "06:12", "--until", "06:10")
        #expect(backwards.code == 64)
        #expect(backwards.errors.contains("06:12 is not before --until 2026-11-24 06:10"))
    }

    @Test func `on another day nothing is there, and it says what is`() throws {
        for verb in [["show"], ["replay"], ["cut", "-o", incident["cut"]], ["export", "--json"]] {
            let arguments = ["trace"] + verb + [incident[.trace], "--since", "2026-11-25"]
            let command = try Command(arguments, at: nil)
            #expect(command.code == 66 && command.output == "", "\(verb): \(command)")
            #expect(command.errors.contains("nothing was recorded then: it covers 2026-11-24"))
        }
        let between = try trace("show", "--since", "06:05", "--until", "06:06")
        #expect(between.code == 66 && between.errors.contains("nothing was recorded then"))
        #expect(!FileManager.default.fileExists(atPath: incident["cut"]))
    }

    @Test func `a replay of what this program recorded finds the same`() throws {
        let replay = try trace("replay")
        #expect(replay.code == 0 && replay.errors == "")
        #expect(
            replay.output.contains(/^\d+ events, 2 passages: all as recorded\n$/),
            "\(replay.output)")
    }

    @Test func `a part is replayed for itself`() throws {
        let part = try trace("replay", "--since", "06:10:06", "--until", "06:10:06.5")
        #expect(part.code == 0 && part.output == "3 events, 0 passages: all as recorded\n")
    }

    @Test func `the first difference is shown with the state before it`() throws {
        var steps = incident.steps
        let place = try #require(
            steps.firstIndex { step in
                if case .record(.coinNoise) = step { true } else { false }
            })
        steps[place] = .record(.creditUsed(value: 150))
        let altered = incident["altered.trace"]
        try Data(RecordedIncident.bytes(of: steps)).write(to: URL(filePath: altered))
        let replay = try Command("trace", "replay", altered, at: nil)
        #expect(replay.code == 1)
        let lines = replay.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "2026-11-24 06:10:06.033000: the first difference")
        #expect(lines.contains { $0.contains(/^recorded +.*credit_used/) }, "\(replay.output)")
        #expect(lines.contains { $0.contains(/^replayed +.*coin_noise/) })
        #expect(lines.contains("the gate before it:"))
        #expect(lines.contains { $0.contains(/^credit +100, a passage costs 150$/) })
    }

    @Test func `the gate is shown as it was at a time`() throws {
        let state = try trace("replay", "--state-at", "06:10:10")
        #expect(state.code == 0 && state.errors == "")
        let lines = state.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("after 2026-11-24 06:10:0") == true)
        #expect(lines.contains { $0.contains(/^lane +locked$/) })
        #expect(lines.contains { $0.contains(/^credit +100, a passage costs 150$/) })
        #expect(lines.contains { $0.contains(/^energised +coin_inhibit/) }, "\(lines)")
        #expect(lines.contains { $0.contains(/^released +none$/) })
        #expect(lines.contains { $0.contains(/^due +06:1\d:\d\d\.\d{6}  credit expires$/) })
        let before = try trace("replay", "--state-at", "2026-11-24T06:00")
        #expect(before.code == 66 && before.errors.contains("nothing was recorded before then"))
    }

    @Test func `the state at the time of an event is the one after it`() throws {
        let state = try trace("replay", "--state-at", "06:10:06.021")
        #expect(state.output.hasPrefix("after 2026-11-24 06:10:06.021000\n"), "\(state)")
        let before = try trace("replay", "--state-at", "06:10:06.020999")
        #expect(before.output.hasPrefix("after 2026-11-24 06:10:06.000000\n"), "\(before)")
    }

    @Test func `what happens at the end of a part is none of it, and at its beginning is`() throws {
        let shown = try trace("show", "--since", "06:10:06", "--until", "06:10:06.021")
        let events = shown.output.split(separator: "\n").filter { $0.contains("  changed ") }
        #expect(events == ["06:10:06.000000  changed line=coin_pulse is_active=true"])
    }

    @Test func `a part that is drawn begins with the gate as it was before it`() throws {
        let dump = try trace("export", "--vcd", "--since", "06:10:06", "--until", "06:10:06.5")
            .output
        let code = try #require(dump.firstMatch(of: /\$var wire 1 (\S+) coin_pulse_raw \$end/)).1
        let levels = dump.split(separator: "\n").filter {
            $0.dropFirst() == code && "01".contains($0.prefix(1))
        }
        #expect(levels == ["0\(code)", "1\(code)", "0\(code)"], "\(dump)")
    }

    @Test func `at a higher price nobody would have been let in for what they paid`() throws {
        let told = try trace("replay", "--settings", incident[.dearer])
        #expect(told.code == 0, "\(told.errors)")
        let lines = told.output.split(separator: "\n")
        #expect(lines.contains { $0.contains(/^- 06:02:14\.\d+  150 paid for a passage$/) })
        #expect(lines.contains { $0.contains(/^- 06:02:1\d\.\d+  released for one person/) })
        #expect(lines.last?.contains("records fewer, ") == true)
    }

    @Test func `a pulse that may be shorter would have let them in`() throws {
        let told = try trace("replay", "--settings", incident[.shorter], "--since", "06:10")
        #expect(told.code == 0, "\(told.errors)")
        let lines = told.output.split(separator: "\n")
        #expect(lines.contains { $0.contains(/^\+ 06:10:06\.\d+  150 paid for a passage$/) })
        #expect(!told.output.contains(" 06:02:"))
    }

    @Test func `what comes at another time is told with both times`() {
        func entries(_ told: [(Int, Record)]) -> [WhatIf.Entry] {
            told.map { .init(utc: .milliseconds($0.0), utcOffset: 0, record: $0.1) }
        }
        func lines(_ recorded: [(Int, Record)], _ replayed: [(Int, Record)]) -> [String] {
            var outcome = WhatIf.Outcome()
            (outcome.recorded, outcome.replayed) = (entries(recorded), entries(replayed))
            let appearance = Appearance(isColoured: false, isUnicode: true)
            return WhatIfPage(outcome: outcome, appearance: appearance).lines.map {
                $0.map(\.text).joined()
            }
        }
        let (nobody, started) = (Record.waitTimedOut(.entry), Record.passageStarted(.entry))
        #expect(
            lines([(1_000, started), (5_000, nobody)], [(1_000, started), (8_000, nobody)]) == [
                "  00:00:01.000000  somebody begins to pass (entry)",
                "~ 00:00:08.000000  nobody came (entry), not at 00:00:05.000000",
                "the same would have been recorded, 1 record at another time",
            ])
        // What is due is heard of a little later.
        #expect(
            lines([(5_003, nobody)], [(5_000, nobody)]).last
                == "the same would have been recorded")
        // One of several that is gone is not all of them at another time.
        let several = lines(
            [(1_000, nobody), (2_000, nobody), (3_000, nobody)], [(2_000, nobody), (3_000, nobody)])
        #expect(several.first?.hasPrefix("- 00:00:01") == true)
        #expect(several.last == "1 record fewer, 0 new ones")
        #expect(
            lines([(1_000, nobody)], [(62_000, nobody)]).last
                == "1 record fewer, 1 new one", "it is another one")
    }

    @Test func `a part that was cut out is a trace of its own`() throws {
        let cut = incident["incident.trace"]
        let made = try trace(
            "cut", "--since", "06:10", "--until", "06:12:30", "-o", cut)
        #expect(made.code == 0 && made.output == "" && made.errors == "")
        let replay = try Command("trace", "replay", cut, at: nil)
        #expect(replay.code == 0 && replay.output.contains("all as recorded"), "\(replay)")
        let shown = try Command("trace", "show", cut, at: nil).output
        let part = try trace("show", "--since", "06:10", "--until", "06:12:30").output
        // But for when its first page begins.
        #expect(shown.split(separator: "\n").dropFirst() == part.split(separator: "\n").dropFirst())
        #expect(try Recording(path: cut).pages.map(\.header) == [RecordedIncident.header()])
    }

    @Test(arguments: [
        ("--json", "{"), ("--vcd", "$"), ("--html", "<!DOCTYPE html>"), ("--perfetto", "{"),
    ]) func `it is exported for programs that draw it`(form: String, start: String) throws {
        let exported = try trace("export", form)
        #expect(exported.code == 0 && exported.errors == "", "\(exported.errors)")
        #expect(exported.output.hasPrefix(start) && exported.output.count > 1_000)
        let file = incident["exported"]
        #expect(try trace("export", form, "-o", file).code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == exported.output)
        let part = try trace("export", form, "--since", "06:10", "--until", "06:12", "-o", "-")
        #expect(part.code == 0 && part.output.hasPrefix(start))
        #expect(part.output.count < exported.output.count)
    }

    @Test func `lines of JSON have an event each`() throws {
        let lines = try trace("export", "--json", "--since", "06:10:06", "--until", "06:10:07")
            .output.split(separator: "\n")
        let objects = try lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count >= 2)
    }

    @Test(arguments: ["--vcd", "--perfetto", "--html"])
    func `lines that are wired at a later start are drawn as well`(form: String) throws {
        var wider = Equipment.oneWay
        wider.formUnion(Equipment(inputs: [.stop], outputs: [.lampGo]))
        let later = try RecordedIncident(equipment: wider)
        try FileManager.default.createDirectory(
            atPath: incident["ring"], withIntermediateDirectories: false)
        for (number, steps) in [incident.steps, later.steps].enumerated() {
            try Data(RecordedIncident.bytes(of: steps, start: .seconds(number))).write(
                to: URL(filePath: incident["ring/0000000\(number + 1).trace"]))
        }
        let drawn = try Command("trace", "export", form, incident["ring"], at: nil)
        #expect(drawn.code == 0 && drawn.output.contains("lamp_go"), "\(drawn.errors)")
        #expect(drawn.output.contains(form == "--vcd" ? " stop_raw $end" : "\"stop\""))
        #expect(try !trace("export", form).output.contains("lamp_go"))
    }

    @Test func `a folder is read as the ring that is in it`() throws {
        try FileManager.default.createDirectory(
            atPath: incident["ring"], withIntermediateDirectories: false)
        let first = incident.steps.prefix { step in
            if case .record(.coinNoise) = step { false } else { true }
        }
        for (number, steps) in [(7, incident.steps), (3, Array(first))] {
            try Data(RecordedIncident.bytes(of: steps)).write(
                to: URL(filePath: incident["ring/0000000\(number).trace"]))
        }
        try Data("no trace".utf8).write(to: URL(filePath: incident["ring/notes.txt"]))
        let shown = try Command("trace", "show", incident["ring"], at: nil)
        #expect(shown.code == 0)
        #expect(shown.output.components(separatedBy: "started active=").count == 3)
    }
}
