import Seeds
import StateMachines

@testable import Turnstile

/// Puts something by chance into every field that it is taken through.
struct RandomVisitor: FieldVisitor {
    var chance: SeededGenerator
    /// Among them one as long as a name may be, and two that are one character with what is beside
    /// them.
    private static let texts = [
        "", "a", "\"\\\n\u{1}", "Käfer", String(repeating: "x", count: Operator.longestName),
        "\u{301}=", "a\u{600}",
    ]
    /// Whether what was chosen made no value.
    private var isRejected = false

    init(_ chance: SeededGenerator) { self.chance = chance }

    /// Any value of the type.
    mutating func value<Value: Composite>(of type: Value.Type) -> Value {
        while true {
            isRejected = false
            let value = random(type.blank)
            if !isRejected { return value }
        }
    }

    /// A value by chance; a list that is not empty keeps its length.
    fileprivate mutating func random<Value: FieldConvertible>(_ value: Value) -> Value {
        switch value {
        case let values as any RandomValues: return values.random(&self) as! Value
        case let word as any Word: return randomWord(word) as! Value
        case let part as any Listed: return randomPart(part) as! Value
        case let part as any Named: return randomForm(part) as! Value
        case let part as any Composite: return part.visit(&self) as! Value
        default: return try! Value(scalar(Value.fieldType))
        }
    }

    private mutating func scalar(_ type: FieldType) -> FieldValue {
        switch type {
        case .boolean: .boolean(chance.oneIn(2))
        case .text:
            .text(Self.texts.randomElement(using: &chance)!)
        default: .integer(integer(type))
        }
    }

    private mutating func integer(_ type: FieldType) -> Int64 {
        let range: ClosedRange<Int64> =
            switch type {
            case .integer(let range): range
            case .microseconds: -9_000_000_000_000_000...9_000_000_000_000_000
            default: Int64.min...Int64.max
            }
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return range.lowerBound
        case 1: return range.upperBound
        case 2: return .random(in: range, using: &chance)
        default: return .random(in: range.clamped(to: -300...300), using: &chance)
        }
    }

    private mutating func randomWord<Name: Word>(_ word: Name) -> Name {
        Name.words.randomElement(using: &chance)!
    }

    private mutating func randomPart<Part: Listed>(_ part: Part) -> Part {
        Part.all.randomElement(using: &chance)!
    }

    private mutating func randomForm<Part: Named>(_ part: Part) -> Part {
        Part.forms.randomElement(using: &chance)!.visit(&self)
    }

    mutating func field<Value: FieldConvertible>(
        _ name: FieldName, _ value: Value, before: Value?
    ) -> Value {
        random(value)
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: Value?) -> Value? {
        chance.oneIn(3) ? nil : Value.some.map { random($0) }
    }

    mutating func number(
        _ name: FieldName, _ value: Int64, _ type: FieldType, before: Int64?
    ) -> Int64 {
        integer(type)
    }

    mutating func derived(_ name: FieldName, _ text: String?) {}
    mutating func part<Part: Composite>(_ name: FieldName, _ part: Part, in form: Part) -> Part {
        random(form)
    }
    mutating func inline<Part: Composite>(_ part: Part) -> Part { random(part) }
    mutating func inline<Part: Named>(_ part: Part, as name: FieldName) -> Part { random(part) }
    mutating func reject(_ name: FieldName) { isRejected = true }
}

extension FieldConvertible {
    /// Some value of the type, where one is known.
    fileprivate static var some: Self? {
        switch Self.self {
        case let type as any Word.Type: type.words.first as? Self
        case let type as any Composite.Type: type.blank as? Self
        case is ContactCount.Type: ContactCount(count: 1) as? Self
        case is Amount.Type: Amount(1) as? Self
        case is Bool.Type: false as? Self
        case is UInt32.Type: UInt32.zero as? Self
        case is String.Type: "" as? Self
        case is Instant.Type: Instant.zero as? Self
        case is Nanoseconds.Type: Nanoseconds(.zero) as? Self
        case is TimeOfDay.Type: TimeOfDay.blank as? Self
        case is Microseconds.Type: Microseconds(.zero) as? Self
        case let type as any RandomList.Type: type.init() as? Self
        default: nil
        }
    }
}

/// Several values, whatever they are.
private protocol RandomValues {
    func random(_ visitor: inout RandomVisitor) -> Self
}

/// A list of them.
private protocol RandomList: RandomValues {
    init()
}

extension PerAcceptor: RandomValues where Value: FieldConvertible {
    fileprivate func random(_ visitor: inout RandomVisitor) -> PerAcceptor {
        PerAcceptor { visitor.random(self[$0]) }
    }
}

extension Array: RandomList, RandomValues where Element: FieldConvertible {
    fileprivate func random(_ visitor: inout RandomVisitor) -> [Element] {
        if !isEmpty { return map { visitor.random($0) } }
        let count = Int.random(in: 0...3, using: &visitor.chance)
        return (0..<count).compactMap { _ in Element.some.map { visitor.random($0) } }
    }
}
