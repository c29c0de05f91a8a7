import Foundation
import Pictures
import Scenario
import Settings
import StateMachines
import Testing
import Turnstile

/// docs/pictures/passage-waveform.svg is what the lines of the simulated gate carry while somebody
/// pays and goes in.
///
/// `UPDATE_GENERATED=1 swift test --filter WaveformTests` draws it anew.
@Suite struct WaveformTests {
    private static let story = """
        +300ms coin 150
        expect record released direction=entry within 2s
        +300ms push entry
        expect record passage_completed direction=entry within 5s
        +300ms expect status.state=locked
        """

    @Test func `a passage is drawn as the lines carry it`() throws {
        let path = PictureFile.repository.appending(path: "config/turnstiled.yaml").path
        let stage = try VirtualStage(try Settings.load(path: path))
        let start = stage.now
        try Player.play(try Scenario(Self.story, file: "passage"), on: stage)
        var picture = Waveforms(from: start, to: stage.now)
        let marks = stage.history.filter { $0.time >= start }.compactMap { moment in
            Self.caption(of: moment.record).map { (time: moment.time, words: $0) }
        }
        #expect(marks.map(\.words) == ["coin counted", "released", "begins", "completed"])
        for (time, words) in marks { picture.mark(words, at: time) }
        let lines: [(line: Line, isHigh: String)] = [
            (.input(.coinPulse), "a pulse"), (.input(.rotorA), "covered"),
            (.input(.rotorB), "covered"), (.output(.lockEntry), "locked"),
            (.output(.coinEnable), "takes coins"),
        ]
        for (line, isHigh) in lines {
            let changes = stage.changes.filter { $0.line == line }.map { ($0.time, $0.isActive) }
            picture.draw(line.name, "high: \(isHigh)", changes: changes)
        }
        #expect(try PictureFile.holds(picture.svg, in: "passage-waveform.svg"))
    }

    private static func caption(of record: Record) -> String? {
        switch record.name {
        case "coin_accepted": "coin counted"
        case "released": "released"
        case "passage_started": "begins"
        case "passage_completed": "completed"
        default: nil
        }
    }
}

/// Lines over time: low while inactive or de-energised, high while not.
private struct Waveforms {
    private let start, end: Instant
    private var rows: [(name: String, note: String, changes: [Change])] = []
    private var marks: [(time: Instant, words: String)] = []

    private static let (left, top, row, width) = (160, 64, 42, 740)

    init(from start: Instant, to end: Instant) {
        self.start = start
        self.end = end
    }

    mutating func mark(_ words: String, at time: Instant) { marks.append((time, words)) }

    typealias Change = (time: Instant, isActive: Bool)

    mutating func draw(_ name: String, _ note: String, changes: [Change]) {
        rows.append((name, note, changes))
    }

    private func x(_ time: Instant) -> Int {
        let part = (max(time, start) - start) / (end - start)
        return Self.left + Int((part * Double(Self.width)).rounded())
    }

    /// The picture as a text.
    var svg: String {
        let height = Self.top + rows.count * Self.row + 36
        var sketch = Sketch(
            title: "The lines while a passenger pays and goes in",
            width: Self.left + Self.width + 20, height: height)
        for (index, mark) in marks.enumerated() {
            let y = index % 2 == 0 ? 22 : 42
            sketch.line(
                [(x(mark.time), y + 4), (x(mark.time), height - 34)], .accent, isDashed: true)
            // The last ones stand before their line, where there is room.
            let length = mark.words.count * Sketch.characterWidth
            let isLate = x(mark.time) + length + 8 > Self.left + Self.width
            sketch.text(mark.words, x: x(mark.time) + (isLate ? -length - 4 : 4), y: y, .accent)
        }
        for (index, row) in rows.enumerated() {
            let base = Self.top + (index + 1) * Self.row - 8
            sketch.text(row.name, x: 12, y: base - 13)
            sketch.text(row.note, x: 12, y: base + 3, .faint)
            var isActive = row.changes.last { $0.time <= start }?.isActive ?? false
            var points = [(x: Self.left, y: base - (isActive ? 22 : 0))]
            for change in row.changes where change.time > start {
                points.append((x(change.time), base - (isActive ? 22 : 0)))
                isActive = change.isActive
                points.append((x(change.time), base - (isActive ? 22 : 0)))
            }
            points.append((Self.left + Self.width, base - (isActive ? 22 : 0)))
            sketch.line(points)
        }
        drawSeconds(on: &sketch, y: height - 22)
        return sketch.svg
    }

    private func drawSeconds(on sketch: inout Sketch, y: Int) {
        for second in 0...Int((end - start) / .seconds(1)) {
            let place = x(start + .seconds(second))
            sketch.line([(place, y - 10), (place, y - 4)], .faint)
            sketch.text("\(second) s", x: place - 4, y: y + 10, .faint)
        }
    }
}
