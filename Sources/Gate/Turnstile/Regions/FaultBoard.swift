public import StateMachines

/// The gate's faults, and whether they take it out of service.
public struct FaultBoard: StateMachine, Hashable, Sendable {
    /// The events of the board.
    public enum Event: Hashable, Sendable {
        case found(Fault)
        /// The cause of the fault is gone.
        case gone(Fault)
        /// The mechanic turned the key, or an operator confirmed the repair.
        case repaired
    }

    /// The commands of the board.
    public enum Command: Hashable, Sendable {
        case reportRaised(Fault)
        case reportCleared(Fault)
        /// The gate is out of service from now on.
        case reportOutOfService(Fault)
        /// The gate is in service again.
        case reportInService
    }

    /// The faults whose cause is present.
    private var present = FaultSet()
    /// The faults that are up: present, or latched until the repair.
    private(set) var up = FaultSet()
    private var vaultFull: VaultFullPolicy

    /// A board on which only these faults are up, latched.
    public init(policy: Policy, _ latched: FaultSet = []) {
        vaultFull = policy.vaultFull
        up = latched.intersection(.latching)
    }

    mutating func adopt(_ policy: Policy) { vaultFull = policy.vaultFull }

    /// The faults that stay up until the repair is confirmed, even without a cause.
    public var latched: FaultSet { up.isEmpty ? [] : up.intersection(.latching) }

    /// The fault for which the gate is out of service, or nil while it is in service.
    @inline(__always) public var reason: Fault? {
        isOutOfService ? up.intersection(.outOfService).first : nil
    }

    /// Whether the gate is out of service.
    @inline(__always) public var isOutOfService: Bool { isUp(anyOf: .outOfService) }

    /// Whether a repair is needed: the gate is out of service, or a fault is latched.
    var needRepair: Bool { isOutOfService || !latched.isEmpty }

    /// Whether coins are refused because of a fault.
    public var refusesCoins: Bool { isUp(anyOf: .refusingCoins(vaultFull)) }

    /// The first fault for which coins are refused, or nil.
    @inline(__always) var coinReason: Fault? { up.isEmpty ? nil : firstRefusingCoins }

    // Kept out of the code that every event runs: nearly always no fault is up.
    @inline(never) private var firstRefusingCoins: Fault? {
        up.intersection(.refusingCoins(vaultFull)).first
    }

    /// Whether the cause of a fault is gone, so that only the repair has to be confirmed.
    var isAnyOver: Bool { !up.subtracting(present).isEmpty }

    /// Whether any of `faults` is up. They are evaluated only while some fault is up.
    @inline(__always) func isUp(anyOf faults: @autoclosure () -> FaultSet) -> Bool {
        !up.isEmpty && !up.isDisjoint(with: faults())
    }

    /// Whether `fault` is up.
    @inline(__always) public func isUp(_ fault: Fault) -> Bool { up[fault] }

    func isPresent(_ fault: Fault) -> Bool { present[fault] }

    /// Puts a fault up, or takes it down.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .found(let fault): found(fault)
        case .gone(let fault): gone(fault)
        case .repaired: repaired()
        }
    }

    private mutating func found(_ fault: Fault) -> Outcome<Command> {
        let wasInService = !isOutOfService
        guard !up[fault] else {
            guard !present[fault] else { return .ignored("the fault is known") }
            present[fault] = true
            return .handled
        }
        present[fault] = true
        up[fault] = true
        return wasInService && FaultSet.outOfService[fault]
            ? .handled([.reportRaised(fault), .reportOutOfService(fault)])
            : .handled(.reportRaised(fault))
    }

    private mutating func gone(_ fault: Fault) -> Outcome<Command> {
        guard present[fault] else { return .ignored("there is no such fault") }
        present[fault] = false
        guard !fault.isLatching else { return .handled }
        return clear(FaultSet(fault))
    }

    private mutating func repaired() -> Outcome<Command> {
        let over = up.subtracting(present)
        guard !up.isEmpty else { return .ignored("there is no fault") }
        guard !over.isEmpty else { return .ignored("the cause of the fault is still there") }
        return clear(over)
    }

    private mutating func clear(_ over: FaultSet) -> Outcome<Command> {
        let wasInService = !isOutOfService
        up.subtract(over)
        var commands = Commands<Command>()
        var rest = over
        while let fault = rest.first {
            rest[fault] = false
            commands.append(.reportCleared(fault))
        }
        if !wasInService && !isOutOfService { commands.append(.reportInService) }
        return .handled(commands)
    }
}

extension FaultBoard: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "fault_board" }
    /// One on which no fault is up.
    public static var blank: FaultBoard { FaultBoard(policy: .blank) }

    /// The faults that are up, and of them those present; a full vault's effect is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> FaultBoard {
        var board = self
        board.up = fields.faults(.up, up)
        board.present = fields.faults(.present, present)
        if !board.present.subtracting(board.up).isEmpty { fields.reject(.present) }
        return board
    }
}
