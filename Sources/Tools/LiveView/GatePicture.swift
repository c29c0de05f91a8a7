internal import Console
internal import Turnstile

/// A drawing of the gate from the side: the way in goes from left to right.
struct GatePicture: Hashable, Sendable {
    static let columns = 25, rows = 6

    /// The column of the arm's pivot, a person's distance from it, and the row of the floor.
    private static let pivot = 15, step = 6, floor = 3

    private var cells = [[Cell]](
        repeating: [Cell](repeating: Cell(), count: columns), count: rows)
    private let isUnicode: Bool

    private struct Cell: Hashable, Sendable {
        var character: Character = " "
        var style = Style.plain
    }

    init(_ scene: GateScene, caption: String, _ appearance: Appearance) {
        isUnicode = appearance.isUnicode
        let ground = String(repeating: isUnicode ? "═" : "=", count: Self.columns)
        put(ground, Self.floor, 0, .faint)
        if scene.hasSlot { draw(scene.coin, takesCoins: scene.takesCoins) }
        draw(scene.arm)
        draw(scene)
        if !scene.bolts.isEmpty { put(isUnicode ? "◆" : "+", 4, Self.pivot) }
        for bolt in scene.bolts { draw(bolt, isOnly: scene.bolts.count == 1) }
        put(appearance.printable(caption), 5, 0, .faint)
    }

    /// Each line is ``columns`` wide.
    var lines: [[Span]] {
        cells.map { row in
            var line: [Span] = []
            for cell in row {
                if line.last?.style == cell.style {
                    line[line.count - 1].text.append(cell.character)
                } else {
                    line.append(Span(String(cell.character), cell.style))
                }
            }
            return line
        }
    }

    /// Puts a text at a place, cut at the edge.
    private mutating func put(
        _ text: String, _ row: Int, _ column: Int, _ style: Style = .plain
    ) {
        for (index, character) in text.enumerated() where column + index < Self.columns {
            cells[row][column + index] = Cell(character: character, style: style)
        }
    }

    private mutating func draw(_ arm: GateScene.Arm) {
        let x = Self.pivot
        if arm != .none { put(isUnicode ? "╧" : "+", Self.floor, x) }
        switch arm {
        case .none: break
        case .atRest: for row in 0..<3 { put(isUnicode ? "┃" : "|", row, x, .bold) }
        case .unknown: for row in 0..<3 { put(isUnicode ? "┊" : ":", row, x, .faint) }
        case .aThird: for row in 0..<3 { put(isUnicode ? "╱" : "/", row, x + 3 - row, .bold) }
        case .twoThirds: for row in 0..<3 { put(isUnicode ? "╲" : "\\", row, x - 3 + row, .bold) }
        case .half:
            put(isUnicode ? "━━━━╧━━━━" : "----+----", Self.floor, x - 4, .bold)
        case .dropped:
            put(isUnicode ? "╧━━━━━━━" : "+-------", Self.floor, x, .yellow)
            put("arm down", 2, x + 1, .yellow)
        }
    }

    /// Draws the person there, their direction, and the released ways.
    private mutating func draw(_ scene: GateScene) {
        let (inwards, outwards) = isUnicode ? ("→", "←") : (">", "<")
        if let person = scene.person {
            let x: Int
            switch person {
            case .outside: x = Self.pivot - Self.step
            case .middle: x = Self.pivot
            case .inside: x = Self.pivot + Self.step
            }
            put("o", 0, x, .bold)
            put("/|\\", 1, x - 1, .bold)
            put("/ \\", 2, x - 1, .bold)
            switch scene.passing {
            case .entry: put(inwards, 1, x + 3, .green)
            case .exit: put(outwards, 1, x - 3, .green)
            case nil: break
            }
            return
        }
        let shaft = isUnicode ? "──" : "--"
        for direction in scene.released {
            switch direction {
            case .entry: put(shaft + inwards, 1, Self.pivot - 7, .green)
            case .exit: put(outwards + shaft, 1, Self.pivot + 5, .green)
            }
        }
    }

    private mutating func draw(_ bolt: GateScene.Bolt, isOnly: Bool) {
        let style: Style = bolt.isDoubtful ? .red : bolt.isOut ? .plain : .green
        let gap = bolt.isOut ? 0 : 1
        let doubt = bolt.isDoubtful ? "?" : ""
        switch bolt.direction {
        case .entry:
            put(isUnicode ? "▐█▶" : "[#>", 4, Self.pivot - 3 - gap, style)
            let name = (isOnly ? "bolt" : "in") + doubt
            put(name, 4, Self.pivot - 5 - name.count, .faint)
        case .exit:
            put(isUnicode ? "◀█▌" : "<#]", 4, Self.pivot + 1 + gap, style)
            put("out" + doubt, 4, Self.pivot + 6, .faint)
        }
    }

    /// Draws the slot, the box, and the coin between them.
    private mutating func draw(_ coin: GateScene.CoinMotion, takesCoins: Bool) {
        if takesCoins {
            put(isUnicode ? "╷   ╷" : "|   |", 1, 0, .green)
        } else {
            put(isUnicode ? "┌───┐" : "+---+", 1, 0, .yellow)
        }
        put(isUnicode ? "│   │" : "|   |", 2, 0)
        put(isUnicode ? "└───┘" : "+---+", Self.floor, 0)
        let (piece, down, up) = isUnicode ? ("●", "↓", "↑") : ("o", "v", "^")
        switch coin {
        case .none: break
        case .falling:
            put(down, 1, 2, .yellow)
            put(piece, 2, 2, .yellow)
        case .inBox: put(piece, Self.floor, 2, .yellow)
        case .returning:
            put(piece, 0, 2, .yellow)
            put(up, 0, 3, .yellow)
        }
    }
}
