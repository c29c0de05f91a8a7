import Exploration

/// The positions of everything in a diagram.
///
/// It is a layered drawing in the manner of Sugiyama. States stand in rows, and arrows lead down
/// unless they close a circle. Between two rows of states is one of the arrows' texts: a text is an
/// item of its row as a state is, so that nothing can cover it. Within a row lines are vertical,
/// and bend only between rows.
struct Layout {
    /// Something that takes room in a row.
    struct Item {
        let kind: Kind
        /// Its row: states stand in the even ones.
        let row: Int
        /// Where it stands.
        var box: Box
        /// How far right of its left edge the lines pass.
        var axis: Int

        /// Where the lines pass.
        var line: Int { box.left + axis }
    }

    /// The kind of an item.
    enum Kind: Hashable {
        /// The state of this place.
        case state(Int)
        /// The text of this link.
        case text(link: Int)
        /// A link passes the row.
        case passage
    }

    /// A rectangle.
    struct Box: Hashable {
        var left = 0
        var top = 0
        var width: Int
        var height: Int
        var right: Int { left + width }
        var bottom: Int { top + height }
    }

    /// All arrows from one state to another one.
    struct Link {
        /// The states that it leaves and leads to.
        let from: Int, to: Int
        /// Its text, line by line.
        let text: [TextLine]
        /// The items from the upper state to the lower, both among them.
        var path: [Int] = []
        /// Whether it leads up.
        var isUp = false
        /// Where it leaves the upper state and meets the lower, along their edges.
        var ends = (upper: 0, lower: 0)
    }

    /// A line of the text at an arrow.
    struct TextLine: Hashable {
        let text: String
        /// Whether it is a command, not an event.
        let isCommand: Bool
    }

    /// A state.
    struct State {
        /// Its text, line by line.
        let lines: [String]
        /// The labels of the arrow from it to itself; empty without one.
        let loop: [TextLine]
        /// The label of the arrow to the first state; empty where there is nothing to start with.
        let start: String
        /// How wide its frame is; the arrow to itself is right of it, the start left.
        var width: Int
        /// Where the frame begins.
        let inset: Int
    }

    /// The states, by their places in the diagram.
    var states: [State]
    /// The arrows between different states.
    var links: [Link]
    /// The items of the rows.
    var items: [Item] = []
    /// The items of each row, from left to right.
    var rows: [[Int]] = []
    /// Where each row begins and ends.
    var bands: [(top: Int, bottom: Int)] = []
    /// How large all of it is.
    var width = 0, height = 0
    /// The item of each state.
    var places: [Int] = []

    /// Lays a diagram out.
    init(_ diagram: Diagram) {
        let texts = Self.texts(diagram)
        states = diagram.nodes.indices.map { place in
            State(
                diagram.nodes[place], loop: texts.loops[place] ?? [],
                start: place == 0 ? diagram.startLabel : nil)
        }
        links = texts.links
        let ranks = rank()
        fill(ranks)
        order()
        widen()
        place()
    }

    /// The texts of the arrows: those between the same two states are one link.
    private static func texts(
        _ diagram: Diagram
    ) -> (links: [Link], loops: [Int: [TextLine]]) {
        var order: [[Int]] = []
        var texts: [[Int]: [TextLine]] = [:]
        for arrow in diagram.arrows {
            let ends = [arrow.from, arrow.to]
            if texts[ends] == nil { order.append(ends) }
            texts[ends, default: []].append(TextLine(text: arrow.event, isCommand: false))
            if !arrow.commands.isEmpty {
                let commands = "/ " + arrow.commands.joined(separator: ", ")
                texts[ends, default: []].append(TextLine(text: commands, isCommand: true))
            }
        }
        var loops: [Int: [TextLine]] = [:]
        var links: [Link] = []
        for ends in order {
            let text = texts[ends] ?? []
            if ends[0] == ends[1] {
                loops[ends[0]] = text
            } else {
                links.append(Link(from: ends[0], to: ends[1], text: text))
            }
        }
        return (links, loops)
    }
}

// Sizes.
extension Layout {
    /// Between two items of a row, and between two rows at least.
    static let gap = 22, rowGap = 30
    /// Around the text of a state.
    static let padding = 12
    /// How far an arrow from a state to itself stands out, and how far the start.
    static let loopWidth = 26, startWidth = 44
    /// From a line to the text at it.
    static let textInset = 7

    /// How wide the widest line is.
    static func width(_ lines: [TextLine]) -> Int {
        lines.map { TextSize.width($0.text) }.max() ?? 0
    }
}

extension Layout.State {
    /// A state, with the label of the arrow to it if it is the first.
    fileprivate init(_ node: Diagram.Node, loop: [Layout.TextLine], start: String?) {
        lines = (node.outer.map { [$0] } ?? []) + [node.name]
        self.loop = loop
        width = max(60, (lines.map(TextSize.width).max() ?? 0) + 2 * Layout.padding)
        self.start = start ?? ""
        let label = self.start.isEmpty ? 0 : TextSize.width(self.start)
        inset = start == nil ? 0 : Layout.startWidth + label
    }

    /// How high its frame is.
    var height: Int { lines.count * TextSize.line + Layout.padding + 4 }

    /// All that it takes.
    var box: Layout.Box {
        let right = loop.isEmpty ? 0 : Layout.loopWidth + Layout.textInset + Layout.width(loop)
        return Layout.Box(
            width: inset + width + right, height: max(height, loop.count * TextSize.line))
    }
}
