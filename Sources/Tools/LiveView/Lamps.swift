internal import Console
internal import Turnstile

/// The wired lines, each with its lamp, its name, and the meaning of its level.
///
/// If there is no room for all, essential lines come first, then those not at rest, and the last
/// row says how many are omitted.
struct Lamps: Hashable, Sendable {
    private var lamps: [Lamp] = []
    private let appearance: Appearance

    private struct Lamp: Hashable, Sendable {
        var isInput: Bool
        var dot: Span
        var name: String
        var word: Span
        /// The lowest are shown first.
        var rank: Int

        /// The width, with names padded to `name`.
        func width(name: Int) -> Int {
            3 + max(name, self.name.count) + word.text.count
        }
    }

    init(_ model: ViewModel, _ appearance: Appearance) {
        self.appearance = appearance
        for input in Input.allCases where model.report.equipment.inputs[input] {
            let isActive = model.levels[input]
            let entry = input.entry
            add(
                true, entry.name, entry.words[isActive], isActive ? entry.lamp.style : nil,
                isEarly: entry.isEssential, isUsual: isActive == entry.isActiveAtRest)
        }
        for told in model.report.outputs {
            let entry = told.output.entry
            // A lock that opens without power is energised while it is locked.
            let isLit = model.energised[told.output]
            add(
                false, entry.name, entry.words[told.isOn], isLit ? entry.lamp.style : nil,
                isEarly: entry.isEssential, isUsual: !isLit || told.output == .ready)
        }
    }

    private mutating func add(
        _ isInput: Bool, _ name: String, _ word: String, _ style: Style?, isEarly: Bool,
        isUsual: Bool
    ) {
        lamps.append(
            Lamp(
                isInput: isInput,
                dot: Span(appearance.lamp(isLit: style != nil) + " ", style ?? .faint), name: name,
                word: Span(word, style ?? .faint),
                rank: isEarly ? isInput ? 1 : 0 : isUsual ? 3 : 2))
    }

    /// How many rows all lines need in so many columns.
    func rows(columns: Int) -> Int {
        let all = Array(lamps.indices)
        return (1...max(1, lamps.count)).first { layout(all, rows: $0, columns: columns) != nil }
            ?? lamps.count
    }

    /// The lines, in so many rows and columns at most.
    func lines(columns: Int, rows: Int) -> [[Span]] {
        guard rows > 0 else { return [] }
        let all = Array(lamps.indices)
        if let layout = layout(all, rows: rows, columns: columns) { return table(layout) }
        let order = (0...3).flatMap { rank in all.filter { lamps[$0].rank == rank } }
        var (shown, best): ([Int], Layout?) = ([], nil)
        for index in order {
            let more = (shown + [index]).sorted()
            if let layout = layout(more, rows: rows - 1, columns: columns) {
                (shown, best) = (more, layout)
            }
        }
        let mark = Span("\(appearance.ellipsis) \(lamps.count - shown.count) more: Tab", .faint)
        return (best.map(table) ?? []) + [[mark]]
    }

    private struct Layout {
        /// The lamps of each column, from the top.
        var columns: [[Int]]
        /// The width of each column, and of its names; 0 if words directly follow names.
        var widths: [(all: Int, name: Int)]
    }

    /// Lays out these lamps, with inputs apart from outputs and words aligned if that fits; nil if
    /// nothing fits.
    private func layout(_ shown: [Int], rows: Int, columns: Int) -> Layout? {
        guard rows > 0 else { return nil }
        let apart = [shown.filter { lamps[$0].isInput }, shown.filter { !lamps[$0].isInput }]
        for (groups, isAligned) in [
            (apart, true), (apart, false), ([shown], true), ([shown], false),
        ] {
            let pieces = groups.flatMap { $0.pieces(of: rows) }
            let widths = pieces.map { piece in
                let name = isAligned ? piece.map { lamps[$0].name.count }.max() ?? 0 : 0
                return (piece.map { lamps[$0].width(name: name) }.max() ?? 0, name)
            }
            if widths.reduce(-2, { $0 + $1.0 + 2 }) <= columns {
                return Layout(columns: pieces, widths: widths)
            }
        }
        return nil
    }

    /// The columns side by side.
    private func table(_ layout: Layout) -> [[Span]] {
        (0..<(layout.columns.map(\.count).max() ?? 0)).map { row in
            zip(layout.columns, layout.widths).flatMap { column, width -> [Span] in
                guard row < column.count else { return [.blank(width.all + 2)] }
                let lamp = lamps[column[row]]
                let gap = max(0, width.name - lamp.name.count) + 1
                let rest = width.all + 2 - lamp.width(name: width.name)
                return [lamp.dot, Span(lamp.name), .blank(gap), lamp.word, .blank(rest)]
            }.trimmed
        }
    }
}

extension Array {
    /// Splits into pieces of `size`; the last one may be shorter.
    func pieces(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension LampMeaning {
    /// The colour of a lamp that is lit.
    fileprivate var style: Style {
        switch self {
        case .good: .green
        case .notice: .yellow
        case .trouble: .red
        }
    }
}
