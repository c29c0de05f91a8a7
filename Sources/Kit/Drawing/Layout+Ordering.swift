// In which order the items of a row stand, so that few lines cross.
extension Layout {
    /// Puts the items of each row near those that they are tied to, row by row, down and up, and
    /// keeps the best order that it met.
    mutating func order() {
        let ties = ties
        var best = (rows: rows, crossings: crossings(ties))
        for round in 0..<16 {
            let isDown = round.isMultiple(of: 2)
            let rest = isDown ? Array(rows.indices.dropFirst()) : rows.indices.dropLast().reversed()
            for row in rest {
                sort(row, by: rows[isDown ? row - 1 : row + 1], ties)
            }
            exchange(ties)
            let crossings = crossings(ties)
            if crossings < best.crossings { best = (rows, crossings) }
        }
        rows = best.rows
    }

    /// The items that each item is tied to in the rows above and below.
    private var ties: [[Int]] {
        var ties = [[Int]](repeating: [], count: items.count)
        for link in links {
            for (upper, lower) in zip(link.path, link.path.dropFirst()) {
                ties[upper].append(lower)
                ties[lower].append(upper)
            }
        }
        return ties
    }

    private mutating func sort(_ row: Int, by other: [Int], _ ties: [[Int]]) {
        let places = Dictionary(uniqueKeysWithValues: zip(other, other.indices))
        let wanted = rows[row].enumerated().map { place, item in
            let known = ties[item].compactMap { places[$0] }
            // One that is tied to nothing there stays about where it is.
            let mean =
                known.isEmpty
                ? Double(place * other.count) / Double(rows[row].count)
                : Double(known.reduce(0, +)) / Double(known.count)
            return (item: item, mean: mean, place: place)
        }
        rows[row] = wanted.sorted { ($0.mean, $0.place) < ($1.mean, $1.place) }.map(\.item)
    }

    /// Exchanges neighbours wherever that makes fewer lines cross.
    private mutating func exchange(_ ties: [[Int]]) {
        var crossings = crossings(ties)
        var isBetter = true
        while isBetter {
            isBetter = false
            for row in rows.indices {
                for place in rows[row].indices.dropLast() {
                    rows[row].swapAt(place, place + 1)
                    let now = self.crossings(ties, around: row)
                    rows[row].swapAt(place, place + 1)
                    guard now < self.crossings(ties, around: row) else { continue }
                    rows[row].swapAt(place, place + 1)
                    isBetter = true
                }
            }
            let now = self.crossings(ties)
            isBetter = isBetter && now < crossings
            crossings = now
        }
    }

    /// How many pairs of lines cross between this row and those beside it.
    private func crossings(_ ties: [[Int]], around row: Int) -> Int {
        let above = max(0, row - 1)..<min(rows.count - 1, row + 1)
        return above.reduce(0) { $0 + crossings(ties, below: $1) }
    }

    /// How many pairs of lines cross.
    private func crossings(_ ties: [[Int]]) -> Int {
        rows.indices.dropLast().reduce(0) { $0 + crossings(ties, below: $1) }
    }

    private func crossings(_ ties: [[Int]], below row: Int) -> Int {
        let places = Dictionary(uniqueKeysWithValues: zip(rows[row + 1], rows[row + 1].indices))
        let lines = rows[row].enumerated().flatMap { place, item in
            ties[item].compactMap { places[$0].map { (upper: place, lower: $0) } }
        }
        var count = 0
        for (number, line) in lines.enumerated() {
            for other in lines.dropFirst(number + 1) {
                if (line.upper - other.upper) * (line.lower - other.lower) < 0 { count += 1 }
            }
        }
        return count
    }
}
