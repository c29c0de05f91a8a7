import Console
import Foundation
import Pictures
import Settings
import SimulatedHardware
import Testing
import Turnstile

@testable import LiveView

/// The screens in README.md, docs/simulation.md and docs/turnstilectl.md are what the live view
/// shows of simulated gates.
///
/// `UPDATE_GENERATED=1 swift test --filter ScreensTests` writes them anew.
@Suite struct ScreensTests {
    private static func gate(_ name: String, isReal: Bool = false) throws -> ShownGate {
        let path = PictureFile.repository.appending(path: "config/\(name).yaml").path
        let gate = try ShownGate(try Settings.load(path: path), isReal: isReal)
        gate.wait(.seconds(1))
        return gate
    }

    /// Somebody has passed, and the next one has paid.
    private static func paid() throws -> ShownGate {
        let gate = try gate("turnstiled")
        for keys in ["3", "e", "1", "3"] {
            gate.press(keys)
            gate.wait(.seconds(3))
        }
        return gate
    }

    /// Somebody who has paid is halfway through a gate that has everything.
    private static func halfway(isReal: Bool = false) throws -> ShownGate {
        let gate = try gate("two-way", isReal: isReal)
        gate.do(.coinInserted(value: 250))
        gate.wait(.seconds(3))
        gate.do(.armPushed(.entry))
        gate.wait { $0.levels[.rotorA] && $0.levels[.rotorB] }
        return gate
    }

    @Test func `the README shows the gate as it is`() throws {
        let gate = try Self.paid()
        #expect(try Screens("README.md").holds(gate.text(columns: 80, rows: 24), as: "paid"))
        let lines = try Self.halfway().lines(columns: 80, rows: 24, isColoured: true)
        let picture = ScreenPicture(lines, columns: 80, title: "The live view of a gate").svg
        #expect(try PictureFile.holds(picture, in: "live-view.svg"))
    }

    @Test func `the page of the simulated gate shows it as it is`() throws {
        let page = Screens("docs/simulation.md")
        let gate = try Self.gate("two-way")
        gate.press("4")
        gate.wait { $0.report.due.contains { $0.reason == .coinCounted } }
        #expect(try page.holds(gate.text(columns: 80, rows: 24), as: "coin"))
        gate.wait(.seconds(3))
        gate.press("1")
        #expect(
            try page.holds(gate.text(columns: 60, rows: 16, isUnicode: false), as: "refused"))
        gate.press("?")
        #expect(try page.holds(gate.text(columns: 80, rows: 24), as: "keys"))
    }

    @Test func `the page of the command shows a gate that is watched`() throws {
        let gate = try Self.halfway(isReal: true)
        let page = Screens("docs/turnstilectl.md")
        #expect(try page.holds(gate.text(columns: 80, rows: 24), as: "watched"))
    }

    @Test(arguments: [(60, 16, 4), (80, 24, 8), (120, 40, 13), (200, 60, 20)])
    func `the gate that has everything keeps lines of the log`(
        columns: Int, rows: Int, least: Int
    ) throws {
        let gate = try Self.halfway()
        for isUnicode in [true, false] {
            let lines = gate.text(columns: columns, rows: rows, isUnicode: isUnicode)
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.count <= columns })
            let rule = try #require(lines.lastIndex { $0.contains("in 0, out 0") })
            #expect(lines.endIndex - 1 - (rule + 1) >= least)
        }
        let wide = gate.text(columns: 120, rows: 40)
        for name in Output.allCases.map(\.name) { #expect(wide.contains(" \(name) ")) }
        #expect(!wide.contains("more: Tab"))
    }
}

/// The screens in a document: blocks of text below marks that name them.
private struct Screens {
    private let file: URL

    init(_ path: String) { file = PictureFile.repository.appending(path: path) }

    /// Whether the block below this mark is the text; makes it so first where `UPDATE_GENERATED` is
    /// set.
    func holds(_ screen: String, as name: String) throws -> Bool {
        let mark = "<!-- screen: \(name) -->\n```\n"
        var text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: mark), "\(file.lastPathComponent): \(name)")
        let rest = text[start.upperBound...]
        let end = try #require(rest.range(of: "```\n") ?? nil)
        let trimmed = screen.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).replacing(/\ +$/, with: "") }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            text.replaceSubrange(start.upperBound..<end.lowerBound, with: trimmed)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return true
        }
        return text[start.upperBound..<end.lowerBound] == trimmed
    }
}
