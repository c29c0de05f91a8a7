import StateMachines
import Turnstile

/// One thing that happens on a walk.
enum Step: Sendable {
    /// The turnstile hears of something.
    case event(Event)
    /// The process ends, if there is one, and another one starts.
    case restart(Restart)
    /// The ledger that a process waits for is open.
    case opening(at: Instant)
}

/// A process that starts where the one before ended, by a crash or a loss of power.
struct Restart: Sendable {
    /// When.
    var time: Instant
    /// What the lines carry then.
    var levels: InputLevels
    /// What the clock on the wall shows; nil when it is not read before the start.
    var clock: WeekTime?
    /// What is known of the state before.
    var memory = Memory.latest
    /// How much of what was recorded and not confirmed is durable all the same, in percent.
    var share = 100
    /// Whether edges of the coin lines may be missing since the last event.
    var hasGap = false
    /// Whether the ledger, where there is one, is opened after the start.
    var isLedgerLate = false

    /// What is known of the state before.
    enum Memory {
        case latest
        /// What was retained so many events before the end.
        case older(Int)
        case none
    }

    /// What the new process hears at first.
    var events: [Event] {
        let reading = clock.map { Event(.clockRead($0), at: time) }
        return (reading.map { [$0] } ?? []) + [Event(.started(levels), at: time)]
    }
}

/// What outlives a process: what it retained, what its ledger holds, and its policy.
struct Remains {
    /// How many of the states before the latest are kept.
    static let depth = 40

    /// What the owner decided last.
    private(set) var policy: Policy
    /// What was recorded and not confirmed to be stored.
    private(set) var unconfirmed: [Record] = []
    private var stored: Balances?
    private var asked = 0
    /// Whether the ledger is still to be opened.
    private(set) var isLedgerAwaited = false
    private var states: [RetainedState] = []
    private var lastHeard = Instant.zero

    init(_ policy: Policy, ledger: Balances?) {
        self.policy = policy
        stored = ledger
    }

    /// Follows what a process hears, says and retains.
    mutating func follow(
        _ event: Event, _ records: [Record], asksToStore: Bool, _ retained: RetainedState
    ) {
        switch event.kind {
        // What an operator asked for is not in the settings that the next process reads.
        case .requested(.adopt(let policy), .settings): self.policy = policy
        case .durable: keep(asked)
        case .ledgerOpened: isLedgerAwaited = false
        default: break
        }
        if stored != nil { unconfirmed += records }
        if asksToStore { asked = unconfirmed.count }
        if states.count > Self.depth { states.removeFirst() }
        states.append(retained)
        lastHeard = event.time
    }

    /// Whether a process can hear of the event: nothing is stored by a ledger that is not open.
    func admits(_ event: Event) -> Bool { event.kind != .durable || !isLedgerAwaited }

    /// What the next process starts with.
    mutating func restart(_ restart: Restart) -> (ledger: LedgerConnection, recovery: Recovery) {
        if !isLedgerAwaited { keep(unconfirmed.count * restart.share / 100) }
        unconfirmed = []
        asked = 0
        isLedgerAwaited = stored != nil && restart.isLedgerLate
        let ledger = stored.map { isLedgerAwaited ? LedgerConnection.awaited : .open($0) }
        let recovery: Recovery =
            switch restart.memory {
            case .latest: .known(latest(restart))
            case .older(let steps): .known((states.dropLast(steps).last ?? latest(restart)).lasting)
            case .none: .unknown
            }
        return (ledger ?? .none, recovery)
    }

    /// What a process finds that starts within the same boot.
    private func latest(_ restart: Restart) -> RetainedState {
        guard var state = states.last else { return RetainedState() }
        state.absence = restart.time - lastHeard
        for acceptor in Acceptor.allCases where restart.hasGap { state.loseEdges(of: acceptor) }
        return state
    }

    /// What a process hears of a ledger that it waits for; nil when it waits for none.
    func opening(at time: Instant) -> Event? {
        guard isLedgerAwaited, let stored else { return nil }
        return Event(.ledgerOpened(stored), at: time)
    }

    private mutating func keep(_ count: Int) {
        for record in unconfirmed.prefix(count) { stored?.count(record) }
        unconfirmed.removeFirst(min(count, unconfirmed.count))
        asked = max(0, asked - count)
    }
}
