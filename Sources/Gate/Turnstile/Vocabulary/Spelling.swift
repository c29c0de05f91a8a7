/// Finds the word that was probably meant.
public enum Spelling {
    /// The candidate that is nearest to `word`, or nil where none is near enough to be worth a
    /// question: more than a third of the letters are wrong.
    ///
    /// Case and the choice between `_`, `-` and a space cost nothing, so `coin-In` finds
    /// `COIN_IN`. Of two candidates that are equally near, the first one wins.
    public static func nearest(
        to word: String, among candidates: some Sequence<String>
    ) -> String? {
        let folded = fold(word)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate != word {
            let other = fold(candidate)
            let most = max(folded.count, other.count, 3) / 3
            // As many letters as one has more than the other are wrong at least.
            guard abs(folded.count - other.count) <= most else { continue }
            let distance = distance(folded, other)
            guard distance <= most else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour to
    /// turn `a` into `b`: the Damerau–Levenshtein distance, in which no letter is touched twice.
    public static func distance(_ a: String, _ b: String) -> Int {
        distance(Array(a), Array(b))
    }

    /// The letters of `word` without common slips.
    private static func fold(_ word: String) -> [Character] {
        word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 }
    }

    /// The distance, row by row; three rows are enough, since a swap looks back by two.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for row in a.indices {
            var current = [row + 1]
            for column in b.indices {
                let replaced = last[column] + (a[row] == b[column] ? 0 : 1)
                var fewest = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
                    fewest = min(fewest, beforeLast[column - 1] + 1)
                }
                current.append(fewest)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }
}
