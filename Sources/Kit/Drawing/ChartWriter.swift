import Exploration

/// Writes one drawing in SVG.
struct ChartWriter {
    let diagram: Diagram
    let layout: Layout

    /// The drawing, lines below all else.
    var lines: [String] {
        layout.links.flatMap(write) + layout.states.indices.flatMap(write)
    }

    /// Where the frame of a state stands.
    private func frame(_ state: Int) -> Layout.Box { layout.frame(of: state) }

    private func write(_ link: Layout.Link) -> [String] {
        let (upper, lower) = link.states
        let start = frame(upper).bottom
        let end = frame(lower).top
        let lines = layout.lines(of: link)
        var path = "M\(lines[0]) \(start)"
        for (number, line) in lines.enumerated() {
            let row = layout.items[link.path[number]].row
            if number > 0 {
                let (from, to) = (layout.bands[row - 1].bottom, layout.bands[row].top)
                let middle = (from + to) / 2
                path += "C\(lines[number - 1]) \(middle) \(line) \(middle) \(line) \(to)"
            }
            path += "V\(number == lines.count - 1 ? end : layout.bands[row].bottom)"
        }
        let head =
            link.isUp
            ? "M\(lines[0]) \(start)l-5 9h10z" : "M\(lines[lines.count - 1]) \(end)l-5 -9h10z"
        var result = [
            "<path class=\"line\" d=\"\(path)\"/>", "<path class=\"head\" d=\"\(head)\"/>",
        ]
        for item in link.path.map({ layout.items[$0] }) {
            guard case .text = item.kind else { continue }
            result += write(link.text, x: item.line + Layout.textInset, in: item.box)
        }
        return result
    }

    /// Lines of text, in the middle of the height of a box.
    private func write(_ text: [Layout.TextLine], x: Int, in box: Layout.Box) -> [String] {
        let top = box.top + (box.height - text.count * TextSize.line) / 2
        return text.enumerated().map { number, line in
            let mark = line.isCommand ? " class=\"command\"" : ""
            let y = top + number * TextSize.line + TextSize.font - 1
            return "<text\(mark) x=\"\(x)\" y=\"\(y)\">\(escaped(line.text))</text>"
        }
    }

    private func write(_ place: Int) -> [String] {
        let state = layout.states[place]
        let frame = frame(place)
        let middle = frame.top + frame.height / 2
        let isPresent = diagram.nodes[place].name == diagram.present
        var lines = ["<g class=\"state\(isPresent ? " present" : "")\">"]
        lines.append(
            "<rect x=\"\(frame.left)\" y=\"\(frame.top)\" width=\"\(frame.width)\""
                + " height=\"\(frame.height)\" rx=\"8\"/>")
        let top = frame.top + (frame.height - state.lines.count * TextSize.line) / 2
        for (number, line) in state.lines.enumerated() {
            let y = top + number * TextSize.line + TextSize.font - 1
            lines.append(
                "<text x=\"\(frame.left + frame.width / 2)\" y=\"\(y)\">\(escaped(line))</text>")
        }
        lines.append("</g>")
        if !state.loop.isEmpty { lines += writeLoop(state.loop, at: frame, place) }
        guard state.inset > 0 else { return lines }
        let start = frame.left - state.inset + 6
        lines.append("<circle class=\"head\" cx=\"\(start)\" cy=\"\(middle)\" r=\"6\"/>")
        lines.append("<path class=\"line\" d=\"M\(start) \(middle)H\(frame.left)\"/>")
        lines.append("<path class=\"head\" d=\"M\(frame.left) \(middle)l-9 -5v10z\"/>")
        if state.start.isEmpty { return lines }
        // Above the line, between its dot and its head.
        let above = Layout.Box(
            top: middle - TextSize.line - 3, width: state.inset, height: TextSize.line)
        return lines
            + write(
                [Layout.TextLine(text: state.start, isCommand: true)],
                x: start + 2 * Layout.textInset, in: above)
    }

    /// The arrow from a state to itself, right of it.
    private func writeLoop(
        _ text: [Layout.TextLine], at frame: Layout.Box, _ place: Int
    ) -> [String] {
        let middle = frame.top + frame.height / 2
        let out = frame.right + Layout.loopWidth
        let path = "M\(frame.right) \(middle - 7)H\(out - 7)a7 7 0 0 1 0 14H\(frame.right)"
        return [
            "<path class=\"line\" d=\"\(path)\"/>",
            "<path class=\"head\" d=\"M\(frame.right) \(middle + 7)l9 -5v10z\"/>",
        ] + write(text, x: out + Layout.textInset, in: layout.items[layout.places[place]].box)
    }
}

extension Layout {
    /// Where the frame of a state stands: in the middle of all that the state takes.
    func frame(of state: Int) -> Box {
        let box = items[places[state]].box
        let (width, height) = (states[state].width, states[state].height)
        return Box(
            left: box.left + states[state].inset, top: box.top + (box.height - height) / 2,
            width: width, height: height)
    }

    /// How far right the line of a link passes each of its items.
    func lines(of link: Link) -> [Int] {
        link.path.enumerated().map { number, item in
            let end =
                number == 0
                ? link.ends.upper : number == link.path.count - 1 ? link.ends.lower : 0
            return items[item].line + end
        }
    }
}
