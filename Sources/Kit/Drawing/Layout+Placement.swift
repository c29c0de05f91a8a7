// Where the items stand, once it is known which follows which.
extension Layout {
    /// How far the lines along an edge of a state stand apart.
    private static let lineGap = 14
    /// How often every row is placed again: a long line needs many rounds to become straight.
    private static let rounds = 200

    /// Makes states wide enough for the lines at their edges, and finds where along the edge each
    /// line stands: in the order of where they lead.
    mutating func widen() {
        for state in states.indices {
            let below = sortedLinks(at: state) { $0.states.upper == state ? $0.path[1] : nil }
            let above = sortedLinks(at: state) {
                $0.states.lower == state ? $0.path[$0.path.count - 2] : nil
            }
            let needed = (max(below.count, above.count) + 1) * Self.lineGap
            states[state].width = max(states[state].width, needed)
            let item = places[state]
            items[item].box = states[state].box
            items[item].axis = states[state].inset + states[state].width / 2
            for (place, link) in below.enumerated() {
                links[link].ends.upper = (2 * place - below.count + 1) * Self.lineGap / 2
            }
            for (place, link) in above.enumerated() {
                links[link].ends.lower = (2 * place - above.count + 1) * Self.lineGap / 2
            }
        }
    }

    /// The links with a neighbour on one side of a state, by the neighbours' places.
    private func sortedLinks(at state: Int, _ neighbour: (Link) -> Int?) -> [Int] {
        let known = links.indices.compactMap { link in
            neighbour(links[link]).map { (link: link, neighbour: $0) }
        }
        return known.sorted { place($0.neighbour) < place($1.neighbour) }.map(\.link)
    }

    private func place(_ item: Int) -> Int { rows[items[item].row].firstIndex(of: item) ?? 0 }

    /// Finds where the items stand.
    mutating func place() {
        let pulls = pulls
        var lines = [Double](repeating: 0, count: items.count)
        for row in rows { pack(row, wanted: row.map { _ in (0, 1) }, &lines) }
        for round in 0..<Self.rounds {
            let isDown = round.isMultiple(of: 2)
            for row in isDown ? Array(rows.indices) : rows.indices.reversed() {
                let wanted = rows[row].map { item in
                    // After the first quarter of the rounds both sides count; before, only placed
                    // items do.
                    let known = pulls[item].filter { pull in
                        round >= Self.rounds / 4 || (items[pull.item].row < row) == isDown
                    }
                    let weight = known.reduce(0) { $0 + $1.weight }
                    let sum = known.reduce(0) { $0 + $1.weight * (lines[$1.item] + $1.offset) }
                    return weight > 0 ? (sum / weight, weight) : (lines[item], 0.01)
                }
                pack(rows[row], wanted: wanted, &lines)
            }
        }
        for item in items.indices {
            items[item].box.left = Int(lines[item].rounded()) - items[item].axis
        }
        separate()
        stack()
    }

    /// The pull on an item: towards the position where another one's line passes, but for the
    /// offset.
    private struct Pull {
        let item: Int
        let offset: Double
        let weight: Double
    }

    private var pulls: [[Pull]] {
        var pulls = [[Pull]](repeating: [], count: items.count)
        for link in links {
            let last = link.path.count - 2
            for (number, (upper, lower)) in zip(link.path, link.path.dropFirst()).enumerated() {
                let offset =
                    (number == 0 ? link.ends.upper : 0) - (number == last ? link.ends.lower : 0)
                // Long lines should be straight.
                let weight = number > 0 && number < last ? 60.0 : 1.0
                pulls[lower].append(Pull(item: upper, offset: Double(offset), weight: weight))
                pulls[upper].append(Pull(item: lower, offset: -Double(offset), weight: weight))
            }
        }
        return pulls
    }

    /// Puts the items of a row as near as possible to where they are wanted, none on another: the
    /// least sum of squares, by pooling those that would be.
    private func pack(
        _ row: [Int], wanted: [(place: Double, weight: Double)], _ lines: inout [Double]
    ) {
        var pools: [(sum: Double, weight: Double, count: Int)] = []
        var offsets: [Double] = []
        var offset = 0.0
        for (item, wanted) in zip(row, wanted) {
            offset += Double(items[item].axis)
            offsets.append(offset)
            offset += Double(items[item].box.width - items[item].axis + Self.gap)
            let place = wanted.place - offsets[offsets.count - 1]
            pools.append((place * wanted.weight, wanted.weight, 1))
            while pools.count > 1 {
                let (one, other) = (pools[pools.count - 2], pools[pools.count - 1])
                guard one.sum / one.weight > other.sum / other.weight else { break }
                pools.removeLast(2)
                pools.append(
                    (one.sum + other.sum, one.weight + other.weight, one.count + other.count))
            }
        }
        var next = 0
        for pool in pools {
            for _ in 0..<pool.count {
                lines[row[next]] = pool.sum / pool.weight + offsets[next]
                next += 1
            }
        }
    }

    /// Restores the distances lost by rounding, and moves the drawing to 0.
    private mutating func separate() {
        for row in rows {
            for (item, next) in zip(row, row.dropFirst()) {
                let least = items[item].box.right + Self.gap - 1
                items[next].box.left = max(items[next].box.left, least)
            }
        }
        let left = items.map(\.box.left).min() ?? 0
        for item in items.indices { items[item].box.left -= left }
        width = items.map(\.box.right).max() ?? 0
    }

    /// Puts the rows below each other, the further apart the further lines between them lead.
    private mutating func stack() {
        var top = 0
        for row in rows.indices {
            let height = rows[row].map { items[$0].box.height }.max() ?? 0
            bands.append((top, top + height))
            for item in rows[row] {
                items[item].box.top = top + (height - items[item].box.height) / 2
            }
            top += height + Self.rowGap + min(50, reach(below: row) / 8)
        }
        self.height = bands.last?.bottom ?? 0
    }

    /// How far sideways a line leads between this row and the next.
    private func reach(below row: Int) -> Int {
        let ways = links.flatMap { zip($0.path, $0.path.dropFirst()) }
        return ways.filter { items[$0.0].row == row }
            .map { abs(items[$0.0].line - items[$0.1].line) }.max() ?? 0
    }
}
