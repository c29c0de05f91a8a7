/// The description of a key of the settings that is a field of the policy.
public struct PolicyKey: Sendable {
    /// A section of the settings.
    public enum Section: Sendable {
        /// One for each.
        case fare, coin, modes, schedule, passage, alarm, emergency, service, remote, mechanism
    }

    /// The allowed values, and their notation.
    public enum Form: Sendable {
        /// One of these names.
        case word([String])
        /// A time within these bounds; where there may be none at all, zero says so.
        case duration(ClosedRange<Duration>, orNever: Bool)
        /// A number within these bounds.
        case number(ClosedRange<Int>, of: Unit)
        /// Days of the week.
        case days
        /// The value of each of these numbers of pulses.
        case coins(pulses: ClosedRange<Int>, worth: ClosedRange<Int>)
    }

    /// The unit of a number.
    public enum Unit: Sendable {
        /// Things.
        case pieces
        /// Minor units of the currency.
        case money
        /// Minutes after midnight; 0 and 1440 are the same.
        case minutes
    }

    /// The field. The key has the same name, without the unit.
    public let field: FieldName
    /// Where it stands in the settings.
    public let section: Section
    /// The allowed values.
    public let form: Form
    /// A clause that starts in lower case and has no full stop.
    public let summary: String
    /// When it is needed; nil for a key with a default.
    public var need: String?
    /// The key of the same section that it stands behind, where that is not the field before.
    var predecessor: FieldName?
}

// A field that is a key, with its description; see ``FieldVisitor/describe(_:)``. A later key also
// has `before`, its earlier meaning, and `after`, the key it follows in the file.
extension FieldVisitor {
    /// A name of a list.
    mutating func key<Value: Word>(
        _ name: FieldName, _ value: Value, before: Value? = nil, _ section: PolicyKey.Section,
        _ summary: @autoclosure () -> String, after predecessor: FieldName? = nil
    ) -> Value {
        describe(
            .init(
                field: name, section: section, form: Value.keyForm, summary: summary(),
                predecessor: predecessor))
        return field(name, value, before: before)
    }

    /// A name of a list, or nothing.
    mutating func key<Value: Word>(
        _ name: FieldName, _ value: Value?, _ section: PolicyKey.Section,
        _ summary: @autoclosure () -> String
    ) -> Value? {
        describe(.init(field: name, section: section, form: Value.keyForm, summary: summary()))
        return optional(name, value)
    }

    /// A time; with `orNever`, zero means never.
    mutating func key(
        _ name: FieldName, _ value: Duration, _ range: ClosedRange<Duration>,
        orNever: Bool = false, before: Duration? = nil, _ section: PolicyKey.Section,
        _ summary: @autoclosure () -> String, after predecessor: FieldName? = nil
    ) -> Duration {
        describe(
            .init(
                field: name, section: section, form: .duration(range, orNever: orNever),
                summary: summary(), predecessor: predecessor))
        require(range.contains(value) || orNever && value == .zero)
        return duration(name, value, before: before)
    }

    /// A number; `most` is the highest that the field can tell, where it is another one.
    mutating func key(
        _ name: FieldName, _ value: Int, _ range: ClosedRange<Int>, of unit: PolicyKey.Unit,
        most: Int? = nil, before: Int? = nil, _ section: PolicyKey.Section,
        _ summary: @autoclosure () -> String, need: String? = nil,
        after predecessor: FieldName? = nil
    ) -> Int {
        describe(
            .init(
                field: name, section: section, form: .number(range, of: unit), summary: summary(),
                need: need, predecessor: predecessor))
        require(range.contains(value))
        let told = Int64(range.lowerBound)...Int64(most ?? range.upperBound)
        return count(name, value, in: told, before: before)
    }
}

extension Word {
    /// One of all that are in the list.
    fileprivate static var keyForm: PolicyKey.Form { .word(words.map { $0.name }) }
}

extension Composite {
    /// The keys that are fields of the value, in the order of the configuration.
    public var keys: [PolicyKey] {
        var list = KeyList()
        _ = visit(&list)
        return list.keys
    }

    /// Whether the owner could have written all that it says.
    public var isPossible: Bool {
        var check = RangeCheck()
        _ = visit(&check)
        return check.isPossible
    }
}

/// Notes which keys it is taken through.
private struct KeyList: PassingVisitor {
    var keys: [PolicyKey] = []

    mutating func describe(_ key: @autoclosure () -> PolicyKey) {
        let key = key()
        let predecessor = keys.firstIndex { $0.field == key.predecessor }
        keys.insert(key, at: predecessor.map { $0 + 1 } ?? keys.endIndex)
    }
}

/// Checks that the owner could have written the visited values.
private struct RangeCheck: PassingVisitor {
    var isPossible = true

    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value {
        require(value.isPossible)
        return value
    }

    mutating func require(_ isAllowed: Bool) { isPossible = isPossible && isAllowed }
}
