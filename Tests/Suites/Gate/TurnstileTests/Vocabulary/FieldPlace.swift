@testable import Turnstile

/// Fields of a state of which one is missing, or one is too many.
struct FieldPlace {
    /// Where.
    var path: [String]
    /// All the fields, but for that.
    var fields: Fields
    /// Whether it must not be so.
    var isRequired = true
    /// Whether it need not tell anything: it follows from the others, or came later.
    var isDispensable = false
    /// Whether one is too many.
    var isExcess = false

    private static let shapes = Vocabulary.shapes + Turnstile.stateShapes

    /// All places in the fields of something that has this title.
    static func all(in fields: Fields, of title: String) -> [FieldPlace] {
        guard let shape = shapes.first(where: { $0.title == title }) else { return [] }
        let name = fields[.name]?.line ?? ""
        let form = shape.forms.first { $0.name == name } ?? shape.forms[0]
        var excess = fields
        excess.all.append(Fields.Field(.key, .text("x")))
        var places = [FieldPlace(path: ["key"], fields: excess, isExcess: true)]
        for (index, field) in fields.all.enumerated() {
            let known = form.fields.first { $0.name == field.name }
            var without = fields
            without.all.remove(at: index)
            places.append(
                FieldPlace(
                    path: [field.name.rawValue], fields: without,
                    isRequired: known.map { !$0.isOptional && !$0.isDispensable } ?? true,
                    isDispensable: known?.isDispensable ?? false))
            guard let known else { continue }
            places += inside(field.value, of: known.type).map { value, place in
                var whole = place
                whole.path.insert(field.name.rawValue, at: 0)
                whole.fields = fields
                whole.fields.all[index].value = value
                return whole
            }
        }
        return places
    }

    /// All places in a value, each with the value as it is then.
    private static func inside(
        _ value: FieldValue, of type: FieldType
    ) -> [(FieldValue, FieldPlace)] {
        switch (value, type) {
        case (.fields(let fields), .fields(let title)):
            return all(in: fields, of: title).map { (.fields($0.fields), $0) }
        case (.list(let values), .list(let element)):
            return values.indices.flatMap { index in
                inside(values[index], of: element).map { value, place in
                    var list = values
                    list[index] = value
                    var inner = place
                    inner.path.insert("\(index)", at: 0)
                    return (.list(list), inner)
                }
            }
        default: return []
        }
    }
}

extension Shape.Field {
    /// Whether it follows from the others, or came later.
    fileprivate var isDispensable: Bool { isDerived || before != nil }
}
