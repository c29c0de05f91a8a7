import StateMachines
import Turnstile

/// A turnstile and what happens to it, told in the words of those who stand before it.
///
/// Time is virtual: a story says how long things take, and every deadline on the way is met.
struct Story {
    private(set) var turnstile: Turnstile
    private(set) var now: Instant
    /// All commands so far, in order.
    private(set) var commands: [Command] = []
    /// The commands of the last thing that happened, but for answers.
    private(set) var latest: [Command] = []
    /// What became of what was asked for, in order.
    private(set) var answers: [Answer] = []
    /// What became of the last event.
    private(set) var outcome = Outcome<Command>.handled([])

    /// A gate at which a passage costs 250 and a pulse is worth 50, which takes coins while it is
    /// locked and keeps credit for ever, unless `edit` changes it.
    static func policy(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.coinWhileUnlocked = .reject
        policy.creditExpiry = .zero
        edit(&policy)
        return policy
    }

    /// A coin of the first acceptor, where a pulse is worth 50.
    static func coin(pulses: Int) -> Coin { Coin(.first, pulses: pulses, value: 50 * pulses) }

    init(
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
    func restarted(
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

    var status: Status { turnstile.status }
    var state: Status.State { status.state }
    var credit: Int { status.credit }
    var drive: OutputSet? { turnstile.gate.drive }

    /// Whether the output does what it is for.
    func isOn(_ output: Output) -> Bool { drive?[output] ?? false }

    /// What the log says so far.
    var records: [Record] { commands.compactMap(\.record) }

    mutating func send(_ kind: Event.Kind) {
        outcome = turnstile.handle(Event(kind, at: now))
        answers += outcome.commands.compactMap(\.answer)
        latest = outcome.commands.filter { $0.answer == nil }
        commands += latest
    }

    /// Lets time pass, with every deadline on the way.
    mutating func wait(_ duration: Duration) {
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
    mutating func insertCoin(pulses: Int) {
        for _ in 0..<pulses {
            send(.changed(.coinPulse, isActive: true))
            wait(.milliseconds(50))
            send(.changed(.coinPulse, isActive: false))
            wait(.milliseconds(100))
        }
        wait(.milliseconds(100))
    }

    /// The rotor shows these states, 100 ms apart: 0 home, 1 A, 2 both, 3 B.
    mutating func turn(_ states: Int...) {
        for state in states {
            let a = state == 1 || state == 2
            let b = state == 2 || state == 3
            if turnstile.sensors.a != a { send(.changed(.rotorA, isActive: a)) }
            if turnstile.sensors.b != b { send(.changed(.rotorB, isActive: b)) }
            wait(.milliseconds(100))
        }
    }

    /// Somebody passes on the way in.
    mutating func walkIn() { turn(1, 2, 3, 0) }

    /// Anna, the operator, asks from afar.
    static let anna = someone(1000, "anna")
    /// So does Bert.
    static let bert = someone(1001, "bert")

    private static func someone(_ number: UInt32, _ name: String) -> Requester {
        guard let person = Operator(number: number, name: name) else {
            preconditionFailure("it is a name")
        }
        return .person(person)
    }

    /// Somebody asks for this; the answer.
    mutating func ask(_ request: Request, by requester: Requester = Story.anna) -> Answer.Result? {
        answers = []
        send(.requested(request, by: requester))
        return answers.last { $0.requester == requester && $0.request == request.kind }?.result
    }

    mutating func open(_ input: Input) { send(.changed(input, isActive: true)) }
    mutating func close(_ input: Input) { send(.changed(input, isActive: false)) }
    mutating func press(_ key: Input) {
        send(.changed(key, isActive: true))
        let pressed = latest
        send(.changed(key, isActive: false))
        latest = pressed
    }
}

extension Equipment {
    /// A gate both ways, with a stop contact.
    static let twoWays = oneWay.with(.stop, .releaseExit, outputs: .lockExit)
}

extension Command {
    /// The answer that the command gives, or nil.
    var answer: Answer? {
        if case .answer(let answer) = self { answer } else { nil }
    }

    /// The record that the command writes, or nil.
    var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }
}

extension Requester {
    /// The mechanic's key.
    static let serviceKey = contact(.serviceKey)
    /// The key that ends an emergency.
    static let resetKey = contact(.emergencyResetKey)
}
