import Testing

@testable import Drawing

/// Plots of numbers.
@Suite struct BarPlotTests {
    @Test(
        arguments: [
            (0, [0, 1]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (6, [0, 2, 4, 6]),
            (16, [0, 5, 10, 15, 20]), (21, [0, 5, 10, 15, 20, 25]), (26, [0, 10, 20, 30]),
            (3_250, [0, 1_000, 2_000, 3_000, 4_000]),
        ] as [(Int64, [Int64])]) func `an axis has round numbers`(most: Int64, marks: [Int64])
    {
        #expect(Scale(upTo: most).marks == marks)
    }

    @Test func `no number is too large for an axis`() {
        for most in [Int64.max, Int64.max / 3, 1 << 53] {
            let scale = Scale(upTo: most)
            #expect((2...9).contains(scale.marks.count))
            #expect(scale.marks == scale.marks.sorted())
        }
    }

    @Test func `every bar says what it is about, and no text is taken for XML`() {
        let plot = BarPlot(
            title: "a <b> & c", bars: ["one", "two"],
            ticks: [BarPlot.Tick(bar: 1, at: .beginning, text: "2")],
            panels: [
                BarPlot.Panel(
                    title: "t",
                    series: [
                        .init(name: "x", values: [3, 0]), .init(name: "y", values: [1, -4]),
                    ])
            ], remarks: ["r > s"])
        let svg = plot.svg
        #expect(svg.contains("<title>one: x 3, y 1</title>"))
        #expect(!svg.contains("<title>two"), "there is nothing to point at")
        #expect(svg.contains("<title>a &lt;b&gt; &amp; c</title>") && svg.contains("r &gt; s"))
        #expect(svg.contains(">y</text>") && svg.contains(">x</text>"), "both are named")
        #expect(!svg.contains("height=\"-"))
    }

    @Test func `no text steers a terminal, or turns what stands beside it`() {
        let plot = BarPlot(
            title: "north\u{9B}31m\u{7F}gate\u{202E}\u{2066}", bars: [], ticks: [],
            panels: [BarPlot.Panel(title: "none", series: [.init(name: "x", values: [])])])
        #expect(plot.svg.contains("<title>north 31m gate  </title>"), "\(plot.svg)")
    }

    @Test func `nothing to draw is drawn as that`() {
        let plot = BarPlot(
            title: "t", bars: [], ticks: [],
            panels: [BarPlot.Panel(title: "none", series: [.init(name: "x", values: [])])])
        #expect(plot.svg.contains("none") && !plot.svg.contains("<g>"))
    }
}
