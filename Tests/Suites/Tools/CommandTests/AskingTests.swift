import Foundation
import System
import Testing

@testable import Turnstile

/// What the commands ask for, and what they wait for.
@Suite struct AskingTests {
    private static let me = Requester.person(Operator(number: geteuid(), name: "me")!)

    @Test(
        arguments: [
            (["grant", "exit"], "Grant", [.string("exit")]),
            (
                ["grant", "exit", "--count", "3"], "GrantGroup", [.string("exit"), .int64(3)]
            ),
            (["withdraw", "entry"], "Withdraw", [.string("entry")]),
            (
                ["mode", "entry", "free", "--for", "1h30min"], "SetMode",
                [.string("entry"), .string("free"), .uint64(5_400_000_000)]
            ),
            (
                ["mode", "exit", "ordinary"], "SetMode",
                [.string("exit"), .string(""), .uint64(0)]
            ),
            (
                ["mode", "entry", "locked", "--until", "6:30"], "SetModeUntil",
                [.string("entry"), .string("locked"), .int64(390)]
            ),
            (
                ["enforcement", "weak", "--until", "18:00"], "SetEnforcementUntil",
                [.string("weak"), .int64(1080)]
            ),
            (["enforcement", "weak"], "SetEnforcement", [.string("weak"), .uint64(0)]),
            (["enforcement", "ordinary"], "SetEnforcement", [.string(""), .uint64(0)]),
            (["repair"], "ConfirmRepair", []), (["acknowledge"], "AcknowledgeAlarms", []),
            (["emergency", "reset"], "ResetEmergency", []),
            (["service", "begin"], "BeginService", []),
            (["service", "end"], "EndService", []), (["self-test"], "SelfTest", []),
            (
                ["lines", "drive", "lamp_go"], "TestOutput",
                [.string("lamp_go"), .uint64(0)]
            ),
            (
                ["lines", "drive", "lock_exit", "--for", "1min5s"], "TestOutput",
                [.string("lock_exit"), .uint64(65_000_000)]
            ),
            (["reload"], "ReloadSettings", []),
            (["collect", "--yes"], "CollectCoins", [.int64(-1)]),
            (["collect", "--counted", "12350", "--yes"], "CollectCoins", [.int64(12_350)]),
        ] as [([String], String, [BusValue])]) func `a command is one call`(
            arguments: [String], member: String, values: [BusValue]
        ) throws
    {
        let gate = try FakeGate()
        let command = try Command(arguments, at: gate.address)
        gate.stop()
        #expect(command.code == 0)
        #expect(gate.calls == [.init(member: member, arguments: values)])
    }

    @Test(arguments: [["--count", "0"], ["--count", "51"], ["--count", "3", "--wait"]])
    func `a group is of some people, and nothing of it is waited for`(options: [String]) throws {
        let gate = try FakeGate()
        let command = try Command(["grant", "entry"] + options, at: gate.address)
        gate.stop()
        #expect(command.code == 64 && gate.calls == [])
        #expect(command.errors.contains("--count"))
    }

    @Test(
        arguments: [
            (
                ["grant", "entry"], "Grant", Record.released(.entry, by: .person(geteuid())),
                Int32(0)
            ),
            (["grant", "entry"], "Grant", .refused(.grant, by: me, .modeLocked), 1),
            (["mode", "exit", "locked"], "SetMode", .modeChanged(.exit, .locked, by: me), 0),
            (["mode", "exit", "locked"], "SetMode", .refused(.setMode, by: me, .superseded), 1),
            (["mode", "exit", "locked"], "SetMode", .done(.setMode, by: me), 0),
            (["service", "begin"], "BeginService", .serviceStarted(by: me), 0),
            (["service", "end"], "EndService", .serviceEnded, 0),
        ] as [([String], String, Record, Int32)]) func `waits for what comes of it`(
            arguments: [String], member: String, record: Record, code: Int32
        ) throws
    {
        let kind = try #require(Self.kinds[member])
        // What concerns others, and what this takes the place of, comes first.
        let signals = [
            FakeGate.signal(.refused(kind, by: Self.me, .superseded)),
            FakeGate.signal(.deferred(kind, by: Self.me)),
            FakeGate.signal(.released(.exit, by: .contact)),
            FakeGate.signal(.modeChanged(.exit, .free, by: .another)),
            FakeGate.signal(.refused(.grant, by: .contact(.releaseEntry), .storeFull)),
            FakeGate.signal(record),
        ]
        let gate = try FakeGate(.busy, [member: .init(reply: FakeGate.deferred, signals: signals)])
        let command = try Command(arguments + ["--wait"], at: gate.address)
        gate.stop()
        #expect(command.code == code, "\(command.errors)")
        #expect(command.output.hasPrefix("deferred until the gate allows it; waiting\n"))
        #expect(command.output.hasSuffix("done\n") == (code == 0))
    }

    private static let kinds: [String: Request.Kind] = [
        "Grant": .grant, "SetMode": .setMode, "BeginService": .beginService,
        "EndService": .endService,
    ]

    @Test func `a repair names what is still there`() throws {
        let gate = try FakeGate()
        let command = try Command("repair", at: gate.address)
        gate.stop()
        #expect(command.code == 0)
        #expect(command.output == "done\nstill there: F6 coin jam, coin_jam\n")
    }

    @Test func `who acknowledges is told what is still up, and what ends it`() throws {
        var report = StatusReport.busy
        let noisy = try FakeGate(report)
        let command = try Command("acknowledge", at: noisy.address)
        noisy.stop()
        #expect(command.output == "still up: A3 tailgating; ends in 6 s\n")
        report.alarms = [.init(value: .beamBlocked, since: nil, end: .cause)]
        let blocked = try FakeGate(report)
        let again = try Command("acknowledge", at: blocked.address)
        blocked.stop()
        #expect(again.output.hasPrefix("still up: A6 "))
        #expect(again.output.hasSuffix("; ends with its cause\n"))
        report.alarms = []
        let quiet = try FakeGate(report)
        let last = try Command("acknowledge", at: quiet.address)
        quiet.stop()
        #expect(last.output == "no alarm is up\n")
    }

    @Test(arguments: [("acknowledge", "Alarms"), ("repair", "Faults")])
    func `a program is told what is still up as well`(word: String, property: String) throws {
        let gate = try FakeGate()
        let command = try Command(word, "--json", at: gate.address)
        let told = try Command("faults", "--json", at: gate.address)
        gate.stop()
        let list = try #require(told.output.firstMatch(of: try Regex("\"\(property)\": \\[.*?\\]")))
        #expect(
            command.output
                == "{\"result\": \"done\", \"refusal\": \"\", \"durable\": true, \(list.0)}\n")
    }

    @Test func `a reload that an older service does not know says what it knows`() throws {
        let unknown = "org.freedesktop.DBus.Error.UnknownMethod"
        let error = (unknown, "there is no method 'ReloadSettings'")
        let gate = try FakeGate(.busy, ["ReloadSettings": .init(error: error)])
        let command = try Command("reload", at: gate.address)
        gate.stop()
        #expect(command.code == 1 && command.output == "")
        #expect(command.errors.contains("is older than this program"), "\(command.errors)")
        #expect(command.errors.contains("systemctl reload turnstiled"))
    }

    @Test func `a passage is void where nobody waits for it any longer`() throws {
        var nobody = StatusReport.busy
        nobody.entry.waitingByPerson = 0
        let reaction = FakeGate.Reaction(
            reply: FakeGate.deferred,
            signals: [
                FakeGate.signal(.deferred(.grant, by: Self.me)),
                FakeGate.signal(.storedDropped(1, grantedBy: geteuid())),
            ], report: nobody)
        let gate = try FakeGate(.busy, ["Grant": reaction])
        let command = try Command("grant", "entry", "--wait", "--json", at: gate.address)
        gate.stop()
        #expect(command.code == 1)
        #expect(
            command.output == """
                {"result": "deferred", "refusal": "", "durable": true}
                {"result": "dropped"}

                """)
        #expect(command.errors.contains("void"))
    }

    @Test func `a passage is not void while somebody still waits`() throws {
        let signals = [
            FakeGate.signal(.deferred(.grant, by: Self.me)),
            FakeGate.signal(.storedDropped(1, grantedBy: geteuid())),
            FakeGate.signal(.released(.entry, by: .person(geteuid()))),
        ]
        let gate = try FakeGate(.busy, ["Grant": .init(reply: FakeGate.deferred, signals: signals)])
        let command = try Command("grant", "entry", "--wait", at: gate.address)
        gate.stop()
        #expect(command.code == 0)
    }

    @Test func `a passage is void though somebody waits on the other way`() throws {
        let signals = [
            FakeGate.signal(.deferred(.grant, by: Self.me)),
            FakeGate.signal(.storedDropped(1, grantedBy: geteuid())),
        ]
        // Somebody waits at the entry.
        let gate = try FakeGate(.busy, ["Grant": .init(reply: FakeGate.deferred, signals: signals)])
        let command = try Command(
            "grant", "exit", "--wait", "--timeout", "1min", at: gate.address)
        gate.stop()
        #expect(command.code == 1)
        #expect(command.errors.contains("void"))
    }

    @Test func `what was not told may be that it is put off`() throws {
        let signals = [
            BusMessage.signal(
                "RecordsLost", on: "io.turnstiled1.Gate", at: "/io/turnstiled1", [.uint64(1)]),
            FakeGate.signal(.released(.entry, by: .person(geteuid()))),
        ]
        let gate = try FakeGate(.busy, ["Grant": .init(reply: FakeGate.deferred, signals: signals)])
        let command = try Command(
            "grant", "entry", "--wait", "--timeout", "1min", at: gate.address)
        gate.stop()
        #expect(command.code == 0)
    }

    /// What is waited for, and what asks for it.
    private static let drives: [([String], Request.Kind)] = [
        (["self-test"], .selfTest), (["lines", "drive", "lamp_go", "--for", "9s"], .test),
    ]

    @Test(
        arguments: drives,
        [
            ([.selfTestFinished], 0),
            ([.selfTestFailed(.lampGo), .selfTestFinished], 1), ([.selfTestAborted], 1),
        ] as [([Record], Int32)]) func `who waits for a test ends with it`(
            drive: (arguments: [String], kind: Request.Kind), end: (records: [Record], code: Int32)
        ) throws
    {
        let (records, code) = end
        // What this takes the place of, and what others ask for, is none of it.
        let before: [Record] = [
            .selfTestFailed(.alarm), .selfTestAborted, .done(drive.kind, by: .another),
            .selfTestFinished, .done(drive.kind, by: Self.me),
        ]
        let signals = (before + records).map { FakeGate.signal($0) }
        let gate = try FakeGate(
            .busy, ["SelfTest": .init(signals: signals), "TestOutput": .init(signals: signals)])
        let command = try Command(drive.arguments + ["--wait", "--json"], at: gate.address)
        gate.stop()
        #expect(command.code == code)
        let lines = command.output.split(separator: "\n")
        #expect(lines.count == records.count + 1)
        for (line, record) in zip(lines.dropFirst(), records) {
            #expect(line.contains("\"name\": \"\(record.name)\""))
        }
    }

    private static let change = "fare.price: 150 -> 200"
    private static let warning = "gate.yaml:4:10: warning: fare.price: no coins add up to 200"

    @Test(
        arguments: [
            ("done", [change], change + "\ndone\n", 0), ("done", [], "nothing has changed\n", 0),
            ("deferred", [change], change + "\ndeferred until the gate allows it\n", 3),
            ("deferred", [], "deferred until the gate allows it\n", 3),
        ] as [(String, [String], String, Int32)])
    func `a reload says what changed, what is odd, and whether it is in force`(
        result: String, changes: [String], output: String, code: Int32
    ) throws {
        let reply: [BusValue] = [
            .string(result), .string(""), .boolean(true), .strings(changes),
            .strings([Self.warning]),
        ]
        let gate = try FakeGate(.busy, ["ReloadSettings": .init(reply: reply)])
        let plain = try Command("reload", at: gate.address)
        let json = try Command("reload", "--json", at: gate.address)
        gate.stop()
        #expect(plain.output == output && plain.code == code)
        #expect(plain.errors == "turnstilectl: \(Self.warning)\n")
        let list = changes.map { "\"\($0)\"" }.joined(separator: ", ")
        let told =
            "{\"result\": \"\(result)\", \"refusal\": \"\", \"durable\": true, "
            + "\"changes\": [\(list)], \"warnings\": [\"\(Self.warning)\"]}\n"
        #expect(json.output == told && json.code == code)
    }

    @Test(
        arguments: [
            (.policyChanged(by: .settings), 0),
            (.refused(.adopt, by: .settings, .superseded), 1),
        ] as [(Record, Int32)]) func `who waits for a reload ends with it`(
            end: Record, code: Int32
        ) throws
    {
        let reply = FakeGate.deferred + [.strings([Self.change]), .strings([])]
        // What the settings before it came to is none of it, nor is an operator's policy.
        let signals = [
            .policyChanged(by: .settings), .policyDeferred, .policyChanged(by: Self.me), end,
        ].map { FakeGate.signal($0) }
        let gate = try FakeGate(.busy, ["ReloadSettings": .init(reply: reply, signals: signals)])
        let command = try Command("reload", "--wait", at: gate.address)
        gate.stop()
        #expect(command.code == code, "\(command.errors)")
        let waiting = "\(Self.change)\ndeferred until the gate allows it; waiting\n"
        #expect(command.output == waiting + (code == 0 ? "done\n" : ""))
    }

    @Test func `who waits for settings that were waiting already ends with them`() throws {
        let reply = FakeGate.deferred + [.strings([]), .strings([])]
        var waiting = StatusReport.busy
        waiting.policyRequester = .settings
        // The first signal is of the settings before these.
        let gate = try FakeGate(
            waiting,
            [
                "ReloadSettings": .init(
                    reply: reply, signals: [FakeGate.signal(.policyChanged(by: .settings))])
            ])
        let command = try Command("reload", "--wait", "--timeout", "1s", at: gate.address)
        gate.stop()
        #expect(command.code == 3, "\(command.errors)")
        let idle = try FakeGate(.busy, ["ReloadSettings": .init(reply: reply)])
        let done = try Command("reload", "--wait", at: idle.address)
        idle.stop()
        #expect(done.code == 0 && done.output.hasSuffix("done\n"), "\(done.errors)")
    }
}
