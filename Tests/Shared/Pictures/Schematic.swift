/// A circuit that is drawn in characters, as a picture.
///
/// - Wires are `─ │ ┌ ┐ └ ┘ ├ ┤ ┬ ┴`; where three meet they are joined. At `┼` two cross that are
///   not.
/// - `━ ┃ ┏ ┓ ┗ ┛` are the outline of a device, with wires at `┠ ┨ ┷ ┯`.
/// - `[/]` on a wire is a contact that is open while nothing happens, `[\]` one that is closed,
///   `[>]`, `[<]`, `[^]` and `[v]` are diodes that let current through in that direction.
/// - Any other words in brackets on a wire are a component: `[4k7]`, `(lock's coil)`.
/// - All else is words; two blanks part them. A first line that begins with `#` is the title.
public struct Schematic {
    private var sketch: Sketch
    private let cells: [[Character]]
    private var isDone: [[Bool]]

    /// What a character is as wide and as high as.
    private static let (wide, high) = (Sketch.characterWidth, 18)
    private static let margin = 12

    /// Draws the circuit.
    public init(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        let title = lines.first.flatMap { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : nil }
        if title != nil { lines.removeFirst() }
        let columns = lines.map(\.count).max() ?? 0
        cells = lines.map { Array($0) + Array(repeating: " ", count: columns - $0.count) }
        isDone = cells.map { $0.map { $0 == " " } }
        sketch = Sketch(
            title: title ?? "", width: columns * Self.wide + 2 * Self.margin,
            height: cells.count * Self.high + 2 * Self.margin)
        drawDevices()
        drawComponents()
        drawWires()
        writeWords()
    }

    /// The picture as a text.
    public var svg: String { sketch.svg }

    private func left(_ column: Int) -> Int { Self.margin + column * Self.wide }
    private func top(_ row: Int) -> Int { Self.margin + row * Self.high }
    private func centre(_ column: Int) -> Int { left(column) + Self.wide / 2 }
    private func middle(_ row: Int) -> Int { top(row) + Self.high / 2 }

    private func cell(_ row: Int, _ column: Int) -> Character {
        cells.indices.contains(row) && cells[row].indices.contains(column)
            ? cells[row][column] : " "
    }
}

// Wires and outlines.
extension Schematic {
    private struct Ways: OptionSet {
        let rawValue: Int
        static let (left, right) = (Ways(rawValue: 1), Ways(rawValue: 2))
        static let (up, down) = (Ways(rawValue: 4), Ways(rawValue: 8))
    }

    private static let wires: [Character: Ways] = [
        "─": [.left, .right], "│": [.up, .down], "┌": [.right, .down], "┐": [.left, .down],
        "└": [.right, .up], "┘": [.left, .up], "├": [.up, .down, .right], "┤": [.up, .down, .left],
        "┬": [.left, .right, .down], "┴": [.left, .right, .up], "┼": [.left, .right, .up, .down],
        // At the outline of a device.
        "┠": [.right], "┨": [.left], "┷": [.up], "┯": [.down],
    ]

    private mutating func drawWires() {
        for row in cells.indices {
            for column in cells[row].indices {
                guard let ways = Self.wires[cells[row][column]] else { continue }
                isDone[row][column] = true
                let (x, y) = (centre(column), middle(row))
                if ways.contains(.left) { sketch.line([(left(column), y), (x, y)]) }
                if ways.contains(.right) { sketch.line([(x, y), (left(column + 1), y)]) }
                if ways.contains(.up) { sketch.line([(x, top(row)), (x, y)]) }
                if ways.contains(.down) { sketch.line([(x, y), (x, top(row + 1))]) }
                if "├┤┬┴".contains(cells[row][column]) { sketch.dot(x: x, y: y) }
            }
        }
    }

    private mutating func drawDevices() {
        for row in cells.indices {
            for column in cells[row].indices where cells[row][column] == "┏" {
                let right = (column..<cells[row].count).first { cells[row][$0] == "┓" }
                let bottom = (row..<cells.count).first { cells[$0][column] == "┗" }
                guard let right, let bottom else { preconditionFailure("an outline is not closed") }
                sketch.box(
                    x: centre(column), y: middle(row), width: centre(right) - centre(column),
                    height: middle(bottom) - middle(row), radius: 4)
                for row in row...bottom {
                    for column in column...right where "┏━┓┃┗┛".contains(cells[row][column]) {
                        isDone[row][column] = true
                    }
                }
            }
        }
    }
}

// Components.
extension Schematic {
    private mutating func drawComponents() {
        for row in cells.indices {
            var column = 0
            while column < cells[row].count {
                defer { column += 1 }
                guard let end = endOfComponent(row, column) else { continue }
                for column in column...end { isDone[row][column] = true }
                draw(String(cells[row][(column + 1)..<end]), row, from: column, to: end)
                column = end
            }
        }
    }

    /// Where the component ends that begins here; nil where none does, as in words.
    private func endOfComponent(_ row: Int, _ column: Int) -> Int? {
        guard let closing = ["[": "]", "(": ")"][cells[row][column]] as Character? else {
            return nil
        }
        guard let end = (column..<cells[row].count).first(where: { cells[row][$0] == closing })
        else { return nil }
        let isOnWire =
            isWire(row, column - 1, .right) || isWire(row, end + 1, .left)
            || (column...end).contains { isWire(row - 1, $0, .down) || isWire(row + 1, $0, .up) }
        return isOnWire ? end : nil
    }

    private func isWire(_ row: Int, _ column: Int, _ way: Ways) -> Bool {
        Self.wires[cell(row, column)]?.contains(way) == true
    }

    private mutating func draw(_ name: String, _ row: Int, from first: Int, to last: Int) {
        let isUpright = !isWire(row, first - 1, .right) && !isWire(row, last + 1, .left)
        // Along the wire, and across it, from the middle of the component.
        let (x, y) = ((left(first) + left(last + 1)) / 2, middle(row))
        let half = isUpright ? Self.high / 2 : (left(last + 1) - left(first)) / 2
        func at(_ along: Int, _ across: Int) -> (x: Int, y: Int) {
            isUpright ? (x + across, y + along) : (x + along, y - across)
        }
        switch name {
        case "/", "\\":
            let isClosed = name == "\\"
            sketch.line([at(-half, 0), at(-6, 0), at(7, isClosed ? 2 : 8)], .accent)
            sketch.line([at(half, 0), at(6, 0)] + (isClosed ? [at(6, 5)] : []), .accent)
        case ">", "v": drawDiode(at, half, 1)
        case "<", "^": drawDiode(at, half, -1)
        default:
            let isRound = cells[row][first] == "("
            sketch.box(
                x: left(first), y: top(row) + 1, width: left(last + 1) - left(first),
                height: Self.high - 2, radius: isRound ? 8 : 0, isRound ? .accent : .line)
            sketch.text(name, x: left(first + 1), y: top(row) + 13)
        }
    }

    private mutating func drawDiode(
        _ at: (Int, Int) -> (x: Int, y: Int), _ half: Int, _ sign: Int
    ) {
        sketch.line([at(-half, 0), at(half, 0)])
        sketch.shape([at(-5 * sign, -5), at(-5 * sign, 5), at(4 * sign, 0)])
        sketch.line([at(5 * sign, -6), at(5 * sign, 6)])
    }
}

// Words.
extension Schematic {
    private mutating func writeWords() {
        for row in cells.indices {
            var column = 0
            while column < cells[row].count {
                guard !isDone[row][column] else {
                    column += 1
                    continue
                }
                var end = column
                while end + 1 < cells[row].count,
                    !isDone[row][end + 1] || isBlankInWords(row, end + 1)
                {
                    end += 1
                }
                let words = String(cells[row][column...end])
                sketch.text(words, x: left(column), y: top(row) + 13)
                column = end + 1
            }
        }
    }

    private func isBlankInWords(_ row: Int, _ column: Int) -> Bool {
        cell(row, column) == " " && column + 1 < cells[row].count && !isDone[row][column + 1]
    }
}
