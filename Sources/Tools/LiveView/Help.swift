internal import Console
internal import Turnstile

/// The help about keys: all of them in place of the gate, or the most important in one line.
struct Help {
    /// Groups of keys, and their meanings.
    private let items: [(keys: String, meaning: String)]
    private let short: [(keys: String, meaning: String)]
    private let appearance: Appearance

    /// `keyboard` is nil without a gate, or for a real one.
    init(_ keyboard: Keyboard?, isReplayed: Bool = false, _ appearance: Appearance) {
        self.appearance = appearance
        let looking: [(String, String)] = [
            ("Up Down", "log"), ("PgUp PgDn", "page"), ("Home End", "ends"), ("/", "filter"),
            ("!", "warnings"), ("Esc", "all"), ("Tab", "lines, log"), ("Ctrl-Z", "suspend"),
            ("?", "help"), ("q", "quit"),
        ]
        let moving = keyboard?.bindings() ?? []
        func keys(_ binding: Binding) -> String {
            let keys = binding.keys.map { String($0) }
            let isRange = keys.count > 2 && binding.line != nil
            return isRange ? keys[0] + "-" + keys[keys.count - 1] : keys.joined(separator: " ")
        }
        let arrows = keyboard == nil ? [] : [("Arrows", "walk")]
        let stepping = [
            ("Left Right", "event"), ("Space b", "event"), ("n p", "next, last record"),
        ]
        items =
            moving.map { (keys($0), $0.meaning) } + arrows + (isReplayed ? stepping : []) + looking
        let coins = moving.flatMap(\.keys).filter { ("1"..."9").contains($0) }
        let pay = coins.last.map { [($0 == "1" ? "1" : "1-\($0)", "coin")] } ?? []
        let few =
            keyboard == nil
            ? [] : pay + [("e x", "walk in, out"), ("f", "fire"), ("r", "repair")]
        short =
            few + (isReplayed ? [("Left Right", "event"), ("n p", "record")] : []) + [
                ("/", "filter"), ("PgUp", "older"), ("Tab", "all lines"),
            ]
    }

    /// All keys, in as many columns as fit.
    func lines(columns: Int, rows: Int) -> [[Span]] {
        let cells = items.map { [Span($0.keys, .bold), Span(" \($0.meaning)")] }
        for height in 1...max(1, cells.count) {
            let pieces = cells.pieces(of: height)
            let widths = pieces.map { $0.map(\.width).max() ?? 0 }
            guard widths.reduce(0, +) + 2 * widths.count <= columns else { continue }
            let lines = (0..<height).map { row in
                [Span(" ")]
                    + zip(pieces, widths).flatMap { piece, width -> [Span] in
                        guard row < piece.count else { return [.blank(width + 2)] }
                        return piece[row] + [.blank(width + 2 - piece[row].width)]
                    }
            }
            guard lines.count > rows else { return lines }
            return lines.prefix(max(0, rows - 1)) + [[Span(" \(appearance.ellipsis)", .faint)]]
        }
        return [[Span(" \(appearance.ellipsis)", .faint)]]
    }

    /// The most important keys in one line; or the note, if any.
    func line(_ note: Span?, columns: Int) -> [Span] {
        let end = item("?", "all keys") + [Span("q", .bold), Span(" quit")]
        let room = columns - end.width - 1
        if let note {
            let said = [Span(" "), note].cut(at: max(1, room - 1), appearance)
            return said + [.blank(max(1, room - said.width))] + end
        }
        var line: [Span] = [Span(" ")]
        for (keys, meaning) in short {
            let next = item(keys, meaning)
            guard line.width + next.width <= room else { break }
            line += next
        }
        return line + end
    }

    private func item(_ keys: String, _ meaning: String) -> [Span] {
        [Span(keys, .bold), Span(" \(meaning)  ")]
    }
}
