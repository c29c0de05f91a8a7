/// Reads the visited fields, and finds mistakes.
struct FieldReader: FieldVisitor {
    private var rest: Fields
    /// Whether later fields that are missing keep the value that is read into.
    private var isInForce: Bool
    /// The first mistake.
    private var error: FieldError?

    /// The value that has all these fields; `form` is one with the same, which says other things in
    /// them. A missing field that came later is as in `form` where that `isInForce`, else as before
    /// there was such a field.
    @_semantics("optimize.sil.specialize.generic.never")
    static func read<Value: Composite>(
        _ form: Value, from fields: Fields, isInForce: Bool
    ) throws(FieldError) -> Value {
        var reader = FieldReader(rest: fields, isInForce: isInForce)
        let value = reader.walk(through: form)
        if let error = reader.error { throw error }
        if let excess = reader.rest.all.first {
            throw FieldError(.unexpected, found: excess.value.line, at: [excess.name.rawValue])
        }
        return value
    }

    private init(rest: Fields, isInForce: Bool) {
        self.rest = rest
        self.isInForce = isInForce
    }

    private mutating func take(_ name: FieldName) -> FieldValue? {
        guard let index = rest.all.firstIndex(where: { $0.name == name }) else { return nil }
        return rest.all.remove(at: index).value
    }

    private mutating func note(_ error: FieldError, at name: FieldName) {
        if self.error == nil { self.error = error.below(name.rawValue) }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func read<Value: FieldConvertible>(
        _ value: FieldValue, at name: FieldName, over form: Value?
    ) -> Value? {
        do throws(FieldError) {
            return try Value(value, over: isInForce ? form : nil)
        } catch {
            note(error, at: name)
            return nil
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ form: Value, before: Value?
    ) -> Value {
        guard let value = take(name) else {
            if before == nil { note(FieldError(.missing), at: name) }
            return isInForce ? form : before ?? form
        }
        return read(value, at: name, over: form) ?? form
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ form: Value?) -> Value? {
        take(name).flatMap { read($0, at: name, over: form) }
    }

    mutating func number(
        _ name: FieldName, _ form: Int64, _ type: FieldType, before: Int64?
    ) -> Int64 {
        guard let value = take(name) else {
            if before == nil { note(FieldError(.missing), at: name) }
            return isInForce ? form : before ?? form
        }
        guard let number = value.integer, type.holds(number) else {
            note(FieldError(.type(type), found: value.line ?? "\(value)"), at: name)
            return form
        }
        return number
    }

    mutating func derived(_ name: FieldName, _ text: String?) {
        // Where something else is wrong, it may follow from that.
        guard let value = take(name), error == nil, value.line != text else { return }
        note(FieldError(.contradiction(text), found: value.line ?? "\(value)"), at: name)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func part<Part: Composite>(_ name: FieldName, _ part: Part, in form: Part) -> Part {
        guard let value = take(name) else {
            note(FieldError(.missing), at: name)
            return form
        }
        do throws(FieldError) {
            guard case .fields(let fields) = value else { throw Part.mismatch(value) }
            return try Self.read(form, from: fields, isInForce: false)
        } catch {
            note(error, at: name)
            return form
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    mutating func inline<Part: Named>(_ form: Part, as name: FieldName) -> Part {
        let written = field(name, "")
        guard error == nil else { return form }
        guard let named = Part.form(named: written) else {
            note(FieldError(.name(Part.forms.map { $0.name }), found: written), at: name)
            return form
        }
        // Of another form nothing is in force.
        let wasInForce = isInForce
        defer { isInForce = wasInForce }
        isInForce = wasInForce && form.name == written
        return walk(through: isInForce ? form : named)
    }

    mutating func reject(_ name: FieldName) {
        if error == nil { note(FieldError(.impossible), at: name) }
    }
}

extension FieldType {
    func holds(_ number: Int64) -> Bool {
        switch self {
        case .integer(let range): range.contains(number)
        case .amount: Int(exactly: number) != nil
        case .microseconds: number.magnitude <= UInt64(Int64.max) / 1_000
        case .nanoseconds: true
        case .boolean, .text, .word, .fields, .list: false
        }
    }
}
