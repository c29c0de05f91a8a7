/// Keeps the terminal's picture and computes what to write to reach the next one.
public struct Painter: Hashable, Sendable {
    private var shown: [String]?

    public init() {}

    /// The text that turns the current picture into `lines`: empty if they are equal.
    public mutating func paint(_ lines: [String]) -> String {
        var text = ""
        if shown?.count != lines.count {
            text += "\u{1B}[2J"
            shown = nil
        }
        for (row, line) in lines.enumerated() where shown?[row] != line {
            // Behind a line that is as wide as the screen, many terminals would erase its end.
            text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
        }
        shown = lines
        return text
    }

    /// Forgets the picture: the terminal has a new size.
    public mutating func forget() {
        shown = nil
    }
}
