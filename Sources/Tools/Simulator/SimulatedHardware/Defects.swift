public import Turnstile

/// Something that is broken, until it is repaired.
public enum Defect: Hashable, Sendable {
    /// The wire is cut: the emergency loop is open, any other input stays inactive. A rotor sensor
    /// without its wire is dead.
    case brokenWire(Input)
    /// The input is stuck: a coin in the acceptor's way, a welded contact.
    case stuckActive(Input)
    /// The line cannot be read, and reports nothing.
    case unreadable(Input)
    /// The line cannot be driven.
    case undrivable(Output)
    /// The line keeps its level, whatever it is driven to.
    case stuckOutput(Output)
    /// The bolt of this direction does not move, whatever its coil does.
    case jammedBolt(Direction)
    /// A coin is stuck in the acceptor: it gives all others back, and its fault contact is active.
    case jammedAcceptor(Acceptor)
    /// The arm is bent and stands askew at rest.
    case bentArm
}

public struct Defects: Hashable, Sendable {
    private(set) var brokenWires = InputLevels()
    private(set) var stuckActive = InputLevels()
    private(set) var unreadable = InputLevels()
    private(set) var undrivable = OutputSet()
    private(set) var stuckOutputs = OutputSet()
    private(set) var jammedBolts = Ways.none
    private(set) var jammedAcceptors = InputLevels()
    private(set) var isArmBent = false

    public init() {}

    public init(_ defects: some Sequence<Defect>) {
        for defect in defects { set(defect, true) }
    }

    public var isEmpty: Bool { self == Defects() }

    public func contains(_ defect: Defect) -> Bool {
        switch defect {
        case .brokenWire(let input): brokenWires[input]
        case .stuckActive(let input): stuckActive[input]
        case .unreadable(let input): unreadable[input]
        case .undrivable(let output): undrivable[output]
        case .stuckOutput(let output): stuckOutputs[output]
        case .jammedBolt(let direction): jammedBolts[direction]
        case .jammedAcceptor(let acceptor): jammedAcceptors[acceptor.line]
        case .bentArm: isArmBent
        }
    }

    public func isDisjoint(with others: Defects) -> Bool { !contains(where: others.contains) }

    mutating func set(_ defect: Defect, _ isBroken: Bool) {
        switch defect {
        case .brokenWire(let input): brokenWires[input] = isBroken
        case .stuckActive(let input): stuckActive[input] = isBroken
        case .unreadable(let input): unreadable[input] = isBroken
        case .undrivable(let output): undrivable[output] = isBroken
        case .stuckOutput(let output): stuckOutputs[output] = isBroken
        case .jammedBolt(let direction): jammedBolts[direction] = isBroken
        case .jammedAcceptor(let acceptor): jammedAcceptors[acceptor.line] = isBroken
        case .bentArm: isArmBent = isBroken
        }
    }

    /// The lines' levels, given those of the contacts and the lines' previous ones.
    func apply(to levels: InputLevels, before: InputLevels) -> InputLevels {
        let fire = InputLevels(.fire)
        return levels.subtracting(unreadable).union(before.intersection(unreadable))
            .subtracting(brokenWires).union(brokenWires.intersection(fire)).union(stuckActive)
    }
}

extension Defects: Sequence {
    public func makeIterator() -> some IteratorProtocol<Defect> {
        (isEmpty ? [] : Defect.all).lazy.filter(contains).makeIterator()
    }
}

extension Defect {
    package static let all: [Defect] = {
        let inputs = Input.allCases
        let outputs = Output.allCases
        return inputs.map(brokenWire) + inputs.map(stuckActive) + inputs.map(unreadable)
            + outputs.map(stuckOutput) + outputs.map(undrivable)
            + Direction.allCases.map(jammedBolt) + Acceptor.allCases.map(jammedAcceptor)
            + [.bentArm]
    }()
}
