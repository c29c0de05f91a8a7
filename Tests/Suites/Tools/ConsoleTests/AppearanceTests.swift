import Testing

@testable import Console

@Suite struct AppearanceTests {
    private func appearance(_ environment: [String: String]) -> Appearance {
        Appearance { environment[$0] }
    }

    @Test func `NO_COLOR forbids colours unless it is empty`() {
        #expect(appearance([:]).isColoured)
        #expect(appearance(["NO_COLOR": ""]).isColoured)
        #expect(!appearance(["NO_COLOR": "1"]).isColoured)
    }

    @Test func `the first locale that is set names the character set`() {
        #expect(!appearance([:]).isUnicode)
        #expect(appearance(["LANG": "de_DE.UTF-8"]).isUnicode)
        #expect(appearance(["LANG": "C.utf8"]).isUnicode)
        #expect(!appearance(["LANG": "C"]).isUnicode)
        #expect(!appearance(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).isUnicode)
        #expect(appearance(["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"]).isUnicode)
    }

    @Test func `nothing that is told steers the terminal`() {
        let line = [Span("a\u{1B}[31mb\u{7}\u{202E}", .red), Span("\r\n")]
        let text = Appearance(isColoured: false, isUnicode: true).text(of: line)
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(text.hasPrefix("a [31mb"))
    }

    @Test func `without colours a line is its text`() {
        let line = [Span("a", .red), Span("b")]
        #expect(Appearance(isColoured: false, isUnicode: true).text(of: line) == "ab")
        #expect(
            Appearance(isColoured: true, isUnicode: true).text(of: line)
                == "\u{1B}[31ma\u{1B}[0mb")
    }
}

@Suite struct SpanTests {
    private func cut(_ line: [Span], at columns: Int) -> String {
        line.cut(at: columns, Appearance(isColoured: false, isUnicode: true)).map(\.text).joined()
    }

    @Test func `a line is cut where the screen ends, with a mark`() {
        let line = [Span("north "), Span("gate", .bold), Span("  ")]
        #expect(cut(line, at: 10) == "north gate")
        #expect(cut(line, at: 9) == "north ga…")
        #expect(cut(line, at: 6) == "north…")
        #expect(cut(line, at: 1) == "…")
    }

    @Test func `wide characters take two columns each`() {
        let line = [Span("北門 "), Span("gate", .bold)]
        #expect(line.width == 9)
        #expect(cut(line, at: 9) == "北門 gate")
        #expect(cut(line, at: 8) == "北門 ga…")
        #expect(cut(line, at: 4) == "北…")
        #expect(cut(line, at: 2) == "…")
    }
}

@Suite struct PainterTests {
    @Test func `paints only what has changed`() {
        var painter = Painter()
        #expect(
            painter.paint(["a", "b"])
                == "\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb")
        #expect(painter.paint(["a", "b"]) == "")
        #expect(painter.paint(["a", "c"]) == "\u{1B}[2;1H\u{1B}[Kc")
    }

    @Test func `nothing is erased behind the end of a line`() {
        // The cursor is on the last character of a line that is as wide as the screen: xterm and
        // others erase that one as well.
        var painter = Painter()
        let text = painter.paint(["full width", ""]) + painter.paint(["other text", "b"])
        for line in ["full width", "other text", "b"] {
            #expect(!text.contains("\(line)\u{1B}[K"))
        }
    }

    @Test func `paints everything for a new size`() {
        var painter = Painter()
        _ = painter.paint(["a", "b"])
        #expect(painter.paint(["a"]) == "\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka")
        painter.forget()
        #expect(painter.paint(["a"]) == "\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka")
    }
}
