import GPIOHardware
import GateClient
import Hardware
import Settings
import StateMachines
import System
import Turnstile

/// Edges from the kernel, of inputs without another holder: not debounced.
final class LineEdges: EdgeSource {
    let origin = "no service answers on the bus: edges as the lines themselves have them"
    let lines: [Line]
    let levels: Set<Line>
    private let bank: any LineBank
    private let debounce: [Input: Duration]

    /// These lines of a bank, whose settings have these debounce times.
    init(_ bank: any LineBank, _ lines: [Line], debounce: [Input: Duration] = [:]) {
        self.bank = bank
        self.lines = lines
        self.debounce = debounce
        let active = bank.readInputs { _, _ in }
        levels = Set(Input.allCases.filter { active[$0] }.map { .input($0) })
    }

    /// Takes these lines, or all inputs that are wired, by the settings.
    convenience init(_ lines: [Line], _ settings: SettingsOptions) throws {
        let all = try settings.load().wiring
        var wiring = Wiring(chip: all.chip, inputs: all.inputs, outputs: [:])
        if !lines.isEmpty { wiring.inputs = [:] }
        for line in lines {
            guard case .input(let input) = line else {
                throw CommandError(
                    "no service drives \(line): see systemctl status turnstiled", .unavailable)
            }
            guard let wired = all.inputs[input] else {
                throw CommandError("\(settings.path): \(line) is not wired", .usage)
            }
            wiring.inputs[input] = wired
        }
        for input in wiring.inputs.keys { wiring.inputs[input]?.debounce = .zero }
        let bank = try GPIOBank(wiring, consumer: "turnstilectl lines")
        let heard = Input.words.filter { wiring.inputs[$0] != nil }.map { Line.input($0) }
        self.init(bank, lines.isEmpty ? heard : lines, debounce: all.debounce)
    }

    func debounce(of input: Input) -> Duration { debounce[input] ?? .zero }

    func isDebounced(_ input: Input) -> Bool { false }

    func take(_ body: (LineNews) -> Void) throws {
        try bank.takeEvents { event in
            switch event {
            case .edge(let input, let isActive, let time):
                body(.edge(.input(input), isOn: isActive, at: time))
            case .lost(let count, _): body(.lost(UInt64(clamping: count)))
            }
        }
    }

    func takeLast(_ body: (LineNews) -> Void) throws { try take(body) }

    func wait(until end: Instant?, or others: [CInt]) {
        _ = waitForInput(bank.descriptors + others, until: end)
    }
}
