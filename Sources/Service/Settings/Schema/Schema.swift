import Turnstile

/// Describes the configuration file.
enum Schema {
    static let root = Section(
        initial: Draft(),
        [
            Key("gate", gate, "which gate this is"),
            Key("fare", policy(.fare), "what a passage costs"),
            Key("coin", coin, "the coin acceptors and their coins"),
            Key("modes", modes, "who may pass, when the schedule says nothing else"),
            schedule,
            Key(
                "passage", policy(.passage),
                "how long people may take, and what becomes of credit and authorisations"),
            Key("alarm", policy(.alarm), "what raises an alarm, and what an alarm does"),
            Key("emergency", policy(.emergency), "how an emergency ends"),
            Key("service", policy(.service), "the mechanic's key"),
            Key("remote", policy(.remote), "what an operator may request from afar"),
            Key("mechanism", policy(.mechanism), "what locks, contacts and counters need"),
            Key("records", records, "the recording of the registers"),
            Key("ledger", ledger, "where money and passages are kept for good"),
            Key("trace", trace, "the recording of every decision of the gate"),
            Key("hardware", hardware, need: .required(), "which line has which role"),
        ])

    /// The sections that have a key of this name.
    static func places(of name: String) -> [String] { homes[name] ?? [] }

    /// The names of all keys.
    static var names: [String] { homes.keys.sorted() }

    /// The key at `place`; nil for none.
    static func entry(at place: String) -> SchemaEntry? {
        var entries = root.entries
        var found: SchemaEntry?
        for name in place.split(separator: ".") {
            found = entries.first { $0.name == name }
            entries = found?.entries ?? []
        }
        return found
    }

    private static let homes: [String: [String]] = {
        var homes: [String: [String]] = [:]
        func visit(_ entries: [SchemaEntry], in place: String) {
            for entry in entries {
                homes[entry.name, default: []].append(place)
                visit(entry.entries, in: join(place, entry.name))
            }
        }
        visit(root.entries, in: "")
        return homes
    }()
}
