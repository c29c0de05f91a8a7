import Console
import StateMachines
import System
import Testing

@testable import GateClient
@testable import Turnstile
@testable import turnstilectl

/// What people are shown.
@Suite struct PageTests {
    private let appearance = Appearance(isColoured: false, isUnicode: true)

    @Test func `what was given back is not in the vault`() {
        let registers = [("value_in", 400), ("refunded", 100)].map { name, collected in
            GateState.Count(name: name, total: 900, collected: Int64(collected))
        }
        #expect(VaultContents(registers).total == 300)
    }

    @Test(arguments: [
        (nil, "vault        44 coins"), (3_000, "vault        44 of 3000 coins (1 %)"),
        (40, "vault        44 of 40 coins (110 %)"),
    ]) func `the coins in the vault are told, and never what they are worth`(
        capacity: Int?, line: String
    ) throws {
        let state = try GateState(
            FakeGate.properties(of: .busy).map { (key: $0.0, value: $0.1) })
        let page = StatusPage(state: state, appearance: appearance, vaultCapacity: capacity)
        let lines = page.lines(at: state.now).map(appearance.text)
        #expect(lines.contains(line))
        #expect(!lines.contains { $0.contains("3200") })
    }

    @Test(arguments: [(nil, "vault        1 coin"), (1, "vault        1 of 1 coin (100 %)")])
    func `one coin is one`(capacity: Int?, line: String) throws {
        let one = BusValue.dictionary(of: "x", [("accepted_coin_pulse_50", .int64(1))])
        let properties = FakeGate.properties(of: .busy).map { name, value in
            (key: name, value: ["Registers", "Collected"].contains(name) ? one : value)
        }
        let page = StatusPage(
            state: try GateState(properties), appearance: appearance, vaultCapacity: capacity)
        #expect(page.lines(at: page.state.now).map(appearance.text).contains(line))
    }

    @Test func `that a count is awaited is told`() throws {
        let words = "vault        44 coins; the collection before is not counted yet"
        #expect(try page { $0.isCountAwaited = true }.contains(words))
        #expect(try !page { _ in }.contains(words))
    }

    private func page(_ change: (inout StatusReport) -> Void) throws -> [String] {
        var report = StatusReport.busy
        change(&report)
        let state = try GateState(FakeGate.properties(of: report).map { (key: $0.0, value: $0.1) })
        return StatusPage(state: state, appearance: appearance).lines(at: state.now)
            .map(appearance.text)
    }

    @Test func `cells stand below each other`() {
        var table = Table(columns: [.left, .right])
        table.rows = [[[Span("a")], [Span("100")]], [[Span("long")], [Span("7")]], [[Span("b")]]]
        #expect(table.lines.map(appearance.text) == ["a     100", "long    7", "b"])
    }

    @Test func `a way without a lock is told of where somebody asked for something`() throws {
        func exit(_ change: (inout StatusReport.Way) -> Void) throws -> String? {
            try page { report in
                report.equipment.outputs[.lockExit] = false
                report.exit = StatusReport.blank.exit
                change(&report.exit)
            }.first { $0.hasPrefix("exit ") }
        }
        #expect(try exit { _ in } == nil)
        #expect(try exit { $0.waitingByPerson = 2 }?.contains("2 waiting") == true)
        // Nobody counts that far; a service that says so ends nothing.
        #expect(try exit { ($0.waitingByContact, $0.waitingByPerson) = (.max, .max) } != nil)
    }

    @Test(arguments: [
        (-5, "0 s"), (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"),
        (172_799, "47 h"), (172_800, "2 d"),
    ]) func `a duration is told in one unit`(seconds: Int, words: String) {
        #expect(Duration.seconds(seconds).rounded == words)
    }

    /// A lock that opens without power is energised while it is locked.
    @Test func `an output says what it means, and locks do at all times`() throws {
        let lines = try page { report in
            report.outputs = [
                .init(output: .lockEntry, isOn: false, fault: nil),
                .init(output: .lockExit, isOn: true, fault: nil),
                .init(output: .lampGo, isOn: true, fault: nil),
            ]
        }
        let first = try #require(lines.firstIndex { $0.hasPrefix("outputs") })
        #expect(
            lines[first..<first + 3] == [
                "outputs      lock_entry  energised     (locked)",
                "             lock_exit   de-energised  (open)",
                "             lamp_go     energised     (lit)",
            ])
        #expect(lines[first - 1] == "inputs       rotor_a  active")
    }

    @Test func `an input says what it means where its name does not`() throws {
        var properties = FakeGate.properties(of: .busy).map { (key: $0.0, value: $0.1) }
        properties.removeAll { $0.key == "Levels" }
        let levels = [("coin_jam", true), ("fire", true), ("home", false), ("ready", false)]
        properties.append(
            (
                key: "Levels",
                value: .dictionary(of: "b", levels.map { ($0.0, .boolean($0.1)) })
            ))
        let page = StatusPage(state: try GateState(properties), appearance: appearance)
        let lines = page.lines(at: .zero).map(appearance.text)
        let first = try #require(lines.firstIndex { $0.hasPrefix("inputs") })
        #expect(
            lines[first..<first + 3] == [
                "inputs       coin_jam  active", "             fire      active  (open)",
                "outputs      none",
            ])
    }

    @Test func `a gate without money and exit does not tell of them`() throws {
        let lines = try page { report in
            (report.credit, report.price, report.coinRefusal) = (0, 0, nil)
            report.equipment = Equipment(inputs: [], outputs: .init(.lockEntry))
            report.exit = StatusReport.blank.exit
        }
        #expect(!lines.contains { $0.hasPrefix("credit") || $0.hasPrefix("exit") })
        #expect(!lines.contains { $0.hasPrefix("coins") })
        #expect(lines.contains { $0.hasPrefix("entry") })
    }

    @Test func `what waits is told with what is in force`() throws {
        let lines = try page { report in
            report.entry = .blank
            report.entry.mode.value = .controlled
            report.entry.mode.term = Term(.locked, isAwaited: true, by: .anna)
            report.entry.isPassing = true
            report.exit.mode.term = nil
            report.exit.mode.next = .controlled
            report.serviceRequester = .anna
            report.policyRequester = .settings
            report.status.soundsAlarm = true
            report.due = [StatusReport.Due(time: .zero, reason: .passageWait)]
        }
        #expect(
            lines.contains(
                "entry        controlled, locked to come, as anna (1000) asked, somebody passes"))
        #expect(lines.contains("exit         free, controlled to come"))
        #expect(lines.contains("service      asked for by anna (1000)"))
        #expect(lines.contains("policy       a new one by settings is pending"))
        #expect(lines[1].hasSuffix(", the alarm sounds"))
        #expect(!lines.contains { $0.hasPrefix("next") }, "what is over is not to come")
    }

    @Test func `a name cannot steer the terminal`() throws {
        var properties = FakeGate.properties(of: .busy).map { (key: $0.0, value: $0.1) }
        properties.removeAll { $0.key == "Gate" }
        properties.append((key: "Gate", value: .string("north\u{1B}[2J")))
        let page = StatusPage(state: try GateState(properties), appearance: appearance)
        #expect(page.lines(at: .zero).map(appearance.text)[0] == "gate         north [2J")
    }

    @Test(arguments: [
        (StatusReport.End.cause, "ends with its cause"),
        (.key, "waits for the mechanic's key"),
        (.causeThenKey, "waits for the end of its cause, and then for the mechanic's key"),
    ]) func `a fault says what ends it, and what to do`(
        end: StatusReport.End, words: String
    ) throws {
        var report = StatusReport.busy
        report.alarms = []
        report.faults = [.init(value: .energisedTooLong(.lampGo), since: nil, end: end)]
        let state = try GateState(FakeGate.properties(of: report).map { (key: $0.0, value: $0.1) })
        let lines = FaultPage(state: state).lines.map(appearance.text)
        #expect(lines[0] == "fault F14: lamp_go was energised for its maximum on-time")
        #expect(lines[1] == "    up since before the start; \(words)")
        #expect(lines.count > 4)
        #expect(!lines.contains { $0.contains("@") }, "what stands for the line is filled in")
    }

    @Test func `names of faults with a line in them are told apart`() throws {
        let lines = try page { report in
            report.faults = [
                .init(value: .coinJam, since: nil, end: .cause),
                .init(value: .external, since: nil, end: .cause),
            ]
        }
        #expect(lines.contains { $0.hasPrefix("faults") && $0.contains("coin_jam; F1 ") })
    }

    @Test func `a check that is to come is no fault that comes`() throws {
        let lines = try page { report in
            report.due = [
                .init(time: StatusReport.asked + .seconds(3), reason: .lockNotResponding)
            ]
        }
        #expect(lines.contains("next         check of the lock in 3 s"))
        #expect(lines.count { $0.hasPrefix("service") } == 0, "the program is no service mode")
        #expect(lines.last?.hasPrefix("program      turnstiled ") == true)
    }

    @Test func `a gate that is in order says so`() throws {
        var report = StatusReport.busy
        (report.faults, report.alarms) = ([], [])
        let state = try GateState(FakeGate.properties(of: report).map { (key: $0.0, value: $0.1) })
        #expect(FaultPage(state: state).lines == [[Span("no fault and no alarm is up", .green)]])
    }

    @Test func `every exit code is in the help`() {
        for status in ExitStatus.allCases {
            #expect(ExitStatus.help.contains("\n  \(status.rawValue) "))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a shell can complete the names of the vocabulary`(shell: String) throws {
        let script = try Command("--generate-completion-script", shell, at: nil)
        #expect(script.code == 0)
        let measured = script.output.matches(of: /coin_pulse_3/).count
        #expect(measured >= 2, "lines that are shown and lines that are measured")
        for word in ["self-test", "enforcement", "ordinary", "lock_entry_hold", "exit"] {
            #expect(script.output.contains(word), "\(word)")
        }
    }

    @Test(arguments: [
        ["status"], ["watch"], ["records"], ["faults"], ["registers"], ["metrics"], ["diagram"],
        ["grant"], ["withdraw"],
        ["mode"], ["enforcement"], ["emergency", "reset"], ["acknowledge"], ["repair"],
        ["service", "begin"], ["service", "end"], ["self-test"], ["lines", "drive"], ["collect"],
        ["reload"], ["report"],
    ]) func `each command's help has an example`(command: [String]) throws {
        let help = try Command(command + ["--help"], at: nil)
        #expect(help.code == 0)
        #expect(help.output.contains("turnstilectl \(command.joined(separator: " "))"))
        #expect(help.output.contains("Example"))
    }
}
