import StateMachines
import Turnstile

extension Life {
    /// What the turnstile and the second opinion do not agree on, of what this life has heard; nil
    /// where they agree all along.
    public func disagreement() -> String? {
        var turnstile = Turnstile(beginning)
        var opinion = PlainGate(beginning)
        var on = OutputSet()
        for (index, event) in events.enumerated() {
            let outcome = turnstile.handle(event)
            opinion.happen(event)
            let (commands, place) = (outcome.commands, "event \(index), \(event)")
            for command in commands {
                if case .set(let output, let isOn) = command { on[output] = isOn }
            }
            let records = commands.compactMap(\.record)
            if !records.isPermutation(of: opinion.records) {
                return "\(place): recorded \(records), the second opinion \(opinion.records)"
            }
            let answers = commands.compactMap(\.answer)
            if Set(answers) != Set(opinion.answers) {
                return "\(place): answered \(answers), the second opinion \(opinion.answers)"
            }
            if on != opinion.on { return "\(place): on \(on), the second opinion \(opinion.on)" }
            let isAsked = commands.contains { $0 == .store }
            if isAsked != opinion.asksToStore { return "\(place): to be stored: \(isAsked)" }
        }
        return nil
    }
}
