import Foundation
import Journal
import Keeping
import SourceCases
import SystemFixtures
import Testing

@testable import Turnstile

@Suite struct CatalogTests {
    static let file = systemdFolder.appending(path: "turnstiled.catalog")

    /// `UPDATE_GENERATED=1 swift test --filter CatalogTests` writes the file anew.
    @Test func `the catalog is what the kinds say`() throws {
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try EntryKind.catalog.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == EntryKind.catalog)
    }

    @Test func `ids and names are unique`() {
        #expect(Set(EntryKind.all.map(\.id)).count == EntryKind.all.count)
        #expect(Set(EntryKind.all.map(\.event)).count == EntryKind.all.count)
    }

    @Test(arguments: EntryKind.all) func `a kind has the form that the catalog asks for`(
        kind: EntryKind
    ) {
        #expect(kind.id.wholeMatch(of: /[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}/) != nil)
        #expect(kind.event.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
        #expect(!kind.subject.contains("\n"))
        for line in kind.explanation.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 84 && !line.hasPrefix("--"))
        }
    }

    /// Every kind that some record has, with the entries of it.
    static let entries = Dictionary(grouping: EntryTests.entries, by: \.messageID)

    @Test func `the catalog has the kinds of all records, and no others`() {
        #expect(Set(Self.entries.keys) == Set(EntryKind.all.map(\.id)))
    }

    /// A sample that leads to none of the rest compiles.
    @Test func `the samples have every record`() throws {
        #expect(
            try Set(Record.samples.map { SourceCases.name(of: $0) })
                == SourceCases.names(
                    of: "Record", in: "Sources/Gate/Turnstile/Catalogue/Records.swift"))
        #expect(
            try Set(ShellRecord.samples.map { SourceCases.name(of: $0) })
                == SourceCases.names(
                    of: "ShellRecord",
                    in: "Sources/Service/Storage/Journal/Entries/ShellRecord.swift"))
    }

    @Test(arguments: EntryKind.all) func `what the catalog quotes is in every entry of the kind`(
        kind: EntryKind
    ) throws {
        let quoted = (kind.subject + kind.explanation).matches(of: /@([A-Z_]+)@/).map(\.1)
        for entry in try #require(Self.entries[kind.id]) {
            #expect(entry.priority == kind.priority)
            #expect(entry[.event] == kind.event)
            for name in quoted {
                let field = try #require(FieldName(journalName: name))
                #expect(entry[field] != nil, "\(name) in \(kind.event)")
            }
        }
    }

    @Test func `every record is among the vocabulary's forms, under the name of its kind`() {
        #expect(Set(Record.forms.map(\.name)) == Set(Record.samples.map(\.name)))
        for record in Record.samples + Record.forms {
            #expect(record.entry.kind.event == record.name)
        }
    }

    @Test func `what the journal spells is read as it was written`() throws {
        // One that makes a single character with the sign before it, and one with that after it.
        let names = try ["\u{301}=", "a\u{d4e}"].map { name in
            try #require(Operator(number: 1000, name: name))
        }
        for record in Record.samples + names.map({ .done(.grant, by: .person($0)) }) {
            let fields = try Fields(journalLines: record.fields.journalLines)
            #expect(try Record(record.name, fields) == record)
        }
        for line in ["TURNSTILE_LINES=fire", "TURNSTILE_line=fire", "LINE=fire", "TURNSTILE_LINE"] {
            #expect(throws: FieldError.self) { try Fields(journalLines: line) }
        }
    }

    @Test(arguments: Refusal.allCases) func `the catalog says why`(refusal: Refusal) {
        let kind = Record.refused(.grant, by: .schedule, refusal).entry.kind
        #expect(kind.explanation.contains("\n\(refusal.rawValue): "))
    }

    @Test(arguments: Fault.all) func `a fault's kind has the fault's name`(fault: Fault) {
        #expect(fault.entryKind.event == "fault_\(fault.name)")
    }

    @Test(arguments: Alarm.allCases) func `an alarm's kind has the alarm's name`(alarm: Alarm) {
        #expect(alarm.entryKind.event == "alarm_\(alarm.name)")
    }

    /// journald's own reader is the judge of the format, where it is installed.
    @Test(.enabled(if: has("/usr/bin/journalctl"), "there is no journalctl"))
    func `journalctl reads the catalog`() throws {
        let folder = try TemporaryFolder()
        try folder.write(EntryKind.catalog, to: "usr/lib/systemd/catalog/turnstiled.catalog")
        try folder.write("", to: "var/lib/systemd/catalog/empty")
        let root = "--root=\(folder.path(""))"
        #expect(try run("/usr/bin/journalctl", root, "--update-catalog").isEmpty)
        let list = try run("/usr/bin/journalctl", root, "--list-catalog")
        let expected = EntryKind.all.map { "\($0.id) turnstiled: \($0.subject)" }
        #expect(list.split(separator: "\n").map(String.init).sorted() == expected.sorted())
    }
}
