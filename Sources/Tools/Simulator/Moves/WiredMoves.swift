import SimulatedHardware
import Turnstile

extension Equipment {
    func has(_ line: Line) -> Bool {
        switch line {
        case .input(let input): inputs[input]
        case .output(let output): outputs[output]
        }
    }

    func names(like line: Line) -> String {
        let names =
            switch line {
            case .input: Input.allCases.filter { inputs[$0] }.map(\.name)
            case .output: Output.allCases.filter { outputs[$0] }.map(\.name)
            }
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

extension World.Event {
    /// The line that must be wired for this, if any.
    var line: Line? {
        switch self {
        case .coinInserted(_, let acceptor), .coinFished(_, let acceptor),
            .acceptorStruck(let acceptor):
            .input(acceptor.line)
        case .contactMoved(let input, _), .contactPressed(let input, _), .edgeMissed(let input):
            .input(input)
        case .outputDriven(let output, _): .output(output)
        case .defectAppeared(let defect), .defectRepaired(let defect): defect.line
        case .timePassed, .armPushed, .armForced, .tailgated, .armLetGo, .stoodStill, .steppedBack,
            .armRaised, .sensorsDisturbed, .everythingRepaired, .queueOverflowed:
            nil
        }
    }
}

extension Defect {
    /// The line that breaks, or that shows the defect.
    fileprivate var line: Line? {
        switch self {
        case .brokenWire(let input), .stuckActive(let input), .unreadable(let input): .input(input)
        case .undrivable(let output), .stuckOutput(let output): .output(output)
        case .jammedBolt(let direction): .output(direction.lock)
        case .jammedAcceptor(let acceptor): .input(acceptor.line)
        case .bentArm: nil
        }
    }
}
