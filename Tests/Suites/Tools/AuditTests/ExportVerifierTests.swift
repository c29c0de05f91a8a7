import Checkout
import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Audit
@testable import Ledger

/// The program with which anybody who has an export alone can verify it: docs/verify-export.py.
@Suite(.enabled(if: Python.path != nil)) struct ExportVerifierTests {
    let books: Books

    init() throws { books = try Books() }

    private func fill() throws {
        try books.write([.started] + Record.paidPassage(with: 100, 50), .interval)
        try books.write([.vaultReplaced], .collection(0, expected: 150))
        // No coin has no pulses, as those have that stand for a form.
        let forms = Record.forms.filter { Contents([$0]).registers.check().isEmpty }
        try books.write(forms, .day(20_500_101))
        try books.write([.coin(200)])
    }

    private func lines(
        of snapshot: LedgerSnapshot? = nil, since: Duration? = nil, until: Duration? = nil
    ) throws -> [String] {
        var lines: [String] = []
        let snapshot = try snapshot ?? books.snapshot()
        try JSONLinesExport(snapshot, since: since, until: until).write { lines.append($0) }
        return lines
    }

    // Running it.

    private static let script = Checkout.root.appending(path: "docs/verify-export.py").path

    private func run(
        _ arguments: [String], _ input: Data
    ) throws -> (code: Int32, output: Data, errors: String) {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Python.path))
        process.arguments = arguments
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (standardInput, output)
        process.standardError = errors
        try process.run()
        // It may end before it has read everything.
        signal(SIGPIPE, SIG_IGN)
        try? standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let told = output.fileHandleForReading.readDataToEndOfFile()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, told, String(decoding: words, as: UTF8.self))
    }

    /// Runs the program on each of several exports, all in one process.
    private static let driver = """
        import contextlib, io, json, sys
        sys.argv, exports, verdicts = sys.argv[1:], json.load(sys.stdin), []
        program = compile(open(sys.argv[0]).read(), sys.argv[0], "exec")
        for export in exports:
            sys.stdin = io.TextIOWrapper(io.BytesIO(export.encode()))
            try:
                with contextlib.redirect_stdout(io.StringIO()): exec(program, {})
                verdicts.append("")
            except SystemExit as end: verdicts.append(str(end.code))
        print(json.dumps(verdicts))
        """

    /// What it says of each export; "" for a good one.
    private func verdicts(of exports: [[String]], _ arguments: String...) throws -> [String] {
        let input = try JSONEncoder().encode(exports.map { $0.joined() })
        let told = try run(["-c", Self.driver, Self.script] + arguments, input)
        #expect(told.code == 0, "\(told.errors)")
        return try JSONDecoder().decode([String].self, from: told.output)
    }

    private func verdict(of export: [String], _ arguments: String...) throws -> String {
        let input = Data(export.joined().utf8)
        let told = try run([Self.script] + arguments, input)
        #expect((told.code == 0) == told.errors.isEmpty && !told.errors.contains("Traceback"))
        return told.errors
    }

    // What it accepts.

    @Test func `all of a ledger is good, and so is each part`() throws {
        try fill()
        let slip = try books.snapshot().checkpoints()[2].checkpoint
        let key = try #require(books.snapshot().key)
        #expect(try verdict(of: lines(), "\(slip.hash)", "\(key)") == "")
        let place = Books.wallOffset + .seconds(9)
        #expect(try verdict(of: lines(until: place)) == "")
        #expect(try verdict(of: lines(since: place)) == "")
        #expect(try verdict(of: lines(since: place, until: place + .seconds(2))) == "")
        #expect(try verdict(of: lines(since: place + .seconds(1_000))) == "")
        for other in ["\(Digest(of: "another one"))", "\(SigningKey().verificationKey)"] {
            #expect(try verdict(of: lines(), other).contains("is not in it: \(other)"))
        }
        #expect(try verdict(of: []).contains("nothing to verify"))
    }

    @Test func `it says up to where the gate has signed it`() throws {
        try fill()
        let told = try run([Self.script], Data(lines().joined().utf8))
        let (last, key) = (try books.snapshot().sequences?.upperBound, try books.snapshot().key)
        #expect(
            String(decoding: told.output, as: UTF8.self) == """
                \(try #require(last)): the chain is unbroken
                signed up to record \(try #require(last) - 1), with the key \(try #require(key))

                """)
    }

    @Test func `a ledger that was pruned is verified`() throws {
        var limits = RecordLimits()
        limits.count = 5
        let books = try Books(limits: limits)
        for _ in 0..<20 {
            try books.write([.coin(50)], .interval)
            try books.write([.coin(100), .started], .day(20_261_122))
        }
        let snapshot = try books.snapshot()
        #expect(try #require(snapshot.sequences).lowerBound > 10)
        let export = try lines(of: snapshot)
        let places = export.indices.filter { export[$0].contains("\"note\"") }
        #expect(places.count > 21)
        #expect(try verdict(of: export) == "")
        let without = places.map { place in
            export.indices.filter { $0 != place }.map { export[$0] }
        }
        #expect(try verdicts(of: without).allSatisfy { $0 != "" })
    }

    @Test func `a change of gate, branch and key is followed`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.started, .coin(50)], at: .at(2001, 11, 22, 8))
        try keeper.sign()
        let (copy, place) = (keeper.path + ".copy", keeper.path + ".restored")
        _ = try LedgerReader(path: keeper.path).backUp(to: copy)
        _ = try LedgerKeeper(path: place, gate: "north", bootID: "boot").restore(copy)
        // The service signs it with its next start.
        let restored = try lines(of: LedgerReader(path: place).open())
        _ = try Opening(place: Place(path: place), gate: "north", bootID: "boot").open()
        let snapshot = try LedgerReader(path: place).open()
        let (before, after) = (try keeper.snapshot(), try lines(of: snapshot))
        #expect(snapshot.key != before.key && snapshot.branch != before.branch)
        #expect(after.contains { $0.contains("\"for\": \"key\"") })
        let part = try lines(of: snapshot, until: .at(2002, 1, 1))
        #expect(part[0].contains("\(try #require(before.key))"))
        #expect(part[0].contains(try #require(before.branch)))
        #expect(try verdicts(of: [restored, after, part]) == ["", "", ""])
    }

    // What it refuses.

    @Test func `it says in words which line is wrong`() throws {
        try fill()
        let lines = try lines()
        let record = try #require(lines.firstIndex { $0.contains("\"kind\"") })
        let checkpoint = try #require(lines.firstIndex { $0.contains("\"note\"") })
        let (number, last) = (record + 1, lines.count - 1)
        let other = lines[record].replacing("\"life\": ", with: "\"life\": 7")
        let unsigned = lines[checkpoint].replacing("starts ", with: "starts 1", maxReplacements: 1)
        for (place, replacement, words) in [
            (record, other, "line \(number): record 1 (ledger_begun) does not fit record 0: "),
            (record, nil, "record 2 (started) follows record 0: what was between is missing"),
            (record, "{", "line \(number): it cannot be read: it is damaged, or cut short"),
            (record, "7", "line \(number): it is no line of an export: "),
            (record, lines[0], "line \(number): the chain begins once more"),
            (checkpoint, unsigned, "checkpoint 1 has other registers than those that were signed"),
            (checkpoint, nil, "checkpoints are missing before checkpoint 2"),
            (0, nil, "line 1: the first line is missing"),
            (last, nil, "the end is missing: the export was cut short"),
        ] as [(Int, String?, String)] {
            var altered = lines
            altered.replaceSubrange(place...place, with: replacement.map { [$0 + "\n"] } ?? [])
            let errors = try verdict(of: altered)
            #expect(errors.contains(words), "\(errors)")
        }
    }

    @Test func `each line has its place, and each digit of a record counts`() throws {
        try fill()
        let lines = try lines()
        var exports: [[String]] = []
        for place in lines.indices {
            for replacement in [[], [lines[place], lines[place]]] {
                var altered = lines
                altered.replaceSubrange(place...place, with: replacement)
                exports.append(altered)
            }
            var altered = lines
            altered.swapAt(place, (place + 1) % lines.count)
            exports.append(altered)
            guard let digit = lines[place].lastIndex(of: "5"), lines[place].contains("\"kind\"")
            else { continue }
            altered = lines
            altered[place].replaceSubrange(digit...digit, with: "6")
            exports.append(altered)
        }
        for (export, verdict) in zip(exports, try verdicts(of: exports)) where verdict == "" {
            Issue.record("accepted: \(export.joined())")
        }
    }

    /// What it does not compare, and why: docs/proof.md.
    private static let unproved = ["format.program: altered", "format.vocabulary: altered"]

    @Test func `each key of each kind of line is compared`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.started] + Record.paidPassage, at: .at(2001, 11, 22, 8))
        try keeper.sign()
        try keeper.lose([.coin(50)])
        try keeper.record(
            [.coinsCollected, .collectionCounted(value: 300)], at: .at(2001, 11, 22, 9))
        try keeper.record(.stopped, at: .at(2001, 11, 23, 8))
        let lines = try lines(of: keeper.snapshot())
        var alterations: [ExportLine.Alteration] = []
        var exports: [[String]] = []
        for place in lines.indices {
            for alteration in try ExportLine(lines[place]).alterations {
                alterations.append(alteration)
                var altered = lines
                altered[place] = alteration.line
                exports.append(altered)
            }
        }
        // In the order of `alterations`.
        let verdicts = try verdicts(of: exports)
        let accepted = zip(alterations, verdicts).filter { $0.1 == "" }.map(\.0.name)
        #expect(Set(accepted) == Set(Self.unproved))
        let names = Set(alterations.map(\.name))
        for name in [
            "format.key: removed", "kind.fields: altered", "kind.fields.value: twice",
            "kind.details: altered", "kind.fields: added", "note.note: altered", "end.end: twice",
        ] { #expect(names.contains(name), "\(name)") }
    }
}

private enum Python {
    static let path = ["/usr/bin", "/usr/local/bin", "/root/.pyenv/shims"]
        .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// A line of an export as it is written, which can be written in other ways.
private struct ExportLine {
    /// One of them, and what was done: `note.sequence: removed`.
    struct Alteration {
        var name: String
        var line: String
    }

    private typealias Member = (name: String, value: Substring)

    private let kind: String
    private let members: [Member]

    init(_ line: String) throws {
        let members = Self.members(of: line.dropLast())
        let kinds = ["format", "kind", "note", "end"]
        let found = kinds.first { kind in members.contains { $0.name == kind } }
        kind = try #require(found)
        self.members = members
    }

    var alterations: [Alteration] {
        Self.alterations(of: members, kind).map {
            Alteration(name: $0.name, line: Self.text(of: $0.members) + "\n")
        }
    }

    private static func alterations(
        of members: [Member], _ path: String
    ) -> [(name: String, members: [Member])] {
        var found: [(name: String, members: [Member])] = []
        for (index, member) in members.enumerated() {
            let name = "\(path).\(member.name)"
            func add(_ what: String, _ replacement: [Member]) {
                var altered = members
                altered.replaceSubrange(index...index, with: replacement)
                found.append(("\(name): \(what)", altered))
            }
            add("removed", [])
            add("twice", [member, member])
            for value in others(than: member.value) {
                add("altered", [(member.name, value)])
                add("twice", [(member.name, value), member])
            }
            // In a field it may be written as a text: it means the same.
            if member.value.first?.isNumber == true, !path.contains(".") {
                add("of another type", [(member.name, "\"\(member.value)\"")])
            }
            if member.value.hasPrefix("{") {
                for inner in alterations(of: Self.members(of: member.value), name) {
                    add("", [(member.name, Substring(text(of: inner.members)))])
                    found[found.count - 1].name = inner.name
                }
            }
        }
        let more: [Member] = [
            ("more", "1"), ("fields", "{\"value\": 1}"), ("details", "\"TURNSTILE_VALUE=1\""),
        ]
        for member in more where !members.contains(where: { $0.name == member.name }) {
            found.append(("\(path).\(member.name): added", members + [member]))
        }
        return found
    }

    /// Values that are not this one; of a text with several lines, each of these.
    private static func others(than value: Substring) -> [Substring] {
        if value == "null" { return ["\"x\"", "0"] }
        if value.hasPrefix("{") { return ["{\"more\": 1}"] }
        guard value.hasPrefix("\"") else { return ["1" + value, "null"] }
        let feed = "\\u000a"
        let lines = value.dropFirst().dropLast().components(separatedBy: feed)
        return lines.indices.map { index in
            var altered = lines
            altered[index] += "7"
            return Substring("\"\(altered.joined(separator: feed))\"")
        }
    }

    /// The members of an object, with their values as they are written.
    private static func members(of object: Substring) -> [Member] {
        var (parts, depth, isText, isEscaped) = ([""], 0, false, false)
        for character in object.dropFirst().dropLast() {
            if character == "\"", !isEscaped { isText.toggle() }
            isEscaped = character == "\\" && !isEscaped
            if !isText, "{[".contains(character) { depth += 1 }
            if !isText, "}]".contains(character) { depth -= 1 }
            if !isText, depth == 0, character == "," {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.filter { !$0.isEmpty }.map { part in
            let halves = part.split(separator: ":", maxSplits: 1)
            let name = halves[0].filter { $0 != " " && $0 != "\"" }
            return (String(name), halves[1].drop { $0 == " " })
        }
    }

    private static func text(of members: [Member]) -> String {
        "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}
