import Hardware
import Turnstile

extension Schema {
    static let inputs = Section(initial: Draft(), Input.allCases.map(key))

    private static func key(_ input: Input) -> Key<Draft> {
        let entry = input.entry
        let initial = InputLine(
            line: .offset(0), activeLow: !entry.opensToTell, bias: .pullUp,
            debounce: entry.debounce.standard)
        let section = Section(
            initial: initial,
            [
                lineKey(\.line), chipKey(\.chip),
                Key("active_low", \.activeLow, .flag, "whether a low level means active"),
                Key(
                    "bias", \.bias, .choice,
                    "the resistor that holds the line while nothing drives it"),
                Key(
                    "debounce", \.debounce, .duration(entry.debounce.range),
                    "how long a level must last to count"),
            ])
        return Key(
            entry.name, \.inputs[input], section, need: Need(entry.need), entry.summary,
            finish: { line, _, _ in line }, draft: { $0 })
    }
}
