public import Hardware
public import StateMachines
public import Turnstile

/// A bank under test, and the world at the far end of its wires.
///
/// The contract opens the bank, moves the wires of its inputs and looks at the wires of its
/// outputs. What a wire carries is *high* or *low*; what a bank makes of it is *active* or
/// *energised*. A new rig has every input's wire low.
public protocol BankRig: AnyObject {
    /// What this rig can do beyond moving and reading wires.
    var abilities: Set<RigAbility> { get }

    /// The chip whose lines the contract wires: ``ContractLines``.
    var chip: ChipSelector { get }

    /// Monotonic time in this rig's world, real or virtual.
    var now: Instant { get }

    /// Opens a bank over `wiring`. A second one is asked for only when the first one is closed.
    func open(_ wiring: Wiring) throws -> any LineBank

    /// Puts the wire of `input` high or low, and returns when the bank has been told.
    func drive(_ input: Input, high: Bool) throws

    /// Whether the wire of `output` is high, seen from outside the bank.
    func isHigh(_ output: Output) throws -> Bool

    /// Lets time pass until a descriptor of `bank` is readable, for `limit` at most. Says whether
    /// one is.
    func waitForEvents(of bank: any LineBank, limit: Duration) throws -> Bool
}

/// The lines that the contract wires, by their offsets: 0 to 7 for inputs, 8 to 15 for outputs.
public enum ContractLines {
    /// The inputs that are wired unless a case says otherwise.
    public static let inputs: [Input: Int] = [.coinPulse: 0, .rotorA: 1, .rotorB: 2]
    /// The outputs that are.
    public static let outputs: [Output: Int] = [.lockEntry: 8, .alarm: 11]

    /// The line of `input`, which it may share with others that are never wired together.
    public static func offset(of input: Input) -> Int { inputs[input] ?? 3 + input.index % 5 }

    /// The line of `output`, which it may share with others that are never wired together.
    public static func offset(of output: Output) -> Int { outputs[output] ?? 8 + output.index % 8 }
}

/// What some rigs can do and others cannot.
public enum RigAbility: Hashable, Sendable {
    /// Its wires carry levels that a bank reads with either polarity.
    case polarity
    /// A wire that nobody drives goes where the line's resistor pulls it.
    case bias
    /// It can move wires so often that the bank's queue overflows.
    case overflow
}
