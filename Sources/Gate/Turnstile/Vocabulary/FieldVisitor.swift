public import StateMachines

/// A visitor of a value's fields: it writes, reads or describes them.
///
/// A value describes its fields once, for all of these: it passes each to the visitor, and is
/// rebuilt from the returned values. A writer returns what it gets; a reader returns what it has
/// read. See ``Composite/visit(_:)``.
public protocol FieldVisitor {
    /// A field. A later field is missing in the fields of an earlier version: `before` is its
    /// meaning then, and never changes, even if the default does; nil for a field that was always
    /// there.
    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value
    /// A field that is omitted if nil. No later key of a policy is one: its omission could not be
    /// told from a client that does not know it.
    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value?
    /// A field that is a number of this type.
    mutating func number(
        _ name: FieldName, _ value: Int64, _ type: FieldType, before: Int64?
    ) -> Int64
    /// A field derived from the others, for clients that read fields alone. A reader requires it to
    /// agree; nil for none.
    mutating func derived(_ name: FieldName, _ text: String?)
    /// A part of the value that its fields do not describe completely: the fields are read into
    /// `form`, which has the rest.
    mutating func part<Part: Composite>(_ name: FieldName, _ part: Part, in form: Part) -> Part
    /// The fields of a part of the value, beside its own.
    mutating func inline<Part: Composite>(_ part: Part) -> Part
    /// A part of the value: its name in a field, and its own fields beside that.
    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part
    /// The value of this field contradicts the others.
    mutating func reject(_ name: FieldName)
    /// The field that follows is a key of the settings; see ``PolicyKey``.
    mutating func describe(_ key: @autoclosure () -> PolicyKey)
    /// Whether the owner could have written this value.
    mutating func require(_ isAllowed: Bool)
    /// The name of the form of a value, such as a state, that has several.
    mutating func formName(_ name: String)
    /// A record's name, the kind of its entry in the journal, and its sentence, which is made only
    /// on demand.
    mutating func journalEntry(
        _ name: String, id: String, _ priority: Priority, _ sentence: @autoclosure () -> String,
        subject: String, explanation: String)
    /// The same of an alarm or a fault, which says some of it.
    mutating func journalEntry(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String)
}

// Defaults.
extension FieldVisitor {
    /// A field that is always there.
    public mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value
    ) -> Value {
        field(name, value, before: nil)
    }

    /// One form of several, of this name, rebuilt from its fields.
    public mutating func named<Value>(_ name: String, _ value: Value) -> Value {
        formName(name)
        return value
    }

    /// The part, as any field.
    public mutating func part<Part: Composite>(
        _ name: FieldName, _ part: Part, in form: Part
    ) -> Part {
        field(name, part)
    }

    /// Nothing: it is about the fields.
    public mutating func formName(_ name: String) {}
    /// Nothing likewise.
    public mutating func journalEntry(
        _ name: String, id: String, _ priority: Priority, _ sentence: @autoclosure () -> String,
        subject: String, explanation: String
    ) {}
    /// Nothing likewise.
    public mutating func journalEntry(
        _ name: @autoclosure () -> String, _ kind: @autoclosure () -> EntryKind,
        _ sentence: @autoclosure () -> String
    ) {}

    /// The fields of the part, in their order.
    public mutating func inline<Part: Composite>(_ part: Part) -> Part { walk(through: part) }

    /// Describes a key, for visitors that override this.
    public mutating func describe(_ key: @autoclosure () -> PolicyKey) {}
    /// Accepts every value.
    public mutating func require(_ isAllowed: Bool) {}
}

extension FieldVisitor {
    /// A number from 0, or within these bounds.
    public mutating func count(
        _ name: FieldName, _ value: Int, in range: ClosedRange<Int64> = 0...Int64.max,
        before: Int? = nil
    ) -> Int {
        let before = before.map { Int64($0) }
        return Int(clamping: number(name, Int64(value), .integer(range), before: before))
    }

    /// A number of things, or an amount, that more is added to: so far from the largest number that
    /// no sum comes near it.
    mutating func tally(_ name: FieldName, _ value: Int) -> Int {
        count(name, value, in: 0...1 << 53)
    }

    /// An amount, in minor units of the currency.
    mutating func amount(_ name: FieldName, _ value: Int, before: Int? = nil) -> Int {
        Int(clamping: number(name, Int64(value), .amount, before: before.map { Int64($0) }))
    }

    /// A time in whole microseconds; fractions are dropped.
    mutating func duration(
        _ name: FieldName, _ value: Duration, before: Duration? = nil
    ) -> Duration {
        let before = before?.wholeMicroseconds
        return .microseconds(
            number(name, value.wholeMicroseconds, .microseconds, before: before))
    }

    /// A time in nanoseconds.
    public mutating func exactDuration(
        _ name: FieldName, _ value: Duration, before: Duration? = nil
    ) -> Duration {
        let before = before?.wholeNanoseconds
        return .nanoseconds(number(name, value.wholeNanoseconds, .nanoseconds, before: before))
    }

    /// A time in nanoseconds, absent if nil.
    public mutating func exactDuration(_ name: FieldName, _ value: Duration?) -> Duration? {
        optional(name, value.map { Nanoseconds($0) })?.value
    }

    /// A point in monotonic time.
    public mutating func instant(_ name: FieldName, _ value: Instant) -> Instant {
        Instant(nanoseconds: number(name, value.nanoseconds, .nanoseconds, before: nil))
    }

    /// A time of the week.
    public mutating func weekTime(_ time: WeekTime) -> WeekTime {
        WeekTime(second: count(.weekSecond, time.second, in: 0...Int64(WeekTime.weekLength - 1)))
    }

    /// The inputs that are active, by name.
    public mutating func inputs(_ name: FieldName, _ levels: InputLevels) -> InputLevels {
        InputLevels(field(name, Input.ordered.filter { levels[$0] }))
    }
}

extension Duration {
    /// The duration in microseconds; the rest below one is dropped.
    public var wholeMicroseconds: Int64 { wholeNanoseconds / 1_000 }

    /// The duration in whole microseconds, as in records.
    public var inWholeMicroseconds: Duration { .microseconds(wholeMicroseconds) }
}

/// One that returns what it gets: for visitors that use few of the fields.
protocol PassingVisitor: FieldVisitor {}

extension PassingVisitor {
    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value {
        value
    }
    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value? {
        value
    }
    mutating func number(
        _ name: FieldName, _ value: Int64, _ type: FieldType, before: Int64?
    ) -> Int64 {
        value
    }
    mutating func derived(_ name: FieldName, _ text: String?) {}
    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part { part }
    mutating func reject(_ name: FieldName) {}
}

/// A value that has fields.
public protocol Composite: FieldConvertible {
    /// The name of the type in the vocabulary: `coin`.
    static var title: String { get }
    /// A value to begin reading with: every field is replaced.
    static var blank: Self { get }
    /// Takes the visitor through the fields, in their order, and returns the value rebuilt from the
    /// returned ones.
    func visit(_ fields: inout some FieldVisitor) -> Self
}

extension FieldVisitor {
    /// Takes the visitor through the fields of a value.
    ///
    /// All go this way, which is compiled once for all values and visitors. One version for each
    /// pair of them is a little quicker, and makes the daemon larger by a quarter of a megabyte.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    mutating func walk<Value: Composite>(through value: Value) -> Value { value.visit(&self) }
}

/// A value with a name and fields: one of several forms, each with its own fields.
public protocol Named: Composite {
    /// The name, which never changes.
    var name: String { get }
    /// One value of each name.
    static var forms: [Self] { get }
    /// The form of this name; nil for a name that none has.
    static func form(named name: String) -> Self?
    /// The fields of a value of this name, of an earlier version, as this version has them.
    static func upgrade(_ fields: Fields, named name: String, from version: Int) -> Fields
}

/// An element of a list, with several fields.
public protocol Listed: Composite {
    /// All of the list.
    static var all: [Self] { get }
}

extension Composite {
    /// The value's fields.
    @_semantics("optimize.sil.specialize.generic.never")
    public var fields: Fields {
        var writer = FieldWriter()
        _ = writer.walk(through: self)
        return writer.fields
    }

    /// The value with these fields; later fields that are missing are as in `former` or, for nil,
    /// have their earlier meaning.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ fields: Fields, over former: Self? = nil) throws(FieldError) {
        self = try FieldReader.read(former ?? .blank, from: fields, isInForce: former != nil)
    }

    /// The value's fields.
    public static var fieldType: FieldType { .fields(of: title) }
    /// The value's fields.
    public var fieldValue: FieldValue { .fields(fields) }

    /// The value that has these fields.
    public init(_ value: FieldValue) throws(FieldError) { try self.init(value, over: nil) }

    /// The value with these fields; later fields that are missing are as in `former`.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ value: FieldValue, over former: Self?) throws(FieldError) {
        guard case .fields(let fields) = value else { throw Self.mismatch(value) }
        try self.init(fields, over: former)
    }
}

extension Named {
    /// The first of the forms.
    public static var blank: Self { forms[0] }

    /// The name, as the value hands it to a visitor: see ``FieldVisitor/named(_:_:)``.
    public var name: String {
        var collector = NameCollector()
        _ = collector.walk(through: self)
        return collector.name
    }

    /// The same fields: the value was never written in another version.
    public static func upgrade(
        _ fields: Fields, named name: String, from version: Int
    ) -> Fields {
        fields
    }

    /// The form of this name, where there are few of them.
    @_semantics("optimize.sil.specialize.generic.never")
    public static func form(named name: String) -> Self? { forms.first { $0.name == name } }

    /// The value of this name with these fields, in this version of the vocabulary; later fields
    /// that are missing are as in `former`, if that has the same name.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(
        _ name: String, _ fields: Fields, version: Int = Vocabulary.version,
        over former: Self? = nil
    ) throws(FieldError) {
        guard (Vocabulary.oldestVersion...Vocabulary.version).contains(version) else {
            throw FieldError(.version, found: "\(version)")
        }
        guard let form = Self.form(named: name) else {
            throw FieldError(.name(Self.forms.map { $0.name }), found: name)
        }
        let present = Self.upgrade(fields, named: name, from: version)
        let isInForce = former?.name == name
        let value = try FieldReader.read(
            isInForce ? former ?? form : form, from: present, isInForce: isInForce)
        guard value.name == name else {
            throw FieldError(.contradiction(value.name), found: name)
        }
        self = value
    }

    /// The value's name, and its fields.
    @_semantics("optimize.sil.specialize.generic.never")
    public var fieldValue: FieldValue {
        .fields(Fields([Fields.Field(.name, .text(name))] + fields.all))
    }

    /// The value of this name that has these fields.
    @_semantics("optimize.sil.specialize.generic.never")
    public init(_ value: FieldValue, over former: Self?) throws(FieldError) {
        try self.init(value, version: Vocabulary.version, over: former)
    }

    /// The same of a version of the vocabulary.
    public init(
        _ value: FieldValue, version: Int, over former: Self? = nil
    ) throws(FieldError) {
        guard case .fields(var fields) = value else { throw Self.mismatch(value) }
        guard let index = fields.all.firstIndex(where: { $0.name == .name }) else {
            throw FieldError(.missing, at: ["name"])
        }
        guard let name = fields.all.remove(at: index).value.text else {
            throw FieldError(.type(.text), at: ["name"])
        }
        try self.init(name, fields, version: version, over: former)
    }
}
