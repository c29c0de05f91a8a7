import Hardware
import Turnstile

/// A section of the configuration: its keys, and the value that they fill in.
struct Section<Target: Sendable>: Sendable {
    let keys: [Key<Target>]
    let initial: Target

    init(initial: Target, _ keys: [Key<Target>]) {
        self.keys = keys
        self.initial = initial
    }

    /// The section as a tree without the keys' types.
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

    /// A target's values, by key; `place` is the section's.
    func values(of target: Target, at place: String) -> [WrittenValue] {
        keys.flatMap { $0.values(target, join(place, $0.name)) }
    }
}

/// A value in the form of the file, and its place.
struct WrittenValue: Hashable, Sendable {
    /// The full key: `passage.pass_wait`.
    let place: String
    /// `5s`.
    let text: String
}

/// A key of the configuration, from which parsing, messages, documentation and tests derive.
struct Key<Target: Sendable>: Sendable {
    let name: String
    /// Its meaning: a clause in lower case without a full stop.
    let summary: String
    let need: Need
    /// The form of its value.
    let form: SchemaEntry.Form
    /// Reads the value at a place into the target.
    let read: @Sendable (Node, _ place: String, inout Target, inout Reader) -> Void
    /// A target's values of the key at a place: one, those of its keys, or none.
    let values: @Sendable (Target, _ place: String) -> [WrittenValue]
}

enum Need: Hashable, Sendable {
    /// It has a default.
    case optional
    /// No default, and optional, as the words say; see ``Reader/check(_:)``.
    case conditional(String)
    /// Required, for this reason, or for the one in its summary.
    case required(because: String? = nil)

    /// From the catalogue's entry of a line.
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
    /// The text for a missing key: its default, or when it is needed.
    let fallback: String
    let hasDefault: Bool
    let form: Form

    enum Form: Sendable {
        case value(allowed: String, edge: Edge)
        /// One value, or a list of them.
        case values(allowed: String, edge: Edge)
        /// A mapping whose keys are values too.
        case table(allowed: String, columns: Edge, values: Edge)
        case section([SchemaEntry])
        /// A list of at most this many mappings with these keys.
        case list([SchemaEntry], limit: Int)
    }

    /// Its keys; empty for a value.
    var entries: [SchemaEntry] {
        switch form {
        case .section(let entries), .list(let entries, _): entries
        case .value, .values, .table: []
        }
    }
}

/// The value of each number of pulses: a mapping whose keys are values too.
struct KeyTable: Sendable {
    /// A noun, to follow "takes".
    let shape = "a value for each number of pulses, as in {1: 50, 2: 100}"
    let columns: Format<Int>
    let values: Format<Int>

    var form: SchemaEntry.Form {
        .table(
            allowed: "\(shape): keys \(columns.allowed), values \(values.allowed)",
            columns: columns.edge, values: values.edge)
    }

    /// The rows in the form of the file, in the order of their keys.
    func write(_ rows: [Int: Int]) -> String {
        let pairs = rows.sorted { $0.key < $1.key }.map {
            "\(columns.write($0.key)): \(values.write($0.value))"
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    /// The corrected row if an invalid key and its value look exchanged: `{5: 500}`.
    func exchanged(_ key: Scalar, _ value: Node) -> String? {
        guard case .scalar(let value) = value.content, let column = try? columns.read(value),
            let worth = try? values.read(key), column < worth
        else { return nil }
        return write([column: worth])
    }
}

extension Key {
    /// The beginning of a list with `value` as its first item: `days: [sat`; nil for a key without
    /// lists.
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

    /// A key with an optional value, kept at `path`.
    init<Value>(
        _ name: String, _ path: any WritableKeyPath<Target, Value?> & Sendable,
        _ format: Format<Value>, need: Need, _ summary: String
    ) {
        self.init(
            name, path, .value(allowed: format.allowed, edge: format.edge), need: need, summary,
            read: { $2.value(of: $0, at: $1, format) }, write: format.write)
    }

    /// A key with an optional value of some form, kept at `path`; nil for a mistake, which is
    /// reported.
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

    /// A key with a list of sections, each `finish`ed and kept at `path`. Nil stands for an invalid
    /// one, which is reported. `draft` is the inverse.
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

    /// A key with a section, `finish`ed and kept at `path`; nil for a mistake, which is reported.
    /// `draft` is the inverse.
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
