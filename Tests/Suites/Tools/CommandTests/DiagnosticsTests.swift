import Foundation
import Settings
import System
import Testing

@testable import Trace
@testable import turnstilectl

/// What is put together for whoever looks for what went wrong.
@Suite struct DiagnosticsTests {
    /// What somebody has written where nobody else was to read it.
    private static let secret = "s3cret-4711"

    /// Settings with a comment behind each line, and the gate's name.
    private static func settings(_ name: String = "\"Süd # 1\"") throws -> String {
        let sample = Command.repository.appending(path: "config/turnstiled.yaml")
        return try String(contentsOf: sample, encoding: .utf8)
            .replacing("name: turnstile ", with: "name: \(name) ")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\($0)  # \(secret)" }.joined(separator: "\n")
    }

    /// Has what is of a gate put together in its folder.
    private func diagnose(_ gate: RecordedGate, _ arguments: String...) throws -> Command {
        try Command(
            ["diagnostics", "--trace", gate["state/trace"], "--ledger", gate["state/ledger.db"]]
                + arguments, at: nil)
    }

    /// Unpacks an archive into a folder that it makes, and returns what is in it, by name.
    private func unpack(_ archive: String, to folder: String) throws -> [String: Data] {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let told = try Command(
            shell: "umask 022; tar --extract --same-permissions --verbose --file '\(archive)' "
                + "--directory '\(folder)'", at: nil)
        #expect(told.code == 0, "\(told.output)")
        let names = told.output.split(separator: "\n").map(String.init)
        #expect(names.first == "README.txt")
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = "\(folder)/\(name)"
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
                let age = (attributes[.modificationDate] as? Date)?.timeIntervalSinceNow
                #expect(abs(age ?? .infinity) < 600, "\(name)")
                return (name, try Data(contentsOf: URL(filePath: path)))
            })
    }

    private func text(_ data: Data?) throws -> String {
        String(decoding: try #require(data), as: UTF8.self)
    }

    @Test func `a simulated gate's incident is unpacked elsewhere, and replays there`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let archive = gate["report.tar"]
        let told = try diagnose(gate, "--yes", "-o", archive)
        #expect(told.code == 0, "\(told.errors)")
        #expect(told.output.contains("taken out: the comments of the settings: "))
        #expect(told.output.hasSuffix("written to \(archive)\n"))
        let mode = try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let files = try unpack(archive, to: gate["elsewhere"])
        #expect(Set(files.keys) == Set(DiagnosticsFile.allCases.map(\.rawValue)))

        let trace = gate["elsewhere/incident.trace"]
        let replay = try Command("trace", "replay", trace, at: nil)
        #expect(replay.code == 0 && replay.output.contains("all as recorded"), "\(replay)")
        #expect(try Command("trace", "show", trace, at: nil).output.contains("• in operation"))

        let settings = try text(files["settings.yaml"])
        #expect(!settings.contains(Self.secret))
        let read = try Settings.parse(settings, file: "gate.yaml")
        #expect(try read == Settings.parse(Self.settings(), file: "gate.yaml"))
        #expect(read.gate == "Süd # 1")
        #expect(try Recording(path: trace).pages.allSatisfy { $0.header.settings == settings })

        #expect(try text(files["ledger.jsonl"]).contains("\"kind\": \"started\""))
        for name in ["registers.json", "doctor.json"] {
            _ = try #require(
                JSONSerialization.jsonObject(with: files[name] ?? Data()) as? [String: Any])
        }
        #expect(try text(files["doctor.txt"]).hasSuffix(" ok\n"))
        #expect(try text(files["versions.txt"]).contains("turnstiled    \(programVersion)\n"))
        #expect(try !text(files["journal.txt"]).isEmpty)
        let readme = try text(files["README.txt"])
        for name in files.keys { #expect(readme.contains("  \(name) ")) }
        #expect(readme.contains("turnstilectl trace replay incident.trace\n"))
    }

    @Test func `nothing of what was taken out is anywhere in it`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let archive = gate["report.tar"]
        #expect(
            try diagnose(gate, "--yes", "-o", archive, "--settings", gate["gate.yaml"]).code == 0)
        let bytes = try Data(contentsOf: URL(filePath: archive))
        #expect(bytes.range(of: Data("Süd # 1".utf8)) != nil)
        let machine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        for word in [Self.secret, String(machine.prefix(32))] where !word.isEmpty {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
    }

    @Test func `where there is nothing, that is said, and the rest is there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let archive = folder.appending(path: "report.tar").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let told = try Command(
            "diagnostics", "--yes", "-o", archive, "--trace", "/nowhere/trace", "--ledger",
            "/nowhere/ledger.db", "--settings", "/nowhere/gate.yaml", at: nil)
        #expect(told.code == 0, "\(told.errors)")
        let files = try unpack(archive, to: folder.appending(path: "elsewhere").path)
        #expect(
            Set(files.keys)
                == ["README.txt", "journal.txt", "doctor.txt", "doctor.json", "versions.txt"])
        let readme = try text(files["README.txt"])
        for name in ["incident.trace", "settings.yaml", "ledger.jsonl", "registers.json"] {
            #expect(told.errors.contains("\(name) is left out: "))
            #expect(readme.contains("  \(name)"))
        }
        #expect(readme.contains("/nowhere/trace"))
    }

    @Test func `without a time it is the last hour that was recorded, however long ago`() throws {
        let incident = try RecordedIncident()
        let told = try Command(
            "diagnostics", "--yes", "-o", incident["report.tar"], "--trace", incident[.trace],
            "--ledger", "/nowhere/ledger.db", at: nil)
        #expect(told.code == 0 && told.output.hasPrefix("2026-11-24 05:16"), "\(told)")
        let files = try unpack(incident["report.tar"], to: incident["elsewhere"])
        #expect(files["incident.trace"] != nil)
    }

    @Test func `nothing is written where nobody says yes`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let archive = gate["report.tar"]
        let told = try diagnose(gate, "-o", archive)
        #expect(told.code == 64 && told.output.contains("incident.trace "))
        #expect(told.errors.contains("confirm with --yes"))
        #expect(!File.exists(archive))
        let json = try diagnose(gate, "--json", "--yes", "-o", archive)
        let objects = try json.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.first?["file"] as? String == "README.txt")
        #expect(objects.last?["written"] as? String == archive)
        #expect(File.exists(archive))
    }

    @Test(arguments: [("y", true), ("n", false), ("", false)])
    func `on a terminal somebody is asked who has seen what is in it`(
        typed: String, isWritten: Bool
    ) throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let told = try Command(
            shell: """
                printf '\(typed)\\n' | script --quiet --return --echo never \\
                    --command 'turnstilectl diagnostics --trace state/trace -o a.tar' /dev/null
                """, at: nil, in: gate.folder)
        let parts = told.output.components(separatedBy: "write it to a.tar? [y/N] ")
        #expect(parts.count == 2 && parts[0].contains("taken out: "), "\(told.output)")
        #expect(parts[0].contains("the gate is simulated: name its ledger with --ledger"))
        #expect(told.code == (isWritten ? 0 : 1))
        #expect(File.exists(gate["a.tar"]) == isWritten)
    }

    @Test func `a file that is there stays, unless it is to be written over`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let archive = gate["report.tar"]
        try Data("mine".utf8).write(to: URL(filePath: archive))
        let refused = try diagnose(gate, "--yes", "-o", archive)
        #expect(refused.code == 73 && refused.errors.contains("--force"), "\(refused)")
        #expect(try Data(contentsOf: URL(filePath: archive)) == Data("mine".utf8))
        #expect(try diagnose(gate, "--yes", "--force", "-o", archive).code == 0)
        #expect(try !unpack(archive, to: gate["elsewhere"]).isEmpty)
        let ledger = gate["state/ledger.db"]
        let before = try Data(contentsOf: URL(filePath: ledger))
        let own = try diagnose(gate, "--yes", "--force", "-o", ledger)
        #expect(own.code == 73 && own.errors.contains("the ledger's own"), "\(own)")
        #expect(try Data(contentsOf: URL(filePath: ledger)) == before)
    }

    @Test func `a disk that is full is told, and leaves nothing there`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let line =
            "trap '' XFSZ; ulimit -f 1; turnstilectl diagnostics --yes --trace "
            + "\(gate["state/trace"]) --ledger \(gate["state/ledger.db"]) -o "
        let full = try Command(shell: "\(line)\(gate["report.tar"])", at: nil)
        #expect(full.code == 73 && full.output.contains("File too large"), "\(full.output)")
        let gone = try diagnose(gate, "--yes", "-o", gate["none/report.tar"])
        #expect(gone.code == 73 && gone.errors.contains("No such file"), "\(gone)")
        #expect(try File.names(in: gate[""]) == ["gate.yaml", "state"])
    }

    @Test func `a time that is not in the trace is told, and the rest is there`() throws {
        let gate = try RecordedGate(settings: try Self.settings())
        let told = try diagnose(
            gate, "--yes", "-o", gate["report.tar"], "--since", "2001-01-01", "--until",
            "2001-01-02")
        #expect(told.code == 0 && told.errors.contains("incident.trace is left out: nothing was"))
        let files = try unpack(gate["report.tar"], to: gate["elsewhere"])
        #expect(try !text(files["ledger.jsonl"]).contains("\"kind\""))
        let wrong = try diagnose(gate, "--since", "2001-01-02", "--until", "2001-01-01")
        #expect(wrong.code == 64 && wrong.errors.contains("is not before"), "\(wrong)")
    }

    @Test func `a gate of any name has a file of a name that nothing trips over`() throws {
        let gate = try RecordedGate(settings: try Self.settings(#""../$(rm) \"é\" -x""#))
        let line =
            "turnstilectl diagnostics --yes --trace state/trace --ledger state/ledger.db 2>&-"
        let told = try Command(shell: line, at: nil, in: gate.folder)
        #expect(told.code == 0, "\(told.output)")
        let names = try File.names(in: gate[""])
        #expect(names.count == 3)
        #expect(names.contains { $0.contains(/^turnstiled-rm-x-\d{8}-\d{6}\.tar$/) }, "\(names)")
    }
}
