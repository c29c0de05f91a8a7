/// Whole numbers in the page's form: each as the difference from the one before.
struct DeltaList {
    private var body = ""
    private var last: Int64 = 0

    mutating func append(_ number: Int64) {
        if !body.isEmpty { body += "," }
        body += "\(number - last)"
        last = number
    }

    var json: String { "[\(body)]" }
}

/// Whole numbers as they are.
struct PlainList {
    private var body = ""

    mutating func append(_ number: Int) {
        if !body.isEmpty { body += "," }
        body += "\(number)"
    }

    var json: String { "[\(body)]" }
}

/// Texts that come again and again, each once, by its place.
struct TextTable {
    private var places: [String: Int] = [:]
    private var texts: [String] = []

    /// The place of a text that is written in JSON already.
    mutating func place(ofJSON text: String) -> Int {
        if let place = places[text] { return place }
        places[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }

    mutating func place(of text: String) -> Int { place(ofJSON: text.inJSON) }

    var json: String { texts.asJSONList }
}

/// When a line changed.
struct LevelTrack {
    private let first: Bool
    private var level: Bool
    private var times = DeltaList()

    init(_ level: Bool) { (first, self.level) = (level, level) }

    /// Has the line carry this level from a time in µs on.
    mutating func set(_ level: Bool, at time: Int64) {
        guard level != self.level else { return }
        self.level = level
        times.append(time)
    }

    var json: String { "{\"first\": \(first ? 1 : 0), \"times\": \(times.json)}" }
}

/// When a region was in which state.
struct StateTrack {
    private var names = TextTable()
    private var current = ""
    private var times = DeltaList()
    private var states = PlainList()

    init(_ state: String, at time: Int64) { set(state, at: time) }

    /// Has the region be in this state from a time in µs on.
    mutating func set(_ state: String, at time: Int64) {
        guard state != current else { return }
        current = state
        times.append(time)
        states.append(names.place(of: state))
    }

    var json: String {
        "{\"names\": \(names.json), \"times\": \(times.json), \"states\": \(states.json)}"
    }
}

/// How an amount changed.
struct AmountTrack {
    private var current: Int?
    private var times = DeltaList()
    private var values = DeltaList()

    /// Has the amount be so much from a time in µs on.
    mutating func set(_ amount: Int, at time: Int64) {
        guard amount != current else { return }
        current = amount
        times.append(time)
        values.append(Int64(amount))
    }

    var json: String { "{\"times\": \(times.json), \"values\": \(values.json)}" }
}
