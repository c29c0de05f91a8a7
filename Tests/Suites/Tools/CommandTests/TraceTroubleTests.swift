import Controller
import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Trace

/// What the commands say where there is no trace, or none that is in order.
@Suite struct TraceTroubleTests {
    private static let readers = [
        ["show"], ["replay"], ["cut", "-o", "/dev/null"], ["export", "--vcd"],
    ]

    private let incident: RecordedIncident

    init() throws { incident = try RecordedIncident() }

    /// A file in the incident's folder that holds this.
    private func file(_ bytes: some Sequence<UInt8>) throws -> String {
        let path = incident["\(UUID()).trace"]
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test(arguments: readers) func `66: nothing is there`(verb: [String]) throws {
        let command = try Command(["trace"] + verb + ["/nowhere/gate.trace"], at: nil)
        #expect(command.code == 66 && command.output == "")
        #expect(command.errors.contains("/nowhere/gate.trace"))
        #expect(command.errors.contains("No such file or directory"))
    }

    @Test func `66: a folder with nothing in it`() throws {
        let folder = incident["empty"]
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let command = try Command("trace", "show", folder, at: nil)
        #expect(command.code == 66)
        #expect(command.errors == "turnstilectl: \(folder): nothing is recorded there\n")
        // As the folder of a service's state.
        try FileManager.default.createDirectory(
            atPath: "\(folder)/trace", withIntermediateDirectories: false)
        let state = try Command("trace", "show", folder, at: nil)
        #expect(state.code == 66)
        #expect(
            state.errors
                == "turnstilectl: \(folder): nothing is recorded there: name \(folder)/trace\n")
    }

    @Test(.timeLimit(.minutes(2))) func `66: a pipe`() throws {
        let command = try Command(
            shell: "cat gate.trace | turnstilectl trace show /dev/stdin", at: nil,
            in: incident.folder)
        #expect(command.code == 66)
        #expect(command.output.contains("neither a file nor a folder: copy it into a file"))
    }

    @Test func `a part is judged by the files that it is in`() throws {
        let folder = incident["ring"]
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        // Four hours later the service is started again.
        let start = Event(.started([]), at: .zero + .seconds(92 + 4 * 3_600))
        var gate = Turnstile(Beginning(policy: Policy(price: 150, coinUnit: 50)))
        var steps = [TraceStep.state(gate, .blank, at: start.time), .event(start, .handled)]
        gate.handle(start).commands.forEach { command in
            if case .record(let record) = command {
                steps.append(.record(record))
            } else {
                steps.append(.command(command))
            }
        }
        let damaged = bytes + Frame.bytes(.steps, [0, 0, 7, 7, 7])
        let files = [damaged, try RecordedIncident.bytes(of: steps, start: .seconds(1))]
        for (number, content) in files.enumerated() {
            try Data(content).write(to: URL(filePath: "\(folder)/0000000\(number + 1).trace"))
        }
        let part = try Command("trace", "replay", folder, "--since", "10:00", at: nil)
        #expect(part.code == 0 && part.output.contains("all as recorded"), "\(part)")
        let all = try Command("trace", "replay", folder, at: nil)
        #expect(all.code == 1)
    }

    @Test func `what means nothing is told with its byte, and the rest is shown`() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        let offset = bytes.count
        bytes += Frame.bytes(.steps, [0, 0, 7, 7, 7])
        let path = try file(bytes)
        let shown = try Command("trace", "show", path, at: nil)
        #expect(shown.code == 0 && shown.output.contains("somebody passed (entry), paid"))
        let told = try #require(
            shown.errors.wholeMatch(of: /turnstilectl: (.*): byte (\d+): (.*)\n/), "\(shown)")
        #expect(told.1 == path)
        #expect(Int(told.2).map { (offset..<bytes.count).contains($0) } == true)
        #expect(told.3.hasPrefix("it cannot be read: an unknown kind of step; "))
        let replay = try Command("trace", "replay", path, at: nil)
        #expect(replay.code == 1 && replay.output.contains("as far as it can be replayed"))
    }

    @Test func `what another version recorded has no other policy`() throws {
        let bytes = try RecordedIncident.bytes(of: incident.steps, stateVersion: 7)
        let told = try Command(
            "trace", "replay", file(bytes), "--settings", incident[.dearer], "--since", "06:12",
            at: nil)
        #expect(told.code == 66 && told.output == "")
        #expect(told.errors.contains("not replayed: the state before is not known here"))
        #expect(told.errors.contains("nothing of it can be replayed"))
    }

    @Test func `66: a file of another program`() throws {
        let path = try file("#!/bin/sh\nexit 0\n".utf8)
        let command = try Command("trace", "replay", path, at: nil)
        #expect(command.code == 66 && command.output == "")
        #expect(command.errors == "turnstilectl: \(path): \(TraceFlaw.foreign)\n")
    }

    @Test func `66: a trace of a later version, which is named`() throws {
        let path = try file("turnstiled-trace 2\nwhatever it is".utf8)
        let command = try Command("trace", "show", path, at: nil)
        #expect(command.code == 66 && command.output == "")
        #expect(command.errors.contains("2") && command.errors.contains(path))
    }

    /// Root may read all, so that it is somebody else who tries.
    @Test func `77: who may not read it is told who may`() throws {
        let whole = try Data(contentsOf: URL(filePath: incident[.trace]))
        let path = try file(whole)
        try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: path)
        let asNobody = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
        let command = try Command(shell: "\(asNobody)turnstilectl trace show \(path)", at: nil)
        #expect(command.code == 77, "\(command.output)")
        #expect(command.output.contains("Permission denied"))
        #expect(command.output.contains("for root and the group turnstile-audit"))
    }

    @Test func `what is cut short is shown as far as it goes`() throws {
        let whole = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        let path = try file(whole.dropLast(40))
        let shown = try Command("trace", "show", path, at: nil)
        #expect(shown.code == 0 && shown.output.contains("somebody passed (entry), paid"))
        let told = try #require(
            shown.errors.wholeMatch(of: /turnstilectl: (.*): read as far as byte (\d+): (.*)\n/))
        #expect(told.1 == path && told.3 == "\(TraceFlaw.cutShort)")
        #expect(Int(told.2).map { $0 > 0 && $0 < whole.count - 40 } == true)
        #expect(try Command("trace", "replay", path, at: nil).code == 0)
    }

    @Test func `a byte that is another one is told, and what comes before it is shown`() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        bytes[bytes.count - 10] ^= 0x55
        let shown = try Command("trace", "show", file(bytes), at: nil)
        #expect(shown.code == 0 && shown.output.contains("in operation"))
        #expect(shown.errors.contains(": read as far as byte "))
    }

    @Test func `66: what cannot be read is not told as if nothing had happened`() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        bytes[bytes.count - 10] ^= 0x55
        let path = try file(bytes)
        for verb in Self.readers {
            let after = try Command(["trace"] + verb + [path, "--since", "06:12"], at: nil)
            #expect(after.code == 66 && after.errors.contains("its checksum is wrong"))
            #expect(after.errors.contains("nothing of that time can be read"), "\(after.errors)")
            let before = try Command(
                ["trace"] + verb + [path, "--since", "06:05", "--until", "06:06"], at: nil)
            #expect(before.errors.contains("nothing was recorded then"), "\(before.errors)")
        }
    }

    @Test(arguments: [
        "half past six", "25:00", "06:60", "2026-13-01", "06:10:06.", "06:10:06.1234567", "6.5",
        "06:10:06.x", "-1",
    ]) func `64: no time, and what would be one`(time: String) throws {
        for option in ["--since", "--until", "--to"] {
            let command = try Command(
                ["trace", "show", incident[.trace], "\(option)=\(time)"], at: nil)
            #expect(command.code == 64 && command.output == "", "\(option) \(time)")
            #expect(
                command.errors.contains("write 2026-11-22") || command.errors.contains("digits"),
                "\(command.errors)")
        }
        let command = try Command(
            ["trace", "replay", incident[.trace], "--state-at=\(time)"], at: nil)
        #expect(command.code == 64)
    }

    @Test(arguments: [
        ["show", "--since", "06:12", "--until", "06:10"],
        ["show", "--since", "06:12", "--to", "06:12"],
        ["replay", "--step", "--state-at", "06:10"], ["export"], ["export", "--vcd", "--json"],
        ["cut"], ["replay", "--step"], [],
    ]) func `64: wrong arguments`(arguments: [String]) throws {
        let path = arguments.isEmpty ? [] : [incident[.trace]]
        let command = try Command(["trace"] + arguments + path, at: nil)
        #expect(command.code == 64 && command.output == "", "\(command)")
        #expect(!command.errors.isEmpty)
    }

    @Test func `without a terminal nobody steps, and it says what to do`() throws {
        let command = try Command("trace", "replay", incident[.trace], "--step", at: nil)
        #expect(command.code == 64 && command.output == "")
        #expect(command.errors.contains("--step needs a terminal; use 'trace show'"))
    }

    @Test func `settings with mistakes, or none, are told`() throws {
        let missing = try Command(
            "trace", "replay", incident[.trace], "--settings", "/nowhere.yaml", at: nil)
        #expect(missing.code == 66 && missing.errors.contains("No such file"))
        let path = try file("gate: {nam: north}\n".utf8)
        let wrong = try Command(
            "trace", "replay", incident[.trace], "--settings", path, at: nil)
        #expect(wrong.code == 78 && wrong.errors.contains("nam"))
    }

    @Test(
        arguments: [
            ("show", 74), ("replay", 74), ("replay --state-at 06:10:10", 74), ("export --json", 74),
            ("export --html -o /dev/full", 73), ("cut -o /dev/full", 73),
        ] as [(String, Int32)]) func `a full disk is told`(arguments: String, code: Int32) throws
    {
        let output = code == 74 ? ">/dev/full" : ""
        let command = try Command(
            shell: "turnstilectl trace \(arguments) gate.trace \(output)", at: nil,
            in: incident.folder)
        #expect(command.code == code, "\(command.output)")
        #expect(command.output.contains("No space left on device"))
    }

    @Test(arguments: [["cut"], ["export", "--html"]])
    func `73: the trace itself, by whatever name`(verb: [String]) throws {
        let before = try Data(contentsOf: URL(filePath: incident[.trace]))
        let link = incident["link.trace"]
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: incident[.trace])
        for output in [incident[.trace], link] {
            let command = try Command(
                ["trace"] + verb + [incident[.trace], "-o", output], at: nil)
            #expect(command.code == 73 && command.errors.contains("name another one"))
            #expect(try Data(contentsOf: URL(filePath: incident[.trace])) == before)
        }
    }

    @Test func `73: a file of the folder that is read`() throws {
        let folder = incident["ring"]
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let file = "\(folder)/00000001.trace"
        try FileManager.default.copyItem(atPath: incident[.trace], toPath: file)
        let other = try self.file(Data(contentsOf: URL(filePath: incident[.trace])))
        for output in [file, "\(folder)/00000002.trace", "\(folder)/../ring/cut"] {
            for arguments in [
                ["trace", "cut", folder, "-o", output],
                ["trace", "export", "--json", folder, "-o", output],
                ["diagnostics", "--trace", folder, "--yes", "--force", "-o", output],
            ] {
                let command = try Command(arguments, at: nil)
                #expect(command.code == 73 && command.errors.contains("name another one"))
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        // What goes to standard output is written nowhere.
        let piped = try Command(
            shell: "cd \(folder) && turnstilectl trace cut . -o - | wc -c", at: nil)
        #expect(piped.code == 0 && (Int(piped.output.filter(\.isNumber)) ?? 0) > 1_000, "\(piped)")
        // Beside a single file there is room for others.
        let beside = try Command("trace", "cut", other, "-o", incident["beside"], at: nil)
        #expect(beside.code == 0)
        let own = try Command(
            "diagnostics", "--trace", other, "--yes", "--force", "-o", other, at: nil)
        #expect(own.code == 73 && own.errors.contains("name another one"))
    }

    @Test func `where nothing can be drawn the file stays as it was`() throws {
        let path = try file("kept".utf8)
        let command = try Command(
            "trace", "export", "--json", incident[.trace], "--since", "06:10:04", "--until",
            "06:10:05", "-o", path, at: nil)
        #expect(command.code == 66 && command.errors.contains("nothing happened then"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    }

    @Test func `what is written to a pipe by its name goes there`() throws {
        let command = try Command(
            shell: "turnstilectl trace export --json gate.trace -o /dev/stdout | tail -n 1",
            at: nil,
            in: incident.folder)
        #expect(command.code == 0 && command.output.hasPrefix("{"), "\(command)")
    }

    @Test func `a state behind what is missing is not made up`() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        bytes += Frame.bytes(.steps, [0, 0, 7])
        let path = try file(bytes)
        let after = try Command("trace", "replay", path, "--state-at", "06:16:30", at: nil)
        #expect(after.code == 66 && after.output == "", "\(after)")
        #expect(after.errors.contains("the state at that time is not known here"))
        let before = try Command("trace", "replay", path, "--state-at", "06:12:32", at: nil)
        #expect(before.code == 0 && before.output.hasPrefix("after 2026-11-24 06:12:30"))
        // What the window has lost is told, though nothing that was read is in it.
        let part = try Command("trace", "replay", path, "--since", "06:16:00.5", at: nil)
        #expect(part.code == 1, "\(part)")
    }

    @Test func `a file of a ring has others beside it`() throws {
        let whole = try Data(contentsOf: URL(filePath: incident[.trace]))
        try whole.write(to: URL(filePath: incident["00000001.trace"]))
        for (name, code) in [("00000002.trace", 73), ("cut.trace", 0)] as [(String, Int32)] {
            let command = try Command(
                "trace", "cut", incident["00000001.trace"], "-o", incident[name], at: nil)
            #expect(command.code == code, "\(command)")
        }
    }

    @Test func `nothing that happened is nothing to be replayed`() throws {
        let times = ["--since", "06:10:04", "--until", "06:10:05"]
        for verb in [["replay"], ["replay", "--settings", incident[.dearer]]] {
            let command = try Command(["trace"] + verb + [incident[.trace]] + times, at: nil)
            #expect(command.code == 66 && command.output == "", "\(command)")
        }
        let state = try Command(
            ["trace", "replay", "--state-at", "06:10", incident[.trace]] + times, at: nil)
        #expect(state.code == 64)
    }

    @Test func `64: an archive to standard output`() throws {
        let command = try Command("diagnostics", "--yes", "-o", "-", at: nil)
        #expect(command.code == 64 && command.errors.contains("the archive goes into a file"))
    }

    @Test func `a trace that is damaged is not replayed as if it were whole`() throws {
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: incident[.trace])))
        bytes[bytes.count - 10] ^= 0x55
        let replay = try Command("trace", "replay", file(bytes), at: nil)
        #expect(replay.code == 1)
        #expect(replay.output.contains("as recorded, as far as it can be replayed"))
        // Nor is what is cut from it.
        let damaged = try file(bytes)
        let cut = try Command("trace", "cut", damaged, "-o", incident["torn"], at: nil)
        #expect(cut.code == 0 && cut.errors.contains("something is missing in 1 place"))
        let again = try Command("trace", "replay", incident["torn"], at: nil)
        #expect(again.code == 1 && again.errors.contains("something is missing in 1 place"))
    }

    @Test(arguments: [["cut"], ["export", "--json"]])
    func `what is written is for its owner`(verb: [String]) throws {
        let command = try Command(
            ["trace"] + verb + [incident[.trace], "-o", incident["out"]], at: nil)
        #expect(command.code == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: incident["out"])
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `73: a folder that is not there`() throws {
        for verb in [["cut"], ["export", "--vcd"]] {
            let command = try Command(
                ["trace"] + verb + [incident[.trace], "-o", incident["none/cut.trace"]], at: nil)
            #expect(command.code == 73 && command.errors.contains("No such file"), "\(command)")
        }
    }

    /// Names of operators have no such characters where they come from.
    @Test func `what steers a terminal is in no line`() throws {
        let gate = "\u{1B}[2J\u{1B}]0;mine\u{7}\u{202E}"
        let bytes = try RecordedIncident.bytes(of: incident.steps, gate: gate)
        // An operator of the same length who would.
        let path = try file(Self.replacing("anna", with: "\u{1B}[2J", in: bytes))
        for arguments in [
            ["show"], ["show", "--shell"], ["replay"], ["replay", "--state-at", "06:12:31"],
            ["replay", "--settings", incident[.dearer]], ["export", "--vcd"], ["export", "--json"],
        ] {
            let command = try Command(["trace"] + arguments + [path], at: nil)
            let told = command.output + command.errors
            #expect(!told.isEmpty)
            #expect(
                !told.unicodeScalars.contains {
                    $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
                }, "\(arguments)")
        }
        #expect(try Command("trace", "show", path, at: nil).output.contains("gate ' [2J "))
    }

    /// The bytes of a trace with another text of the same length, and the checksums of that.
    private static func replacing(
        _ old: String, with new: String, in bytes: [UInt8]
    ) throws -> [UInt8] {
        var written = TraceFormat.firstLine
        while written.count < bytes.count {
            let frame = try Frame(in: bytes, at: written.count)
            var content = Array(bytes[frame.content])
            content.replace(Array(old.utf8), with: Array(new.utf8))
            written += Frame.bytes(try #require(frame.kind), content)
        }
        return written
    }
}
