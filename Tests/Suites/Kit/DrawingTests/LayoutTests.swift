import Seeds
import Testing

@testable import Drawing
@testable import Exploration

/// Where everything of a drawing stands.
@Suite struct LayoutTests {
    /// Any machine, with names and texts of any length; some states may not be reached.
    static func diagram(_ numbers: inout SeededGenerator) -> Diagram {
        let words = ["coin", "pass", "a rather long name of an event", "W", "", "fire; \"&<", "状態"]
        let count = Int.random(in: 1...9, using: &numbers)
        let nodes = (0..<count).map { place in
            Diagram.Node(
                name: "\(words.randomElement(using: &numbers)!) \(place)",
                outer: numbers.oneIn(4) ? "a frame" : nil)
        }
        let arrows = (0..<Int.random(in: 0...3 * count, using: &numbers)).map { _ in
            Diagram.Arrow(
                from: Int.random(in: 0..<count, using: &numbers),
                to: Int.random(in: 0..<count, using: &numbers),
                event: words.randomElement(using: &numbers)!,
                commands: numbers.oneIn(2) ? [words.randomElement(using: &numbers)!] : [])
        }
        return Diagram(nodes: nodes, arrows: arrows.sorted { $0.from < $1.from })
    }

    private static func overlap(_ one: Layout.Box, _ other: Layout.Box) -> Bool {
        one.left < other.right && other.left < one.right && one.top < other.bottom
            && other.top < one.bottom
    }

    @Test func `nothing stands on anything else, and all of it is in the picture`() {
        var numbers = SeededGenerator()
        for _ in SeededGenerator.rounds(200) {
            let layout = Layout(Self.diagram(&numbers))
            let boxes = layout.items.map(\.box)
            for (place, box) in boxes.enumerated() {
                #expect(box.left >= 0 && box.right <= layout.width, "\(numbers)")
                #expect(box.top >= 0 && box.bottom <= layout.height, "\(numbers)")
                let others = boxes.dropFirst(place + 1)
                #expect(!others.contains { Self.overlap($0, box) }, "\(numbers)")
            }
        }
    }

    /// Lines bend between rows alone, so it is enough to look at them in the rows.
    @Test func `no line passes a state or a text that is not its own`() {
        var numbers = SeededGenerator()
        for _ in SeededGenerator.rounds(200) {
            let layout = Layout(Self.diagram(&numbers))
            for link in layout.links {
                for (item, line) in zip(link.path, layout.lines(of: link)) {
                    let others = layout.rows[layout.items[item].row].filter { $0 != item }
                    let isCrossed = others.contains { other in
                        let box = layout.items[other].box
                        return box.left < line && line < box.right
                    }
                    #expect(!isCrossed, "\(numbers)")
                }
            }
            for (row, next) in zip(layout.bands, layout.bands.dropFirst()) {
                #expect(row.bottom + Layout.rowGap <= next.top, "\(numbers)")
            }
        }
    }

    @Test func `what stands in a state and at an arrow has the room that it needs`() {
        var numbers = SeededGenerator()
        for _ in SeededGenerator.rounds(100) {
            let layout = Layout(Self.diagram(&numbers))
            for (place, state) in layout.states.enumerated() {
                let frame = layout.frame(of: place)
                #expect(state.lines.allSatisfy { TextSize.width($0) < frame.width }, "\(numbers)")
                #expect(state.lines.count * TextSize.line < frame.height, "\(numbers)")
                let box = layout.items[layout.places[place]].box
                #expect(Layout.width(state.loop) <= box.right - frame.right, "\(numbers)")
            }
            for link in layout.links {
                let isText = { (item: Int) in layout.items[item].kind != .passage }
                let texts = link.path.dropFirst().dropLast().filter(isText)
                #expect(texts.count == 1, "one text at each link: \(numbers)")
                let box = layout.items[texts[0]].box
                #expect(Layout.width(link.text) + Layout.textInset <= box.width, "\(numbers)")
                #expect(link.text.count * TextSize.line <= box.height, "\(numbers)")
            }
        }
    }

    @Test func `every line ends at its states`() {
        var numbers = SeededGenerator()
        for _ in SeededGenerator.rounds(100) {
            let layout = Layout(Self.diagram(&numbers))
            for link in layout.links {
                let lines = layout.lines(of: link)
                let (upper, lower) = (link.states.upper, link.states.lower)
                for (state, line) in [(upper, lines[0]), (lower, lines[lines.count - 1])] {
                    let frame = layout.frame(of: state)
                    #expect(frame.left < line && line < frame.right, "\(numbers)")
                }
                #expect(layout.frame(of: upper).bottom < layout.frame(of: lower).top, "\(numbers)")
            }
        }
    }

    @Test func `arrows lead down but for those that close a circle`() {
        let names = ["a", "b", "c"].map { Diagram.Node(name: $0, outer: nil) }
        let ends = [(0, 1), (0, 2), (1, 2), (2, 0)]
        let layout = Layout(
            Diagram(
                nodes: names,
                arrows: ends.map { .init(from: $0.0, to: $0.1, event: "e", commands: []) }))
        #expect(layout.links.map(\.isUp) == [false, false, false, true])
        #expect(layout.places.map { layout.items[$0].row } == [0, 2, 4])
    }

    /// Four lines that all cross in the order of the diagram, and need not.
    @Test func `states stand in an order in which few lines cross`() {
        let names = (0..<5).map { Diagram.Node(name: "\($0)", outer: nil) }
        let ends = [(0, 1), (0, 2), (1, 4), (2, 3)]
        let layout = Layout(
            Diagram(
                nodes: names,
                arrows: ends.map { .init(from: $0.0, to: $0.1, event: "e", commands: []) }))
        let lines = layout.places.map { layout.items[$0].line }
        #expect((lines[1] < lines[2]) == (lines[4] < lines[3]))
    }
}
