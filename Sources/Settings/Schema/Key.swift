import Hardware

/// A mapping of the configuration: its keys, and what they fill in.
struct Section<Target: Sendable>: Sendable {
    /// The keys, in the order of the documentation.
    let keys: [Key<Target>]
    /// What stands where a key is left out.
    let initial: Target

    /// A section of these keys.
    init(initial: Target, _ keys: [Key<Target>]) {
        self.keys = keys
        self.initial = initial
    }

    /// The section as a tree of what can be told of its keys without their types.
    var entries: [SchemaEntry] {
        keys.map { key in
            let fallback: String =
                switch key.need {
                case .optional: key.write(initial)
                case .conditional(let condition): condition
                case .required: "required"
                }
            return SchemaEntry(
                name: key.name, summary: key.summary, fallback: fallback,
                hasDefault: key.need == .optional, form: key.form)
        }
    }
}

/// A key of the configuration. Parsing, messages, documentation and tests all follow from this.
struct Key<Target: Sendable>: Sendable {
    /// The key as it is written.
    let name: String
    /// What it decides, as a clause that starts in lower case and has no full stop.
    let summary: String
    /// Whether it may be left out.
    let need: Need
    /// What its value looks like.
    let form: SchemaEntry.Form
    /// Reads the value at a place into the target.
    let read: @Sendable (Node, _ place: String, inout Target, inout Reader) -> Void
    /// The value in a target, as it is written; empty for a section.
    let write: @Sendable (Target) -> String
}

/// Whether a key may be left out.
enum Need: Hashable, Sendable {
    /// It has a default.
    case optional
    /// It has none and may still be left out, as the words say; ``Reader/check(_:)`` sees to it.
    case conditional(String)
    /// It must be there: because of this, or because of what its summary says.
    case required(because: String? = nil)
}

/// What can be told of a key without its type.
struct SchemaEntry: Sendable {
    /// The key as it is written.
    let name: String
    /// What it decides.
    let summary: String
    /// What stands where it is left out: a default as it is written, or when it is needed.
    let fallback: String
    /// Whether ``fallback`` is a default.
    let hasDefault: Bool
    /// What its value looks like.
    let form: Form

    /// What a value looks like.
    enum Form: Sendable {
        /// One value.
        case value(allowed: String, edge: Edge)
        /// One value, or a list of them.
        case values(allowed: String, edge: Edge)
        /// A mapping in which the keys are values as well.
        case table(allowed: String, columns: Edge, values: Edge)
        /// A mapping with these keys.
        case section([SchemaEntry])
        /// A list of at most so many mappings with these keys.
        case list([SchemaEntry], limit: Int)
    }

    /// The keys in it; none for a value.
    var entries: [SchemaEntry] {
        switch form {
        case .section(let entries), .list(let entries, _): entries
        case .value, .values, .table: []
        }
    }
}

/// A mapping in which the keys are values as well.
struct Table<Column: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What it is, to follow "takes": `a value for each number of pulses`.
    let shape: String
    /// How a key is written.
    let columns: Format<Column>
    /// How a value is written.
    let values: Format<Value>

    /// What is allowed in it.
    var allowed: String { "\(shape): keys \(columns.allowed), values \(values.allowed)" }
}

extension Key {
    /// A key with one value, kept at `path`.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value> & Sendable,
        _ format: Format<Value>, need: Need = .optional, _ summary: String
    ) {
        self.init(
            name: name, summary: summary, need: need,
            form: .value(allowed: format.allowed, edge: format.edge),
            read: { node, place, target, reader in
                guard let value = reader.value(of: node, at: place, format) else { return }
                target[keyPath: path] = value
            },
            write: { format.write($0[keyPath: path]) })
    }

    /// A key with one value that may be missing, kept at `path`.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ format: Format<Value>, need: Need, _ summary: String
    ) {
        self.init(
            name: name, summary: summary, need: need,
            form: .value(allowed: format.allowed, edge: format.edge),
            read: { node, place, target, reader in
                guard let value = reader.value(of: node, at: place, format) else { return }
                target[keyPath: path] = value
            },
            write: { $0[keyPath: path].map(format.write) ?? "" })
    }

    /// A key with one value or a list of them, which `joined` makes one of; kept at `path`.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        oneOrMore format: Format<Value>, need: Need, _ summary: String,
        joined: @escaping @Sendable ([Value]) -> Value
    ) {
        self.init(
            name: name, summary: summary, need: need,
            form: .values(allowed: format.allowed, edge: format.edge),
            read: { node, place, target, reader in
                target[keyPath: path] = reader.values(of: node, at: place, format).map(joined)
            },
            write: { $0[keyPath: path].map(format.write) ?? "" })
    }

    /// A key with a table, kept at `path`.
    init<Column, Value>(
        _ name: String, _ path: any WritableKeyPath<Target, [Column: Value]?> & Sendable,
        _ table: Table<Column, Value>, need: Need, _ summary: String
    ) {
        self.init(
            name: name, summary: summary, need: need,
            form: .table(
                allowed: table.allowed, columns: table.columns.edge, values: table.values.edge),
            read: { node, place, target, reader in
                target[keyPath: path] = reader.rows(of: node, at: place, table)
            },
            write: { _ in "" })
    }

    /// A key with a list of sections, kept at `path` once each is `finish`ed. Nil stands for one
    /// that cannot be used, and has been reported.
    init<Draft, Value>(
        _ name: String, _ path: any WritableKeyPath<Target, [Value?]> & Sendable,
        listOf section: Section<Draft>, limit: Int, _ summary: String,
        finish: @escaping @Sendable (Draft, _ place: String, inout Reader) -> Value?
    ) {
        self.init(
            name: name, summary: summary, need: .conditional("optional"),
            form: .list(section.entries, limit: limit),
            read: { node, place, target, reader in
                target[keyPath: path] = reader.items(of: node, at: place, limit: limit) {
                    finish($2.read(section, at: $1, from: $0), $1, &$2)
                }
            },
            write: { _ in "" })
    }

    /// A key with a section of its own, whose value is kept at `path` once it is `finish`ed. Nil
    /// means that it cannot be used, and has been reported.
    init<Draft, Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ section: Section<Draft>, need: Need, _ summary: String,
        finish: @escaping @Sendable (Draft, _ place: String, inout Reader) -> Value?
    ) {
        self.init(
            name: name, summary: summary, need: need, form: .section(section.entries),
            read: { node, place, target, reader in
                let draft = reader.read(section, at: place, from: node)
                target[keyPath: path] = finish(draft, place, &reader)
            },
            write: { _ in "" })
    }

    /// A key that groups others of the same target.
    init(
        _ name: String, _ keys: Section<Target>, need: Need = .conditional("optional"),
        _ summary: String
    ) {
        self.init(
            name: name, summary: summary, need: need, form: .section(keys.entries),
            read: { node, place, target, reader in
                reader.read(keys, at: place, from: node, into: &target)
            },
            write: { _ in "" })
    }
}
