public import StateMachines
public import Turnstile

/// A turnstile and what happens to it, told in the words of those who stand before it.
///
/// Time is virtual: a story says how long things take, and every deadline on the way is met.
public struct Story {
    /// The turnstile, as what happened has left it.
    public private(set) var turnstile: Turnstile
    /// How late it is.
    public private(set) var now: Instant
    /// All commands so far, in order.
    public private(set) var commands: [Command] = []
    /// The commands of the last thing that happened, but for answers.
    public private(set) var latest: [Command] = []
    /// What became of what was asked for, in order.
    public private(set) var answers: [Answer] = []
    /// What became of the last event.
    public private(set) var outcome = Outcome<Command>.handled([])

    /// A gate at which a passage costs 250 and a pulse is worth 50, which takes coins while it is
    /// locked and keeps credit for ever, unless `edit` changes it.
    public static func policy(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.coinWhileUnlocked = .reject
        policy.creditExpiry = .zero
        edit(&policy)
        return policy
    }

    /// A coin of the first acceptor, where a pulse is worth 50.
    public static func coin(pulses: Int) -> Coin {
        Coin(.first, pulses: pulses, value: 50 * pulses)
    }

    /// A turnstile that has just started, with these lines active.
    public init(
        _ policy: Policy = Story.policy(), equipment: Equipment = .oneWay,
        debounce: [Input: Duration] = [:], maximumOnTimes: [Output: Duration] = [:],
        emergencyDuties: [Output: EmergencyDuty] = [:],
        levels: InputLevels = [], ledger: Balances? = nil,
        connection: LedgerConnection = .none, recovery: Recovery = .known(RetainedState()),
        now: Instant = .zero + .seconds(1000)
    ) {
        self.now = now
        turnstile = Turnstile(
            policy: policy, equipment: equipment, debounce: debounce,
            maximumOnTimes: maximumOnTimes, emergencyDuties: emergencyDuties,
            ledger: ledger.map { .open($0) } ?? connection,
            recovery: recovery)
        send(.started(levels))
    }

    /// The next process, which starts so long after this one has ended. A deaf one has lost what
    /// the coin lines told meanwhile.
    public func restarted(
        after absence: Duration, levels: InputLevels = [], isDeaf: Bool = false,
        connection: LedgerConnection = .none
    ) -> Story {
        var state = turnstile.retained
        state.absence = absence
        for acceptor in Acceptor.allCases where isDeaf { state.loseEdges(of: acceptor) }
        return Story(
            turnstile.gate.policy, equipment: turnstile.gate.equipment, levels: levels,
            connection: connection, recovery: .known(state), now: now + absence)
    }

    /// What the gate tells of itself.
    public var status: Status { turnstile.status }
    /// What people see of it.
    public var state: Status.State { status.state }
    /// What is paid and not used.
    public var credit: Int { status.credit }
    /// The outputs as they should be, or nil before that is known.
    public var drive: OutputSet? { turnstile.gate.drive }

    /// Whether the output does what it is for.
    public func isOn(_ output: Output) -> Bool { drive?[output] ?? false }

    /// What the log says so far.
    public var records: [Record] { commands.compactMap(\.record) }

    /// Something happens, now.
    public mutating func send(_ kind: Event.Kind) {
        outcome = turnstile.handle(Event(kind, at: now))
        answers += outcome.commands.compactMap(\.answer)
        latest = outcome.commands.filter { $0.answer == nil }
        commands += latest
    }

    /// Lets time pass, with every deadline on the way.
    public mutating func wait(_ duration: Duration) {
        let end = now + duration
        var passed: [Command] = []
        while let due = turnstile.deadline, due <= end {
            now = max(now, due)
            send(.timePassed)
            passed += latest
        }
        now = end
        latest = passed
    }

    /// A coin of so many pulses, and the silence after it.
    public mutating func insertCoin(pulses: Int) {
        for _ in 0..<pulses {
            send(.changed(.coinPulse, isActive: true))
            wait(.milliseconds(50))
            send(.changed(.coinPulse, isActive: false))
            wait(.milliseconds(100))
        }
        wait(.milliseconds(100))
    }

    /// The rotor shows these states, 100 ms apart: 0 home, 1 A, 2 both, 3 B.
    public mutating func turn(_ states: Int...) {
        for state in states {
            let a = state == 1 || state == 2
            let b = state == 2 || state == 3
            if turnstile.sensors.a != a { send(.changed(.rotorA, isActive: a)) }
            if turnstile.sensors.b != b { send(.changed(.rotorB, isActive: b)) }
            wait(.milliseconds(100))
        }
    }

    /// Somebody passes on the way in.
    public mutating func walkIn() { turn(1, 2, 3, 0) }

    /// Anna, the operator, asks from afar.
    public static let anna = someone(1000, "anna")
    /// So does Bert.
    public static let bert = someone(1001, "bert")

    private static func someone(_ number: UInt32, _ name: String) -> Requester {
        guard let person = Operator(number: number, name: name) else {
            preconditionFailure("it is a name")
        }
        return .person(person)
    }

    /// Somebody asks for this; the answer.
    public mutating func ask(
        _ request: Request, by requester: Requester = Story.anna
    ) -> Answer.Result? {
        answers = []
        send(.requested(request, by: requester))
        return answers.last { $0.requester == requester && $0.request == request.kind }?.result
    }

    /// A contact that is active where it is open.
    public mutating func open(_ input: Input) { send(.changed(input, isActive: true)) }
    /// The same contact, closed.
    public mutating func close(_ input: Input) { send(.changed(input, isActive: false)) }
    /// A key or button, pressed and let go; what it led to is what pressing did.
    public mutating func press(_ key: Input) {
        send(.changed(key, isActive: true))
        let pressed = latest
        send(.changed(key, isActive: false))
        latest = pressed
    }
}
