internal import Console

/// The log of the view: what was told last, which part of it is looked at, and what is left out.
struct LogBook: Hashable, Sendable {
    typealias Entry = ViewModel.Entry

    /// How many of the newest entries are kept at least.
    static let capacity = 2000
    /// How long a filter may be: pasted text may be of any length.
    static let longestFilter = 40

    private(set) var entries: [Entry] = []
    /// What entries have to contain to be shown, in any case of its letters.
    private(set) var filter = ""
    /// Whether letters go to the filter.
    private(set) var isTyping = false
    /// How much entries have to matter to be shown.
    private(set) var least = ViewModel.Weight.normal
    /// How many that would be shown are newer than what is.
    private(set) var newer = 0

    var isFiltered: Bool { !filter.isEmpty || least != .normal }

    /// What is not left out, the oldest first.
    var matching: [Entry] { isFiltered ? entries.filter(isShown) : entries }

    /// Adds an entry below the others. What is looked at stays where it is.
    mutating func add(_ entry: Entry) {
        entries.append(entry)
        if newer > 0, isShown(entry) { newer += 1 }
        // Not one at a time: the array is moved as a whole.
        guard entries.count > Self.capacity + 200 else { return }
        entries.removeFirst(200)
        newer = min(newer, matching.count)
    }

    mutating func removeAll() { (entries, newer) = ([], 0) }

    func page(rows: Int) -> ArraySlice<Entry> {
        let all = matching
        return all.dropLast(min(newer, max(0, all.count - rows))).suffix(rows)
    }

    /// Goes back by so many rows of a page that has `rows`, or forward by less than nothing.
    mutating func scroll(by count: Int, rows: Int) {
        newer = max(0, min(newer + count, matching.count - rows))
    }

    mutating func goToEnd() { newer = 0 }

    /// Shows warnings and worse next, then what is worse than warnings, then everything.
    mutating func raiseLeast() {
        least = ViewModel.Weight(rawValue: least.rawValue + 1) ?? .normal
        newer = 0
    }

    mutating func beginFilter() {
        (filter, isTyping, newer) = ("", true, 0)
    }

    /// Ends the filter, and shows everything.
    mutating func clear() {
        (filter, isTyping, least, newer) = ("", false, .normal, 0)
    }

    /// Takes a key while the filter is typed.
    mutating func type(_ key: Key) {
        switch key {
        case .character(let character), .pasted(let character):
            // Not of characters: any number of accents makes one with the letter before.
            if filter.unicodeScalars.count < Self.longestFilter { filter.append(character) }
        case .backspace: _ = filter.popLast()
        case .enter: isTyping = false
        case .escape: clear()
        case .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .tab, .interrupt,
            .suspend:
            isTyping = false
        }
        newer = 0
    }

    private func isShown(_ entry: Entry) -> Bool {
        guard entry.weight.rawValue >= least.rawValue else { return false }
        // By bytes, so that a letter is found with any accent behind it, and by hand: the library's
        // search for a part of a text brings 1.2 MB of regular expressions with it.
        let (text, part) = (Array(entry.text.lowercased().utf8), Array(filter.lowercased().utf8))
        return (0...text.count).contains { text[$0...].starts(with: part) }
    }
}
