import Hardware
import Turnstile

/// A mapping of the configuration: its keys, and what they fill in.
struct Section<Target: Sendable>: Sendable {
    let keys: [Key<Target>]
    let initial: Target

    init(initial: Target, _ keys: [Key<Target>]) {
        self.keys = keys
        self.initial = initial
    }

    /// The section as a tree of what can be told of its keys without their types.
    var entries: [SchemaEntry] {
        keys.map { key in
            let fallback: String =
                switch key.need {
                case .optional: key.values(initial, key.name).map(\.text).joined()
                case .conditional(let condition): condition
                case .required: "required"
                }
            return SchemaEntry(
                name: key.name, summary: key.summary, fallback: fallback,
                hasDefault: key.need == .optional, form: key.form)
        }
    }

    /// What a target says, key by key; `place` is the section's.
    func values(of target: Target, at place: String) -> [WrittenValue] {
        keys.flatMap { $0.values(target, join(place, $0.name)) }
    }
}

/// A value as the configuration writes it, and where.
struct WrittenValue: Hashable, Sendable {
    /// The key with those above it: `passage.pass_wait`.
    let place: String
    /// The value: `5s`.
    let text: String
}

/// A key of the configuration. Parsing, messages, documentation and tests all follow from this.
struct Key<Target: Sendable>: Sendable {
    let name: String
    /// What it decides, as a clause that starts in lower case and has no full stop.
    let summary: String
    let need: Need
    /// What its value looks like.
    let form: SchemaEntry.Form
    /// Reads the value at a place into the target.
    let read: @Sendable (Node, _ place: String, inout Target, inout Reader) -> Void
    /// What a target says of the key, whose place is given: a value, those of the keys in it, or
    /// nothing.
    let values: @Sendable (Target, _ place: String) -> [WrittenValue]
}

enum Need: Hashable, Sendable {
    /// It has a default.
    case optional
    /// It has none and may still be left out, as the words say; ``Reader/check(_:)`` sees to it.
    case conditional(String)
    /// It must be there: because of this, or because of what its summary says.
    case required(because: String? = nil)

    /// What the catalogue says of a line.
    init(_ need: LineNeed) {
        self =
            switch need {
            case .required(let reason): .required(because: reason)
            case .conditional(let condition): .conditional(condition)
            }
    }
}

struct SchemaEntry: Sendable {
    let name: String
    let summary: String
    /// What stands where it is left out: a default as it is written, or when it is needed.
    let fallback: String
    let hasDefault: Bool
    let form: Form

    enum Form: Sendable {
        case value(allowed: String, edge: Edge)
        /// One value, or a list of them.
        case values(allowed: String, edge: Edge)
        /// A mapping in which the keys are values as well.
        case table(allowed: String, columns: Edge, values: Edge)
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

/// What each number of pulses is worth: a mapping in which the keys are values as well.
struct KeyTable: Sendable {
    /// What it is, to follow "takes".
    let shape = "a value for each number of pulses, as in {1: 50, 2: 100}"
    let columns: Format<Int>
    let values: Format<Int>

    /// What is allowed in it.
    var form: SchemaEntry.Form {
        .table(
            allowed: "\(shape): keys \(columns.allowed), values \(values.allowed)",
            columns: columns.edge, values: values.edge)
    }

    /// The rows as they are written, in the order of their keys.
    func write(_ rows: [Int: Int]) -> String {
        let pairs = rows.sorted { $0.key < $1.key }.map {
            "\(columns.write($0.key)): \(values.write($0.value))"
        }
        return "{\(pairs.joined(separator: ", "))}"
    }
}

extension Key {
    /// How the list begins whose first item `value` seems to be: `days: [sat`; nil for a key that
    /// takes no list.
    func beginning(ofList value: Node) -> String? {
        guard case .values = form, case .scalar(let item) = value.content, !item.isNull
        else { return nil }
        return "\(name): [\(item.text)"
    }

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
            values: { [WrittenValue(place: $1, text: format.write($0[keyPath: path]))] })
    }

    /// A key with one value that may be missing, kept at `path`.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ format: Format<Value>, need: Need, _ summary: String
    ) {
        self.init(
            name, path, .value(allowed: format.allowed, edge: format.edge), need: need, summary,
            read: { $2.value(of: $0, at: $1, format) }, write: format.write)
    }

    /// A key with a value of some form that may be missing, kept at `path`; nil where what stands
    /// there is wrong, and has been reported.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ form: SchemaEntry.Form, need: Need, _ summary: String,
        read: @escaping @Sendable (Node, _ place: String, inout Reader) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            name: name, summary: summary, need: need, form: form,
            read: { node, place, target, reader in
                guard let value = read(node, place, &reader) else { return }
                target[keyPath: path] = value
            },
            values: { target, place in
                target[keyPath: path].map { [WrittenValue(place: place, text: write($0))] } ?? []
            })
    }

    /// A key with a list of sections, kept at `path` once each is `finish`ed. Nil stands for one
    /// that cannot be used, and has been reported. `draft` is the way back.
    init<Draft, Value>(
        _ name: String, _ path: any WritableKeyPath<Target, [Value?]> & Sendable,
        listOf section: Section<Draft>, limit: Int, _ summary: String,
        finish: @escaping @Sendable (Draft, _ place: String, inout Reader) -> Value?,
        draft: @escaping @Sendable (Value) -> Draft
    ) {
        self.init(
            name: name, summary: summary, need: .conditional("optional"),
            form: .list(section.entries, limit: limit),
            read: { node, place, target, reader in
                target[keyPath: path] = reader.items(of: node, at: place, limit: limit) {
                    finish($2.read(section, at: $1, from: $0), $1, &$2)
                }
            },
            values: { target, place in
                let items = target[keyPath: path].compactMap { $0 }.map { item in
                    section.values(of: draft(item), at: "").map { "\($0.place): \($0.text)" }
                }
                let text = items.map { "{\($0.joined(separator: ", "))}" }.joined(separator: ", ")
                return items.isEmpty ? [] : [WrittenValue(place: place, text: "[\(text)]")]
            })
    }

    /// A key with a section of its own, whose value is kept at `path` once it is `finish`ed. Nil
    /// means that it cannot be used, and has been reported. `draft` is the way back.
    init<Draft, Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ section: Section<Draft>, need: Need, _ summary: String,
        finish: @escaping @Sendable (Draft, _ place: String, inout Reader) -> Value?,
        draft: @escaping @Sendable (Value) -> Draft
    ) {
        self.init(
            name: name, summary: summary, need: need, form: .section(section.entries),
            read: { node, place, target, reader in
                let draft = reader.read(section, at: place, from: node)
                target[keyPath: path] = finish(draft, place, &reader)
            },
            values: { target, place in
                target[keyPath: path].map { section.values(of: draft($0), at: place) } ?? []
            })
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
            values: { keys.values(of: $0, at: $1) })
    }
}
