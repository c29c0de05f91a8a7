import Seeds
import StateMachines
import Stories

@testable import Turnstile

extension FieldValue {
    private static let numbers: [Int64] = [
        0, 1, -1, 2, 3, 255, 256, 1_000_000_000, 1 << 40, 1 << 53, (1 << 53) + 1, .max, .min,
    ]

    /// Has something in it be otherwise, and something else as in `other`, of which it is no part.
    mutating func vary(by other: FieldValue, _ chance: inout SeededGenerator) {
        switch self {
        case .boolean(let isSo): self = .boolean(!isSo)
        case .integer(let number):
            let near = number.addingReportingOverflow(.random(in: -3...3, using: &chance))
            let far = Self.numbers.randomElement(using: &chance)!
            self = .integer(chance.oneIn(2) ? near.partialValue : far)
        case .text: self = chance.oneIn(4) ? .text("x") : other
        case .list(var values):
            let donated: [FieldValue] = if case .list(let list) = other { list } else { [] }
            if let more = donated.randomElement(using: &chance), chance.oneIn(2) {
                values.append(more)
            } else if let index = values.indices.randomElement(using: &chance) {
                if chance.oneIn(3) {
                    values.remove(at: index)
                } else {
                    values[index].vary(by: values[index], &chance)
                }
            }
            self = .list(values)
        case .fields(var fields):
            fields.vary(by: other, &chance)
            self = .fields(fields)
        }
    }
}

extension Fields {
    fileprivate mutating func vary(by other: FieldValue, _ chance: inout SeededGenerator) {
        guard let index = all.indices.randomElement(using: &chance) else { return }
        let others = if case .fields(let fields) = other { fields } else { Fields() }
        switch Int.random(in: 0..<12, using: &chance) {
        case 0: all.remove(at: index)
        case 1, 2:
            guard let given = others.all.randomElement(using: &chance) else { return }
            all.removeAll { $0.name == given.name }
            all.append(given)
        default:
            all[index].value.vary(by: others[all[index].name] ?? all[index].value, &chance)
        }
    }
}

extension Turnstile {
    /// Lets so many things happen to it, whatever comes of them.
    mutating func live(through events: Int, _ chance: inout SeededGenerator) {
        var now = Instant.zero + .seconds(Int.random(in: 0...4_000, using: &chance))
        for _ in 0..<events {
            let kind =
                gate.hasStarted ? Event.Kind.random(now, &chance) : .started(.random(&chance))
            _ = handle(Event(kind, at: now))
            now =
                now
                + .milliseconds(chance.oneIn(9) ? 20_000 : Int.random(in: 0...200, using: &chance))
        }
        _ = report()
    }
}

extension Event.Kind {
    /// Something that may happen to a gate that has started.
    fileprivate static func random(
        _ now: Instant, _ chance: inout SeededGenerator
    ) -> Event.Kind {
        let line = Line.all.randomElement(using: &chance)!
        let output = Output.allCases.randomElement(using: &chance)!
        switch Int.random(in: 0..<24, using: &chance) {
        case 0: return .edgesLost(.random(&chance))
        case 1: return .lineFailed(line, LineFailure.allCases.randomElement(using: &chance)!)
        case 2: return .lineRecovered(line)
        case 3: return .onTimeWarning(output)
        case 4: return .outputCut(output)
        case 5: return .clockRead(WeekTime(second: .random(in: 0...604_799, using: &chance)))
        case 6: return .clockStepped(by: .seconds(.random(in: -9_000...9_000, using: &chance)))
        case 7: return .durable
        case 8: return .storageFailed
        case 9:
            var balances = Balances()
            balances.credit = .random(in: 0...900, using: &chance)
            return .ledgerOpened(balances)
        case 10, 11, 12:
            let request = Request.forms.randomElement(using: &chance)!
            let asking = [Story.anna, Story.bert, .contact(.serviceKey), .schedule, .settings]
            return .requested(request, by: asking.randomElement(using: &chance)!)
        case 13:
            return .requested(.setMode(.entry, .free, until: now + .seconds(9)), by: Story.anna)
        case 14, 15: return .timePassed
        default:
            let input = Input.allCases.randomElement(using: &chance)!
            return .changed(input, isActive: chance.oneIn(2))
        }
    }
}

extension InputLevels {
    fileprivate static func random(_ chance: inout SeededGenerator) -> InputLevels {
        var levels = InputLevels()
        for input in Input.allCases { levels[input] = chance.oneIn(8) }
        return levels
    }
}
