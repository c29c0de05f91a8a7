import Foundation
import System
import Testing

@testable import GateClient
@testable import Turnstile
@testable import turnstilectl

/// The gate's states, drawn.
@Suite struct DiagramTests {
    @Test func `the present state is marked, and the next one after it`() throws {
        var locked = StatusReport.busy
        locked.entry.isReleased = false
        let gate = try FakeGate(.busy, ["Withdraw": .init(report: locked)])
        let before = try Command("diagram", "lane", at: gate.address)
        _ = try Command("withdraw", "entry", at: gate.address)
        let after = try Command("diagram", "lane", at: gate.address)
        gate.stop()
        #expect(before.code == 0 && before.errors == "")
        #expect(before.output.contains("    state \"released\" as s1\n"))
        #expect(before.output.hasSuffix("    class s1 present\n"))
        #expect(after.output.hasSuffix("    class s0 present\n"))
    }

    @Test(arguments: [
        ("dot", "s1 [label=\"released\", style=\"rounded,filled\", fillcolor=\"#ffb300\""),
        ("svg", "<text class=\"name\" x=\"0\" y=\"16\">lane: released</text>"),
    ]) func `it is marked in every language`(format: String, words: String) throws {
        let gate = try FakeGate()
        let drawing = try Command("diagram", "lane", "--format", format, at: gate.address)
        gate.stop()
        #expect(drawing.code == 0)
        #expect(drawing.output.contains(words))
    }

    @Test func `all regions are drawn where none is named`() throws {
        let gate = try FakeGate()
        let drawing = try Command("diagram", at: gate.address)
        gate.stop()
        #expect(drawing.code == 0)
        #expect(drawing.output.contains("    state \"commit barrier\" as r2 {\n"))
        #expect(drawing.output.contains("    class r0_s1 present\n    class r1_s0 present\n"))
        // This gate tells the states of three regions alone.
        #expect(
            drawing.errors.contains("turnstilectl: the gate does not report the state of arm\n"))
    }

    @Test func `without a gate there is no drawing, but for one that marks nothing`() throws {
        let refused = try Command("diagram", "lane", at: nil)
        #expect(refused.code == 69)
        #expect(refused.output == "")
        #expect(refused.errors.contains("--no-state draws the states without the present one\n"))
        let drawing = try Command("diagram", "lane", "--no-state", at: nil)
        #expect(drawing.code == 0 && drawing.errors == "")
        #expect(drawing.output.hasPrefix("stateDiagram-v2\n    state \"locked\" as s0\n"))
        #expect(!drawing.output.contains("present"))
    }

    @Test func `the drawing is written into a file, or it is said why not`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "service.svg")
        try Data(repeating: 0x78, count: 100_000).write(to: file)
        let opened = try FileHandle(forReadingFrom: file)
        let arguments = ["diagram", "service", "--no-state", "--format", "svg"]
        let written = try Command(arguments + ["-o", file.path], at: nil)
        #expect(written.code == 0 && written.output == "" && written.errors == "")
        #expect(
            try String(contentsOf: file, encoding: .utf8) == Command(arguments, at: nil).output)
        #expect(try opened.readToEnd()?.count == 100_000)
        let refused = try Command(arguments + ["-o", folder.path], at: nil)
        #expect(refused.code == 73)
        #expect(refused.errors.contains(folder.path))
    }

    @Test(arguments: [
        ("Version", BusValue.string("9.9"), "the gate's service is of version 9.9"),
        ("States", .dictionary(of: "s", [("lane", .string("on_fire"))]), "lane is 'on_fire'"),
    ]) func `what a service of another version may do otherwise is said`(
        name: String, value: BusValue, words: String
    ) throws {
        let properties = FakeGate.properties(of: .busy).map { (key: $0.0, value: $0.1) }
        let state = try GateState(properties.map { $0.key == name ? (name, value) : $0 })
        let (drawing, doubts) = GateDrawing([.lane]).marking(state)
        try #require(doubts.count == 1)
        #expect(doubts[0].hasPrefix(words))
        #expect(drawing.text(in: .mermaid).contains(" present\n") == (name == "Version"))
    }

    @Test func `with JSON the states are told by their names`() throws {
        let gate = try FakeGate()
        let told = try Command("diagram", "--json", at: gate.address)
        gate.stop()
        let states = #"{"lane": "released", "emergency": "none", "service": "off"}"#
        #expect(told.output == "{\"States\": \(states)}\n")
        #expect(try Command("diagram", "--json", "--no-state", at: nil).code == 64)
    }

    @Test func `a region that is none is refused with those that are`() throws {
        let refused = try Command("diagram", "alarms", "--no-state", at: nil)
        #expect(refused.code == 64)
        #expect(refused.errors.contains("entry_lock"))
    }
}
