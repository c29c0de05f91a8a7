import Foundation
import StateMachines
import Testing
import Trace
import TraceExport
import Turnstile

/// The page has what the steps had, and nothing that a text in them has put there.
@Suite struct TracePageTests {
    /// What stands between two marks.
    private static func part(of page: String, from start: String, to end: String) throws -> String {
        let from = try #require(page.range(of: start)).upperBound
        let to = try #require(page.range(of: end, range: from..<page.endIndex)).lowerBound
        return String(page[from..<to])
    }

    private static func data(of page: String) throws -> [String: Any] {
        let text = try part(
            of: page, from: "<script type=\"application/json\" id=\"trace\">", to: "</script>")
        return try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static func sums(_ deltas: Any?) throws -> [Int] {
        var sum = 0
        return try #require(deltas as? [Int]).map { delta in
            sum += delta
            return sum
        }
    }

    private let steps = Recording.story.steps
    private let page: String
    private let data: [String: Any]

    init() throws {
        page = Recording.text(.html, of: steps)
        data = try Self.data(of: page)
    }

    @Test func `the page asks for nothing from elsewhere`() throws {
        #expect(!page.contains("http://") && !page.contains("https://"))
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains(/<(?:link|img|iframe|object|script src)/))
        // No handler stands in the text of the page, where a policy would have to allow it.
        #expect(!page.contains(/\son[a-z]+="/))
    }

    @Test func `its script alone may run`() throws {
        let script = try Self.part(of: page, from: "<script>", to: "</script>")
        #expect(script.hasSuffix("})();"))
        let hash = try Self.part(of: page, from: "script-src 'sha256-", to: "'")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try input.fileHandleForWriting.close()
        let told = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let bytes = try #require(Data(base64Encoded: hash))
        #expect(told.hasPrefix(bytes.map { String(format: "%02x", $0) }.joined()))
    }

    @Test func `no text ends the script that the data is in, or the title`() throws {
        var hostile = ""
        let name = "</title><script>alert(1)</script>&\"'\u{2028}\u{7}"
        var export = ExportFormat.html.export(of: name, with: Recording.equipment) { hostile += $0 }
        for step in steps { export.add(step) }
        export.finish()
        #expect(hostile.components(separatedBy: "</script>").count == 3)
        #expect(hostile.components(separatedBy: "</title>").count == 2)
        #expect(hostile.components(separatedBy: "<script").count == 3)
        #expect(try Self.data(of: hostile)["gate"] as? String == name)
        #expect(!hostile.unicodeScalars.contains { ["\u{2028}", "\u{7}"].contains($0) })
        let operatorName = try #require(Recording.hostile).name
        let records = try #require(data["records"] as? [String: Any])
        let sentences = try #require(records["sentenceTexts"] as? [String])
        #expect(sentences.contains { $0.contains(operatorName) })
    }

    @Test func `lines, states and credit change when they did`() throws {
        let start = steps[0].event.time
        func places(_ value: (ReplayedStep) -> some Equatable) -> [Int] {
            zip(steps, steps.dropFirst()).filter { value($0) != value($1) }.map {
                Int(($1.event.time - start).wholeMicroseconds)
            }
        }
        let inputs = try #require(data["inputs"] as? [[String: Any]])
        #expect(inputs.count == 12)
        for line in inputs {
            let input = try #require(Input.allCases.first { $0.name == line["name"] as? String })
            let (raw, counted) = (
                line["raw"] as? [String: Any], line["debounced"] as? [String: Any]
            )
            #expect(try Self.sums(raw?["times"]) == places { $0.levels[input] })
            #expect(try Self.sums(counted?["times"]) == places { $0.turnstile.inputs[input] })
        }
        let regions = try #require(data["regions"] as? [[String: Any]])
        let lane = try #require(regions.first { $0["name"] as? String == "lane" })
        let track = try #require(lane["track"] as? [String: Any])
        let times = try Self.sums(track["times"])
        #expect(Array(times.dropFirst()) == places { $0.turnstile.gate.stateName(of: .lane) })
        let credit = try #require(data["credit"] as? [String: Any])
        #expect(
            try Self.sums(credit["times"]).dropFirst() == places { $0.turnstile.status.credit }[...]
        )
    }

    @Test func `an output has its level, and a way whether it is released`() throws {
        let outputs = try #require(data["outputs"] as? [[String: Any]])
        for line in outputs {
            let output = try #require(Output.allCases.first { $0.name == line["name"] as? String })
            let energised = try #require(line["energised"] as? [String: Any])
            let changes = zip(steps, steps.dropFirst()).filter {
                $0.energised[output] != $1.energised[output]
            }
            let start = steps[0].event.time
            #expect(
                try Self.sums(energised["times"])
                    == changes.map { Int(($0.1.event.time - start).wholeMicroseconds) })
            #expect((line["released"] != nil) == output.isWay, "\(output.name)")
        }
    }

    @Test func `lines that a later life has are there as well`() throws {
        var (first, later) = (steps[0], steps[0])
        first.turnstile = Turnstile(
            policy: Policy(price: 250, coinUnit: 50),
            equipment: Equipment(inputs: [.coinPulse], outputs: [.lockEntry]))
        later.event.time = first.event.time + .seconds(5)
        let data = try Self.data(of: Recording.text(.html, of: [first, later]))
        #expect((data["inputs"] as? [Any])?.count == 12)
        #expect((data["outputs"] as? [Any])?.count == 9)
    }

    @Test func `records and passages are there, and the clock that was set`() throws {
        let records = try #require(data["records"] as? [String: Any])
        let kinds = try #require(records["kinds"] as? [Int])
        let names = try #require(records["kindNames"] as? [[Any]]).map { $0[0] as? String }
        #expect(kinds.map { names[$0] } == steps.flatMap(\.records).map(\.name))
        let passages = try #require(data["passages"] as? [String: Any])
        #expect((passages["times"] as? [Int])?.count == 5)
        #expect((passages["lengths"] as? [Int])?.allSatisfy { $0 >= 0 } == true)
        #expect((data["clocks"] as? [[Int]])?.count == 2)
    }

    @Test func `who is on the way at the end is so up to it`() throws {
        var story = Recording()
        story.payAndStepIn()
        story.send(.timePassed)
        let data = try Self.data(of: Recording.text(.html, of: story.steps))
        let passages = try #require(data["passages"] as? [String: Any])
        let (begins, lengths) = (
            try #require(passages["times"] as? [Int]), try #require(passages["lengths"] as? [Int])
        )
        #expect(begins.count == 1 && begins.first.map { $0 > 0 } == true)
        #expect(zip(begins, lengths).map { $0 + $1 } == [data["end"] as? Int])
    }

    @Test func `the page of a busy hour is below 3 MB`() throws {
        var (text, count) = ("", 0)
        var export = ExportFormat.html.export(of: "gate", with: Recording.equipment) { text += $0 }
        Recording.busyHour { step in
            export.add(step)
            count += 1
        }
        export.finish()
        #expect(count > 29_000, "\(count) steps")
        #expect(text.utf8.count < 3_000_000, "\(text.utf8.count) bytes")
    }

    @Test func `nothing is a page that says so`() throws {
        let empty = Recording.text(.html, of: [])
        #expect(try Self.part(of: empty, from: "id=\"trace\">", to: "</script>") == "null")
    }
}
