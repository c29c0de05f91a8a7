// The row of each state, and the items in the rows between.
extension Layout {
    /// Marks the links that close a circle as leading up, and finds the row of each state: one
    /// below the lowest from which a link leads down to it.
    mutating func rank() -> [Int] {
        var marks = [Mark](repeating: .unseen, count: states.count)
        for state in states.indices where marks[state] == .unseen { mark(state, &marks) }
        var ranks = [Int](repeating: 0, count: states.count)
        // As many rounds as a path can be long.
        for _ in states.indices {
            for link in links {
                let (upper, lower) = link.states
                ranks[lower] = max(ranks[lower], ranks[upper] + 1)
            }
        }
        return ranks
    }

    private enum Mark {
        case unseen, open, done
    }

    private mutating func mark(_ state: Int, _ marks: inout [Mark]) {
        marks[state] = .open
        for link in links.indices where links[link].from == state {
            switch marks[links[link].to] {
            case .open: links[link].isUp = true
            case .unseen: mark(links[link].to, &marks)
            case .done: continue
            }
        }
        marks[state] = .done
    }

    /// Makes the items: states, texts near where their links begin, and passages elsewhere.
    mutating func fill(_ ranks: [Int]) {
        rows = Array(repeating: [], count: 2 * (ranks.max() ?? 0) + 1)
        for state in states.indices {
            add(.state(state), row: 2 * ranks[state], states[state].box, axis: 0)
        }
        places = Array(states.indices)
        for link in links.indices {
            let (upper, lower) = links[link].states
            let between = 2 * ranks[upper] + 1..<2 * ranks[lower]
            let textRow = links[link].isUp ? between.upperBound - 1 : between.lowerBound
            links[link].path = [places[upper]]
            for row in between {
                let text = links[link].text
                let box =
                    row == textRow
                    ? Box(
                        width: 2 * Self.textInset + Self.width(text),
                        height: text.count * TextSize.line)
                    : Box(width: 8, height: 0)
                let kind: Kind = row == textRow ? .text(link: link) : .passage
                links[link].path.append(add(kind, row: row, box, axis: row == textRow ? 0 : 4))
            }
            links[link].path.append(places[lower])
        }
    }

    @discardableResult
    private mutating func add(_ kind: Kind, row: Int, _ box: Box, axis: Int) -> Int {
        rows[row].append(items.count)
        items.append(Item(kind: kind, row: row, box: box, axis: axis))
        return items.count - 1
    }
}

extension Layout.Link {
    /// The states by the rows that they stand in.
    var states: (upper: Int, lower: Int) { isUp ? (to, from) : (from, to) }
}
