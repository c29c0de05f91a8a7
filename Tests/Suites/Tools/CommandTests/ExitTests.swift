import Foundation
import System
import Testing
import Turnstile

/// What the program ends with, and what it says about it.
@Suite struct ExitTests {
    /// Runs the program against a gate that does this.
    private func run(
        _ arguments: String..., report: StatusReport = .busy,
        reactions: [String: FakeGate.Reaction] = [:]
    ) throws -> Command {
        let gate = try FakeGate(report, reactions)
        defer { gate.stop() }
        return try Command(arguments, at: gate.address)
    }

    @Test func `0: done`() throws {
        let command = try run("grant", "entry")
        #expect(command.code == 0)
        #expect(command.output == "done\n")
        #expect(command.errors == "")
    }

    @Test func `what the ledger does not keep yet is said`() throws {
        let reply: [BusValue] = [.string("done"), .string(""), .boolean(false)]
        let command = try run("grant", "entry", reactions: ["Grant": .init(reply: reply)])
        #expect(command.code == 0)
        #expect(command.errors.contains("warning: not yet durable"))
    }

    @Test func `1: refused`() throws {
        let reply: [BusValue] = [.string("refused"), .string("store_full"), .boolean(true)]
        let command = try run("grant", "entry", reactions: ["Grant": .init(reply: reply)])
        #expect(command.code == 1)
        #expect(command.output == "")
        #expect(
            command.errors
                == "turnstilectl: refused: the queue of authorisations is full (store_full)\n")
    }

    @Test func `1: an output is not driven for longer than it may be on`() throws {
        let refused: [BusValue] = [.string("refused"), .string("out_of_range"), .boolean(true)]
        let command = try run(
            "lines", "drive", "lock_entry", "--for", "2min", "--wait",
            reactions: ["TestOutput": .init(reply: refused)])
        #expect(command.code == 1)
        #expect(command.output == "")
        #expect(
            command.errors
                == "turnstilectl: refused: value out of range (out_of_range)\n")
    }

    @Test func `69: the service ends while an output is driven`() throws {
        let gate = try FakeGate(.busy, ["TestOutput": .init(leaves: true)])
        let command = try Command("lines", "drive", "alarm", "--wait", at: gate.address)
        #expect(command.code == 69)
        #expect(command.output == "driving alarm\n")
    }

    @Test func `3: put off, and not waited for`() throws {
        let command = try run(
            "grant", "entry", reactions: ["Grant": .init(reply: FakeGate.deferred)])
        #expect(command.code == 3)
        #expect(command.output == "deferred until the gate allows it\n")
    }

    @Test func `3: waited for, and not for long enough`() throws {
        let command = try run(
            "grant", "entry", "--wait", "--timeout", "1s",
            reactions: ["Grant": .init(reply: FakeGate.deferred)])
        #expect(command.code == 3)
        #expect(command.errors.hasPrefix("turnstilectl: timed out; the request is still pending\n"))
        #expect(command.errors.contains("to take it back: turnstilectl withdraw entry"))
    }

    @Test func `1: who is not in service mode is told how to get there`() throws {
        let reply: [BusValue] = [.string("refused"), .string("no_service"), .boolean(true)]
        let command = try run("self-test", reactions: ["SelfTest": .init(reply: reply)])
        #expect(command.code == 1)
        #expect(command.errors.contains("turnstilectl service begin"))
    }

    @Test(arguments: [
        ["records", "--until", "06:00"], ["records", "--since", "1h", "--user"],
        ["records", "--since", "1h", "--follow"], ["turn"], ["help", "turn"],
        ["service", "--user"], ["grant"], ["grant", "up"], ["mode", "entry", "open"], ["--wait"],
        ["grant", "entry", "--timeout", "5s"], ["mode", "entry", "free", "--until", "24:00"],
        ["mode", "entry", "ordinary", "--for", "1h"], ["collect", "--counted", "-1"],
        ["status", "--user", "--address", "unix:path=/x"], ["service"], ["emergency"],
        ["settings"], ["mode", "entry", "free", "--for", "999999999d"],
        ["mode", "entry", "free", "--for", "36601d"],
        ["self-test", "lamp_go"], ["lines", "drive"], ["lines", "drive", "lamp"],
        ["lines", "drive", "lamp_go", "--for", "0s"], ["lines", "drive", "lamp_go", "--for=-1s"],
        ["lines", "drive", "lamp_go", "--for", "soon"],
    ]) func `64: wrong arguments`(arguments: [String]) throws {
        let command = try Command(arguments, at: nil)
        #expect(command.code == 64)
        #expect(command.errors.hasPrefix("Error: "))
        #expect(command.output == "")
    }

    @Test func `what is too long to be asked for is said with the most`() throws {
        let command = try Command("mode", "entry", "free", "--for", "999999999d", at: nil)
        #expect(command.errors.contains("'999999999d' is too long: at most 36600d"))
    }

    @Test(arguments: [
        ["settings", "show", "/nowhere.yaml"], ["lines", "--settings", "/nowhere.yaml"],
        ["simulate", "play", "/nowhere.scenario"], ["settings", "diff"],
    ]) func `66: a file that is not there`(arguments: [String]) throws {
        let command = try Command(arguments, at: nil)
        #expect(command.code == 66 && command.output == "")
        #expect(command.errors.contains("No such file"))
    }

    @Test func `69: no bus`() throws {
        let command = try Command("status", at: nil)
        #expect(command.code == 69)
        #expect(command.errors.contains("cannot connect to D-Bus"))
        #expect(command.errors.contains("/nowhere/bus"))
    }

    @Test(arguments: [["status"], ["grant", "entry"], ["watch"], ["records", "--follow"]])
    func `69: no gate`(arguments: [String]) throws {
        let gate = try FakeGate()
        gate.stop()
        let command = try Command(arguments, at: gate.address)
        #expect(command.code == 69)
        #expect(command.errors.contains("systemctl status turnstiled"))
        #expect(command.errors.contains("--user"))
    }

    @Test func `69: the service ends while somebody waits`() throws {
        let gate = try FakeGate(.busy, ["Grant": .init(reply: FakeGate.deferred, leaves: true)])
        let command = try Command("grant", "entry", "--wait", at: gate.address)
        #expect(command.code == 69)
        #expect(command.errors.contains("the gate's service has ended"))
    }

    @Test(arguments: [["status"], ["grant", "entry"], ["collect", "--yes"], ["faults"]])
    func `69: the service is killed while it is asked`(arguments: [String]) throws {
        let words = "Message recipient disconnected from message bus without replying"
        let gone = (name: "org.freedesktop.DBus.Error.NoReply", text: words)
        let gate = try FakeGate(
            .busy, ["GetAll": .init(error: gone), "Grant": .init(error: gone)])
        defer { gate.stop() }
        let command = try Command(arguments, at: gate.address)
        #expect(command.code == 69 && command.output == "")
        #expect(command.errors.contains("the gate's service has ended"), "\(command.errors)")
    }

    @Test(arguments: [
        ("io.turnstiled1.Error.NotAllowed", 77, "not allowed: the words of the gate\n"),
        ("org.freedesktop.DBus.Error.AccessDenied", 77, "Ask as root, or as a member of"),
        ("io.turnstiled1.Error.Busy", 75, "the gate is busy: the words of the gate"),
        (
            "org.freedesktop.DBus.Error.LimitsExceeded", 75,
            "the gate is busy: the words of the gate"
        ),
        ("org.freedesktop.DBus.Error.NoReply", 69, "the gate's service has ended"),
        ("org.freedesktop.DBus.Error.Timeout", 75, "did not answer in time"),
        ("io.turnstiled1.Error.Unavailable", 69, "is not available now: the words of the gate"),
        ("io.turnstiled1.Error.SettingsRefused", 78, "turnstilectl: the words of the gate"),
        ("org.freedesktop.DBus.Error.InvalidArgs", 64, "turnstilectl: the words of the gate"),
        ("org.freedesktop.DBus.Error.UnknownMethod", 1, "is older than this program"),
        ("io.turnstiled1.Error.New", 70, "New: the words of the gate"),
    ]) func `an error has its code, and says what to do`(
        name: String, code: Int32, words: String
    ) throws {
        let command = try run(
            "reload", reactions: ["ReloadSettings": .init(error: (name, "the words of the gate"))])
        #expect(command.code == code)
        #expect(command.output == "")
        #expect(command.errors.contains(words), "\(command.errors)")
    }

    @Test(
        arguments: [
            [], [.string("done")], [.string("done"), .string(""), .string("yes")],
            [.string("perhaps"), .string(""), .boolean(true)],
            [.string("refused"), .string("no_such_reason"), .boolean(true)],
        ] as [[BusValue]]) func `70: an answer that means nothing`(reply: [BusValue]) throws
    {
        let command = try run("grant", "entry", reactions: ["Grant": .init(reply: reply)])
        #expect(command.code == 70)
        #expect(command.errors.contains("cannot read"))
    }
}
