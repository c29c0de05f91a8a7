import Console

/// Rows of cells, in columns that are as wide as they have to be.
struct Table {
    enum Alignment {
        case left, right
    }

    var columns: [Alignment]
    var rows: [[[Span]]] = []

    var lines: [[Span]] {
        let widths = columns.indices.map { column in
            rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line: [Span] = []
            for (column, cell) in row.enumerated() {
                let padding = Span.blank(widths[column] - cell.width)
                if column > 0 { line.append(.blank(2)) }
                line += columns[column] == .left ? cell + [padding] : [padding] + cell
            }
            return line.trimmed
        }
    }
}

extension Table {
    /// Rows below a head: texts on the left, numbers from a column on right. A column without a
    /// head is text again.
    init(_ head: [String], _ rows: [[Span]], numbersFrom first: Int = 1) {
        let count = rows.map(\.count).max() ?? head.count
        self.init(columns: (0..<count).map { $0 < first || $0 >= head.count ? .left : .right })
        self.rows = [head.map { [Span($0, .faint)] }] + rows.map { $0.map { [$0] } }
    }

    /// Rows of a name and a description.
    init(_ rows: [(String, [Span])]) {
        self.init(columns: [.left, .left], rows: rows.map { [[Span($0, .faint)], $1] })
    }
}
