import Audit
import Console
import Foundation
import Journal
import System
import Testing

@testable import turnstilectl

/// The parts that a report on an incident is made of.
@Suite struct DiagnosticsPartTests {
    private static let utc = LocalClock { _ in 0 }

    private func archive(_ members: [TarMember]) -> [UInt8] {
        var bytes: [UInt8] = []
        Tar(members: members, time: .seconds(1_795_327_267)).write { bytes += $0 }
        return bytes
    }

    @Test func `an archive is as POSIX has it`() {
        let bytes = archive([TarMember(name: "a.txt", bytes: [97, 10])])
        #expect(bytes.count == 4 * 512)
        func field(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(field(0..<6) == "a.txt\0")
        #expect(field(100..<136) == "0000600\00000000\00000000\000000000002\0")
        #expect(field(136..<148) == "15300502443\0")
        #expect(field(156..<157) == "0" && field(257..<265) == "ustar\000")
        let head = Array(bytes[..<512])
        let sum = head.enumerated().reduce(0) { $0 + (148..<156 ~= $1.0 ? 32 : Int($1.1)) }
        #expect(Int(field(148..<154), radix: 8) == sum && field(154..<156) == "\0 ")
        #expect(bytes[512..<514] == [97, 10] && bytes[514...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: [0, 1, 511, 512, 513, 100_000])
    func `files of any length are unpacked as they were`(count: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let members = [
            TarMember(name: "first", bytes: content), TarMember(name: "second", bytes: [1]),
        ]
        try Data(archive(members)).write(to: folder.appending(path: "a.tar"))
        let told = try Command(shell: "tar -tvf a.tar && tar -xf a.tar", at: nil, in: folder)
        #expect(told.code == 0, "\(told.output)")
        let lines = told.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("-rw------- 0/0 "), "\(lines)")
        #expect(lines[0].hasSuffix(" \(count) 2026-11-22 06:01 first"), "\(lines)")
        for member in members {
            let file = folder.appending(path: member.name)
            #expect(try Data(contentsOf: file) == Data(member.bytes))
        }
    }

    private func entry(
        _ second: Int, _ fields: [(String, String)], boot: String = "b"
    ) -> KeptEntry {
        KeptEntry(
            time: .seconds(1_795_327_267 + second) + .microseconds(42), bootID: boot,
            fields: fields.map { KeptEntry.Field($0, $1) })
    }

    @Test func `entries are told with the service's fields, and steer no terminal`() {
        var text = JournalText(Self.utc)
        let fields = [
            ("_HOSTNAME", "secret"), ("MESSAGE", "one\ntwo\u{1B}[2J"), ("_PID", "7"),
            ("TURNSTILE_EVENT", "released"), ("SYSLOG_IDENTIFIER", "turnstiled"),
            ("PRIORITY", "6"), ("_MACHINE_ID", "secret"), ("TURNSTILE_CODE", "A1\nB"),
        ]
        let taken = [
            text.take(entry(1, fields, boot: "c")), text.take(entry(0, [("MESSAGE", "before")])),
        ]
        #expect(taken == [true, true])
        #expect(
            text.text == """
                -- boot b
                2026-11-22T06:01:07.000042+00:00 unknown: before
                -- boot c
                2026-11-22T06:01:08.000042+00:00 turnstiled[7]: one
                        two [2J
                    PRIORITY=6
                    TURNSTILE_CODE=A1
                        B
                    TURNSTILE_EVENT=released

                """)
        #expect(text.lastLeftOut == nil)
    }

    @Test func `of too many entries the newest are told, and that there are more`() {
        var text = JournalText(Self.utc, mostBytes: 200)
        var second = 0
        while text.take(entry(-second, [("MESSAGE", "number \(second)")])) { second += 1 }
        #expect(second == 3)
        #expect(text.text.contains("number 0") && !text.text.contains("number 3"))
        #expect(text.lastLeftOut == entry(-3, []).time)
        #expect(text.text.utf8.count <= 200 + "-- boot b\n".utf8.count)
    }

    @Test(arguments: [
        ("north gate", "north-gate"), ("", "gate"), ("..", "gate"), ("../etc/passwd", "etc-passwd"),
        ("-x", "x"), ("Süd", "S-d"), ("a\0b\nc", "a-b-c"), ("北", "gate"),
        (String(repeating: "a", count: 99), String(repeating: "a", count: 40)),
    ]) func `a gate's name is part of a file's`(name: String, part: String) {
        #expect(DiagnosticsBundle.fileNamePart(name) == part)
        let bundle = DiagnosticsBundle(
            gate: name, from: .zero, to: nil, made: .seconds(1_795_327_267), clock: Self.utc)
        #expect(bundle.fileName == "turnstiled-\(part)-20261122-060107.tar")
    }

    @Test func `what is left out and taken out is shown before, and read afterwards`() throws {
        var bundle = DiagnosticsBundle(
            gate: "north\u{1B}", from: .seconds(1_795_323_667), to: nil,
            made: .seconds(1_795_327_267), clock: Self.utc)
        bundle.commentCount = 1
        bundle.put(.journal, [UInt8](repeating: 10, count: 12_345), remark: "more is left out")
        bundle.leaveOut(.ledger, "nobody may")
        let shown = bundle.lines.map { $0.map(\.text).joined() }
        #expect(shown[0] == "2026-11-22 05:01:07 to now, by the gate's clock")
        #expect(shown.contains { $0.hasPrefix("journal.txt  13 kB  the journal of the service") })
        let readme = String(decoding: bundle.members[0].bytes, as: UTF8.self)
        #expect(readme.hasPrefix("About the gate 'north ', from\n2026-11-22 05:01:07 to now"))
        #expect(readme.contains("  journal.txt  the journal of the service"))
        for text in [readme, shown.joined(separator: "\n")] {
            for words in ["more is left out", "nobody may", "comments of the settings: 1 line"] {
                #expect(text.contains(words), "\(text)")
            }
        }
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (1_001, "2 kB"), (5_000_000, "5 MB"),
        (5_000_001, "6 MB"),
    ]) func `sizes are for people`(count: Int, text: String) {
        #expect(DiagnosticsBundle.size(count) == text)
    }

    @Test func `the system is called as its release says`() {
        let text = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n"
        #expect(Versions.systemName(in: text) == "Debian GNU/Linux 13 (trixie)")
        #expect(Versions.systemName(in: "ID=x\n") == nil)
    }
}
