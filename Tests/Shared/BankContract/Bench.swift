import Hardware
import StateMachines
import Turnstile

/// A rig with the bank that a case has opened on it.
final class Bench {
    let rig: any BankRig
    private var opened: (any LineBank)?

    init(rig: any BankRig) {
        self.rig = rig
    }

    /// The bank that was opened last.
    var bank: any LineBank {
        get throws(ContractFailure) {
            guard let opened else { throw ContractFailure("the case opened no bank") }
            return opened
        }
    }

    /// Opens a bank over the contract's lines, each wired in the same way.
    func open(
        activeLow: Bool = false, bias: Bias = .asIs, debounce: Duration = .zero
    ) throws {
        try open(
            Array(ContractLines.inputs.keys), Array(ContractLines.outputs.keys),
            activeLow: activeLow, bias: bias, debounce: debounce)
    }

    /// Opens a bank over the lines of these roles alone.
    func open(
        _ inputs: [Input], _ outputs: [Output], activeLow: Bool = false, bias: Bias = .asIs,
        debounce: Duration = .zero
    ) throws {
        try close()
        var wiring = Wiring(chip: rig.chip, inputs: [:], outputs: [:])
        for input in inputs {
            wiring.inputs[input] = InputLine(
                line: .offset(ContractLines.offset(of: input)), activeLow: activeLow, bias: bias,
                debounce: debounce)
        }
        for output in outputs {
            wiring.outputs[output] = OutputLine(
                line: .offset(ContractLines.offset(of: output)), activeLow: activeLow,
                maximumOnTime: nil)
        }
        opened = try rig.open(wiring)
    }

    /// Closes the bank, if one is open.
    func close() throws {
        let bank = opened
        opened = nil
        try bank?.close()
    }

    /// Closes the bank after a case, whose own failure is the one that counts.
    func closeQuietly() {
        try? close()
    }

    /// What waits in the bank now.
    func take() throws -> [LineEvent] {
        var events: [LineEvent] = []
        try bank.takeEvents { events.append($0) }
        return events
    }

    /// What comes until `count` events are there, or none has come for `limit`.
    func collect(_ count: Int, limit: Duration = .seconds(2)) throws -> [LineEvent] {
        var events: [LineEvent] = []
        while events.count < count, try rig.waitForEvents(of: bank, limit: limit) {
            events += try take()
        }
        return events
    }

    /// Everything that comes until none has come for `silence`.
    func drain(silence: Duration = .milliseconds(100)) throws -> [LineEvent] {
        try collect(.max, limit: silence)
    }

    /// Moves the wire of `input` `count` times, the first time to high.
    func toggle(_ input: Input, times count: Int) throws {
        for number in 0..<count {
            try rig.drive(input, high: number.isMultiple(of: 2))
        }
    }
}

extension LineEvent {
    /// When the event happened, or was noticed.
    var time: Instant {
        switch self {
        case .edge(_, _, let time), .lost(_, let time): time
        }
    }
}

extension [LineEvent] {
    /// The edges among the events, without their times.
    var levels: [InputLevel] {
        compactMap {
            switch $0 {
            case .edge(let input, let isActive, _): InputLevel(input, isActive)
            case .lost: nil
            }
        }
    }

    /// How many edges the events report as lost.
    var lostCount: Int {
        reduce(0) {
            switch $1 {
            case .edge: $0
            case .lost(let count, _): $0 + count
            }
        }
    }
}

/// An edge without its time.
struct InputLevel: Hashable, CustomStringConvertible {
    let input: Input
    let isActive: Bool

    init(_ input: Input, _ isActive: Bool) {
        self.input = input
        self.isActive = isActive
    }

    var description: String { "\(input.name) \(isActive ? "active" : "inactive")" }
}
