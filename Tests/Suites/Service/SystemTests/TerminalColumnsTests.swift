import System
import Testing

@Suite struct TerminalColumnsTests {
    @Test(arguments: [
        ("", 0), ("gate 1", 6), ("Zürich…", 7), ("Zu\u{308}rich", 6), ("├─●", 3), ("ｱ", 1),
        ("北門", 4), ("ゲート", 6), ("게이트", 6), ("Ａ", 2), ("😀", 2), ("❤️", 2), ("𠀀", 2),
    ])
    func `a text takes so many columns`(text: String, columns: Int) {
        #expect(text.terminalColumns == columns)
    }

    @Test func `a text is cut at either end where a character does not fit`() {
        let text = "a北門b"
        #expect(
            (0...6).map { text.prefix(terminalColumns: $0) } == [
                "", "a", "a", "a北", "a北", "a北門", text[...],
            ])
        #expect(
            (0...6).map { text.suffix(terminalColumns: $0) } == [
                "", "b", "b", "門b", "門b", "北門b", text[...],
            ])
    }
}
