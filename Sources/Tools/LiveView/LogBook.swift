internal import Console

/// The view's log: its newest entries, the scroll position, and the filter.
struct LogBook: Hashable, Sendable {
    typealias Entry = ViewModel.Entry

    /// The least number of entries that are kept.
    static let capacity = 2000
    /// How long a filter may be: pasted text may be of any length.
    static let longestFilter = 40

    private(set) var entries: [Entry] = []
    /// The text that shown entries contain, ignoring case.
    private(set) var filter = ""
    /// Whether keys edit the filter.
    private(set) var isTyping = false
    /// The least weight of shown entries.
    private(set) var least = ViewModel.Weight.normal
    /// The scroll position: how many matching entries are newer than those shown.
    private(set) var newer = 0

    var isFiltered: Bool { !filter.isEmpty || least != .normal }

    /// The entries that pass the filter, the oldest first.
    var matching: [Entry] { isFiltered ? entries.filter(isShown) : entries }

    /// Adds an entry below the others, without scrolling.
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

    /// Scrolls back by `count` entries on a page of `rows`; forward if negative.
    mutating func scroll(by count: Int, rows: Int) {
        newer = max(0, min(newer + count, matching.count - rows))
    }

    mutating func goToEnd() { newer = 0 }

    /// Cycles: warnings and errors, errors, everything.
    mutating func raiseLeast() {
        least = ViewModel.Weight(rawValue: least.rawValue + 1) ?? .normal
        newer = 0
    }

    mutating func beginFilter() {
        (filter, isTyping, newer) = ("", true, 0)
    }

    /// Clears the filter.
    mutating func clear() {
        (filter, isTyping, least, newer) = ("", false, .normal, 0)
    }

    /// Takes a key while the filter is edited.
    mutating func type(_ key: Key) {
        switch key {
        case .character(let character), .pasted(let character):
            // In scalars: a character may have any number of accents.
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
        // By bytes, so that a letter matches with any combining accent, and by hand: the library's
        // search would link 1.2 MB of regular expressions.
        let (text, part) = (Array(entry.text.lowercased().utf8), Array(filter.lowercased().utf8))
        return (0...text.count).contains { text[$0...].starts(with: part) }
    }
}
