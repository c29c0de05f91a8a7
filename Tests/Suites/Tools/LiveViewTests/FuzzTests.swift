import Console
import Seeds
import StateMachines
import System
import Testing

@testable import LiveView
@testable import Turnstile

/// Random gates on random terminals, with random keys.
@Suite struct FuzzTests {
    private static let texts = [
        "", "coin", "Zürich…", "a\u{1B}[2J", String(repeating: "long ", count: 60),
        "👩‍👩‍👧‍👦 family", "北門 e\u{301}", String(repeating: "駅", count: 150),
    ]

    private static let keys: [Key] =
        [
            .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .escape, .enter, .backspace,
            .tab, .suspend,
        ] + "123eftr?/!bwuz 門".map { .character($0) }

    private func model(_ random: inout SeededGenerator) -> ViewModel? {
        guard Int.random(in: 0..<8, using: &random) > 0 else { return nil }
        let equipment = Equipment(
            inputs: InputLevels(Input.allCases.filter { _ in Bool.random(using: &random) }),
            outputs: OutputSet(Output.allCases.filter { _ in Bool.random(using: &random) }))
        let on = OutputSet(Output.allCases.filter { _ in Bool.random(using: &random) })
        var model = ViewModel.locked
        model.report = .resting(equipment, on: on)
        model.gate = Self.texts.randomElement(using: &random) ?? ""
        model.levels = InputLevels(Input.allCases.filter { _ in Bool.random(using: &random) })
        model.energised = on
        model.report.entry.isPassing = .random(using: &random)
        model.report.exit.isPassing = .random(using: &random)
        model.report.entry.isReleased = .random(using: &random)
        model.report.status.credit = .random(in: 0...1_000_000, using: &random)
        model.report.coinRefusal = [nil, .entryLocked, .storeFull].randomElement(using: &random)!
        let faults: [Fault] = [.external, .line(.input(.home), .unreadable), .armNotHome]
        model.report.faults = faults.filter { _ in Bool.random(using: &random) }
            .map { .init(value: $0, since: nil, end: .cause) }
        if Bool.random(using: &random) { model.simulation = nil }
        return model
    }

    @Test func `no line is wider than the screen, and none is cut without a mark`() {
        var random = SeededGenerator(seed: 1)
        var viewer = Viewer()
        for round in SeededGenerator.rounds(600) {
            if round % 5 == 0 { viewer.update(model(&random)) }
            viewer.log.add(
                .init(
                    Self.texts.randomElement(using: &random)!, at: "12:00:00.000",
                    weight: [.normal, .warning, .severe].randomElement(using: &random)!))
            let columns = Int.random(in: 1...200, using: &random)
            let rows = Int.random(in: 1...60, using: &random)
            let appearance = Appearance(isColoured: false, isUnicode: .random(using: &random))
            let screen = Screen(columns: columns, rows: rows, appearance: appearance)
            let key = Self.keys.randomElement(using: &random)!
            _ = viewer.press(key, rows: screen.logRows(viewer), at: .zero)
            let lines = screen.lines(viewer).map(appearance.text)
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.terminalColumns <= columns }, "\(columns) x \(rows)")
            for line in lines where line.hasPrefix(" 12:00:00.000 ") && columns > 16 {
                let isWhole = Self.texts.contains { line == whole($0, appearance) }
                let isCut = Self.texts.contains {
                    whole($0, appearance).hasPrefix(line.dropLast())
                }
                #expect(isWhole || isCut && String(line.last!) == appearance.ellipsis, "\(line)")
            }
        }
    }

    /// The line of an entry on a screen that is wide enough.
    private func whole(_ text: String, _ appearance: Appearance) -> String {
        [Span(" 12:00:00.000 " + appearance.printable(text))].trimmed.map(\.text).joined()
    }
}
