import Turnstile

extension Schema {
    static func policy(_ section: PolicyKey.Section) -> Section<Draft> {
        Section(initial: Draft(), policyKeys(section))
    }

    static func policyKeys(_ section: PolicyKey.Section) -> [Key<Draft>] {
        Policy.blank.keys.filter { $0.section == section }.map { key in
            Key(key, \.policyFields[key.field])
        }
    }
}

extension Composite {
    /// The value with these fields replaced.
    func with(_ fields: Fields) -> Self {
        let all = fields.all.reduce(into: self.fields) { $0[$1.name] = $1.value }
        do {
            return try Self(all)
        } catch {
            preconditionFailure("a key says what its field cannot: \(error)")
        }
    }
}

extension PolicyKey {
    /// The name in the file: the field's without its unit, and in `remote` without the section's.
    var name: String {
        field.rawValue.split(separator: "_").filter { !["usec", "minute", "remote"].contains($0) }
            .joined(separator: "_")
    }
}

extension Key {
    /// The key of a field, whose value is kept at `path`.
    init(
        _ key: PolicyKey, _ path: any WritableKeyPath<Target, FieldValue?> & Sendable,
        need: Need? = nil
    ) {
        let need = need ?? key.need.map { .conditional($0) } ?? .optional
        let format: Format<FieldValue>
        switch key.form {
        case .word(let names):
            format = Format.name(of: names).map({ .text($0) }, from: { $0.line ?? "" })
        case .duration(let range, let orNever):
            format = Format.duration(range, orNever: orNever)
                .map({ .integer($0.wholeMicroseconds) }, from: { .microseconds($0.integer ?? 0) })
        case .number(let range, .pieces): format = .number(.count(range))
        case .number(let range, .money): format = .number(.amount(range))
        case .number(let range, .minutes): format = .number(.timeOfDay(0...range.upperBound))
        case .days:
            let days = Format.days
            self.init(
                key.name, path, .values(allowed: days.allowed, edge: days.edge), need: need,
                key.summary,
                read: {
                    $2.values(of: $0, at: $1, days)?.reduce(Weekdays()) { $0.union($1) }.fieldValue
                },
                write: { days.write($0.days) })
            return
        case .coins(let pulses, let worth):
            let table = KeyTable(columns: .count(pulses), values: .amount(worth))
            self.init(
                key.name, path, table.form, need: need, key.summary,
                read: { $2.rows(of: $0, at: $1, table).map { CoinValues.exact($0).fieldValue } },
                write: { table.write($0.coins ?? [:]) })
            return
        }
        self.init(key.name, path, format, need: need, key.summary)
    }
}

extension Format where Value == FieldValue {
    fileprivate static func number(_ format: Format<Int>) -> Format {
        format.map({ .integer(Int64($0)) }, from: { Int($0.integer ?? 0) })
    }
}

extension Weekdays {
    fileprivate var fieldValue: FieldValue { Weekday.allCases.filter(contains).fieldValue }
}

extension FieldValue {
    fileprivate var days: Weekdays { Weekdays((try? [Weekday](self)) ?? []) }

    /// The value of each number of pulses; nil if values add up.
    var coins: [Int: Int]? {
        guard case .exact(let coins)? = try? CoinValues(self) else { return nil }
        return coins
    }
}
