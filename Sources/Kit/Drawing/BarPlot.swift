/// Plots of numbers as bars, one below the other over the same axis, as a picture in SVG.
///
/// It is light or dark as its viewer is, and the same on every machine.
public struct BarPlot {
    /// One number for each bar of a plot, under a name.
    public struct Series {
        /// The name of what is counted.
        public var name: String
        /// The non-negative numbers, from left to right.
        public var values: [Int64]

        /// A series.
        public init(name: String, values: [Int64]) { (self.name, self.values) = (name, values) }
    }

    /// A plot: its series stand one on the other.
    public struct Panel {
        /// The heading.
        public var title: String
        /// The series, the lowest first; three at most have colours of their own.
        public var series: [Series]

        /// A plot.
        public init(title: String, series: [Series]) { (self.title, self.series) = (title, series) }
    }

    /// A mark on the axis below the bars.
    public struct Tick {
        /// Where it is.
        public enum Place: Hashable, Sendable {
            /// Where a bar begins: it is a moment.
            case beginning
            /// In the middle of a bar, for a bar's name.
            case middle
        }

        /// At which bar it is, from 0.
        public var bar: Int
        /// Where it is.
        public var place: Place
        /// The label.
        public var text: String

        /// A mark.
        public init(bar: Int, at place: Place, text: String) {
            (self.bar, self.place, self.text) = (bar, place, text)
        }
    }

    /// The picture's title.
    public var title: String
    /// The bars' names, from left to right.
    public var bars: [String]
    /// The marks below them.
    public var ticks: [Tick]
    /// The plots.
    public var panels: [Panel]
    /// Remarks below the picture, a line each.
    public var remarks: [String]

    /// A picture of plots.
    public init(
        title: String, bars: [String], ticks: [Tick], panels: [Panel], remarks: [String] = []
    ) {
        (self.title, self.bars, self.ticks) = (title, bars, ticks)
        (self.panels, self.remarks) = (panels, remarks)
    }

    /// How many points one bar and the room beside it take: at least two.
    private static let usualWidth = 800, leastPitch = 2

    /// Where things are, in points.
    private struct Frame {
        var left: Int, width: Int
        let top = 64, height = 180, below = 84, right = 100

        /// Where the bar of this number begins.
        func x(_ bar: Int, of count: Int) -> Int { left + bar * width / max(1, count) }
    }

    /// The picture as a text in SVG.
    public var svg: String {
        let longest = panels.map { TextSize.width("\(scale(of: $0).top)") }.max() ?? 0
        let width = max(Self.usualWidth, bars.count * Self.leastPitch)
        let frame = Frame(left: max(70, longest + 20), width: width)
        let pitch = frame.height + frame.below
        let bottom = frame.top + panels.count * pitch
        let size = (
            width: frame.left + frame.width + frame.right,
            height: bottom + remarks.count * 18 - (remarks.isEmpty ? 24 : 0)
        )
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"barplot\" role=\"img\""
                + " width=\"\(size.width)\" height=\"\(size.height)\""
                + " viewBox=\"0 0 \(size.width) \(size.height)\">",
            "<title>\(escaped(title))</title>", "<style>\n\(Self.style)</style>",
            "<rect class=\"paper\" width=\"\(size.width)\" height=\"\(size.height)\"/>",
            text(title, x: frame.left, y: 26, "name"),
        ]
        for (index, panel) in panels.enumerated() {
            lines += self.lines(of: panel, in: frame, top: frame.top + index * pitch)
        }
        for (index, remark) in remarks.enumerated() {
            lines.append(text(remark, x: frame.left, y: bottom - 10 + index * 18, "remark"))
        }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func text(_ text: String, x: Int, y: Int, _ kind: String) -> String {
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>"
    }

    private func scale(of panel: Panel) -> Scale {
        let sums = bars.indices.map { bar in
            panel.series.reduce(Int64(0)) { $0 &+ $1.value(bar) }
        }
        return Scale(upTo: sums.max() ?? 0)
    }

    private func lines(of panel: Panel, in frame: Frame, top: Int) -> [String] {
        let base = top + 16 + frame.height
        let scale = scale(of: panel)
        func y(_ value: Int64) -> Int {
            base - Int((Double(value) / Double(scale.top) * Double(frame.height)).rounded())
        }
        var lines = [text(panel.title, x: frame.left, y: top, "heading")]
        for value in scale.marks {
            let y = y(value)
            let kind = value == 0 ? "axis" : "grid"
            let (left, right) = (frame.left, frame.left + frame.width)
            lines.append("<path class=\"\(kind)\" d=\"M\(left) \(y)H\(right)\"/>")
            lines.append(text("\(value)", x: left - 8, y: y + 4, "mark value"))
        }
        lines += bars.indices.flatMap { self.lines(of: $0, panel, in: frame, y) }
        for tick in ticks {
            let begin = frame.x(tick.bar, of: bars.count)
            let middle = (begin + frame.x(tick.bar + 1, of: bars.count)) / 2
            let place = tick.place == .middle ? middle : begin
            lines.append("<path class=\"axis\" d=\"M\(place) \(base)v5\"/>")
            lines.append(text(tick.text, x: place, y: base + 19, "mark time"))
        }
        return lines + labels(of: panel, in: frame, y)
    }

    /// A bar, with its tooltip.
    private func lines(
        of bar: Int, _ panel: Panel, in frame: Frame, _ y: (Int64) -> Int
    ) -> [String] {
        let (left, right) = (frame.x(bar, of: bars.count), frame.x(bar + 1, of: bars.count))
        let gap = right - left > 5 ? 2 : right - left > 2 ? 1 : 0
        var (sum, parts, words) = (Int64(0), [String](), [String]())
        for (index, series) in panel.series.enumerated() where series.value(bar) > 0 {
            let (lower, upper) = (y(sum), y(sum &+ series.value(bar)))
            sum &+= series.value(bar)
            words.append("\(series.name) \(series.value(bar))")
            parts.append(
                "<rect class=\"series\(index)\" x=\"\(left + gap / 2)\" y=\"\(upper)\""
                    + " width=\"\(right - left - gap)\" height=\"\(lower - upper)\"/>")
        }
        guard !parts.isEmpty else { return [] }
        let said = escaped("\(bars[bar]): \(words.joined(separator: ", "))")
        return ["<g><title>\(said)</title>\(parts.joined())</g>"]
    }

    /// The names of several series, beside the last bar.
    private func labels(of panel: Panel, in frame: Frame, _ y: (Int64) -> Int) -> [String] {
        let shown = panel.series.enumerated().filter { $0.element.values.contains { $0 > 0 } }
        guard shown.count > 1 else { return [] }
        let last = bars.indices.last { bar in shown.contains { $0.element.value(bar) > 0 } } ?? 0
        var (sum, lowest, lines) = (Int64(0), Int.max, [String]())
        for (index, series) in shown {
            let middle = sum &+ series.value(last) / 2
            sum &+= series.value(last)
            let place = min(y(middle) + 4, lowest - 16)
            lowest = place
            let x = frame.x(last + 1, of: bars.count) + 8
            lines.append(text(series.name, x: x, y: place, "label label\(index)"))
        }
        return lines
    }

    private static let style = """
        .barplot text { font-family: "DejaVu Sans", Verdana, Arial, Helvetica, sans-serif;
          font-size: \(TextSize.font)px; fill: #1b1f24; }
        .barplot .name { font-size: 16px; font-weight: bold; }
        .barplot .heading { font-weight: bold; }
        .barplot .mark { font-size: 12px; fill: #59636e; }
        .barplot .remark { fill: #59636e; }
        .barplot .value { text-anchor: end; }
        .barplot .time { text-anchor: middle; }
        .barplot .paper { fill: #ffffff; }
        .barplot .label { stroke: #ffffff; stroke-width: 4; paint-order: stroke; }
        .barplot .axis { fill: none; stroke: #59636e; stroke-width: 1; }
        .barplot .grid { fill: none; stroke: #d8dee4; stroke-width: 1; }
        .barplot .series0, .barplot .label0 { fill: #1f5fbf; }
        .barplot .series1, .barplot .label1 { fill: #b35c00; }
        .barplot .series2, .barplot .label2 { fill: #59636e; }
        @media (prefers-color-scheme: dark) {
          .barplot text { fill: #e6e9ed; }
          .barplot .mark, .barplot .remark { fill: #a3adb8; }
          .barplot .paper { fill: #14171b; }
          .barplot .label { stroke: #14171b; }
          .barplot .axis { stroke: #a3adb8; }
          .barplot .grid { stroke: #30363d; }
          .barplot .series0, .barplot .label0 { fill: #6cb6ff; }
          .barplot .series1, .barplot .label1 { fill: #ffb300; }
          .barplot .series2, .barplot .label2 { fill: #a3adb8; }
        }

        """
}

extension BarPlot.Series {
    /// The number of a bar.
    fileprivate func value(_ bar: Int) -> Int64 { bar < values.count ? max(0, values[bar]) : 0 }
}

/// Round numbers on an axis that begins with 0.
struct Scale {
    /// The numbers that are marked.
    let marks: [Int64]
    /// The last of them.
    var top: Int64 { marks.last ?? 1 }

    /// At most six ticks, the last of which is not below this.
    init(upTo most: Int64) {
        var (step, factors) = (Int64(1), 0)
        // 1, 2, 5, 10, 20, 50 and so on.
        while step < Int64.max / 16, step * 5 < most {
            step = factors % 3 == 1 ? step / 2 * 5 : step * 2
            factors += 1
        }
        let count = max(1, most / step + (most % step == 0 ? 0 : 1))
        marks = (0...min(count, 8)).map { $0 * step }
    }
}
