import Exploration
import StateMachines
import Turnstile

/// What is explored together: a gate, its policy, and what may happen.
///
/// One scene with everything in it would have millions of states; several that each hold what
/// bears on one another have some thousands, and are explored to the last one. Waits are a tick or
/// two, so that every order in which they can run out is met, and all at once.
final class Scene: Sendable {
    let name: String
    let policy: Policy
    /// The policy that the owner changes to.
    let otherPolicy: Policy
    let equipment: Equipment
    let debounce: [Input: Duration]
    /// For how many ticks a lock can be held open; nil for ever.
    let lockTicks: Int?
    /// What the ledger holds for people at the start; nil without a ledger.
    let ledger: Balances?
    /// The smallest time that passes.
    let tick: Duration
    let happenings: [Happening]
    /// What the lines may carry at the start.
    let starts: [InputLevels]
    let limits: Limits

    /// Where a scene ends that could go on for ever.
    struct Limits {
        /// No further coin comes when so many pulses are held as credit. A passage costs two.
        var pulses = 2
        /// No further pulse is noise when so many followed one another.
        var noise = 0
        /// Nothing but time goes on while an alarm is held; else people go on.
        var awaitsCalm = true
        /// Nobody moves and no coin comes while so many pulses of a counter are to come.
        var pendingPulses = 1
        /// No sensor changes when it has not been known for so many ticks whether somebody moves.
        var unrest = Int.max
    }

    init(
        _ name: String, gate equipment: Equipment = .oneWay, debounce: [Input: Duration] = [:],
        lockTicks: Int? = nil,
        ledger: Balances? = nil, tick: Duration = .seconds(1), starts: [InputLevels] = [[]],
        limits: Limits = Limits(),
        _ happenings: [Happening], policy edit: (inout Policy) -> Void = { _ in },
        otherPolicy change: (inout Policy) -> Void = { $0.price = 1 }
    ) {
        var policy = Policy.inTicks(of: tick)
        edit(&policy)
        var otherPolicy = policy
        change(&otherPolicy)
        self.name = name
        self.policy = policy
        self.otherPolicy = otherPolicy
        self.equipment = equipment
        self.debounce = debounce
        self.lockTicks = lockTicks
        self.ledger = ledger
        self.tick = tick
        self.happenings = happenings
        self.starts = starts
        self.limits = limits
    }

    /// Whether the service may start anew.
    var mayRestart: Bool {
        happenings.contains { if case .restarted = $0 { true } else { false } }
    }

    /// Whether a start may find what a disk had a while ago.
    var mayLosePower: Bool {
        happenings.contains { if case .restarted(.older, _) = $0 { true } else { false } }
    }

    /// A turnstile of the scene. A lock that was cut rests for a tick.
    func turnstile(
        _ policy: Policy, ledger: LedgerConnection,
        recovery: Recovery = .known(RetainedState())
    ) -> Turnstile {
        let locks = Direction.allCases.map(\.lock)
        let duty = EmergencyDuty(on: tick * 2, off: tick)
        let times = lockTicks.map { [tick * $0, tick * $0] } ?? []
        return Turnstile(
            policy: policy, equipment: equipment, debounce: debounce,
            maximumOnTimes: Dictionary(uniqueKeysWithValues: zip(locks, times)),
            emergencyDuties: Dictionary(uniqueKeysWithValues: locks.map { ($0, duty) }),
            ledger: ledger, recovery: recovery)
    }

    /// How many ticks there are in `duration`.
    func ticks(in duration: Duration) -> Int { Int(duration / tick) }

    /// All reachable situations.
    func explored(limit: Int = 250_000) -> StateGraph<Situation> {
        StateGraph(from: Situation(self), limit: limit) { situation in
            guard situation.turnstile.gate.drive != nil else {
                // Time does not pass for what has not begun.
                // What a ledger holds at the start is what it is until then.
                let early = self.ledger == nil ? self.happenings.filter { $0 != .ticked } : []
                return self.starts.map { .started($0) } + early
            }
            return self.happenings.filter { self.mayHappen($0, in: situation) }
        }
    }

    private func mayHappen(_ happening: Happening, in situation: Situation) -> Bool {
        if limits.awaitsCalm && situation.holdsAlarm { return happening == .ticked }
        return switch happening {
        case .changed(let change): may(change, situation)
        case .edgesLost(let changes): changes.allSatisfy { may($0, situation) }
        case .durable:
            situation.world.notebook.map { ($0.isAsked || $0.isFailing) && $0.closed == nil }
                ?? false
        case .storageFailed: situation.world.notebook?.isFailing == false
        case .ledgerOpened: situation.world.notebook?.closed != nil
        case _: true
        }
    }

    private func may(_ change: Happening.Change, _ situation: Situation) -> Bool {
        let world = situation.world
        switch change {
        case .turned: return world.pendingPulses.passages < limits.pendingPulses
        case .toggled(.coinJam): return world.pendingPulses.rejects < limits.pendingPulses
        case .toggled(let input):
            guard let acceptor = Acceptor.allCases.first(where: { $0.line == input }) else {
                let isSensor = input == .rotorA || input == .rotorB
                return !isSensor || world.rotor.ticksOfUnrest < limits.unrest
            }
            let line = world.coinLines[acceptor]
            if line.hasJustFallen { return false }
            if situation.inputs[input] {
                return line.pulseTicks != 0 || line.noise < limits.noise
            }
            let untold = Acceptor.allCases.reduce(0) { $0 + world.coinLines[$1].untold }
            let stored = world.notebook?.closed.map { $0.credit + $0.fareInUse } ?? 0
            return situation.turnstile.gate.credit + stored + untold < limits.pulses
                && world.pendingPulses.money < limits.pendingPulses
                && world.pendingPulses.rejects < limits.pendingPulses
        }
    }
}

extension Situation {
    /// Whether an alarm is up that time ends.
    fileprivate var holdsAlarm: Bool {
        Alarm.allCases.contains { alarm in
            if case .until? = turnstile.gate.alarms[alarm] { true } else { false }
        }
    }
}

extension Policy {
    /// A policy whose waits are whole ticks: a pulse of one is good, one of two is stuck.
    static func inTicks(of tick: Duration) -> Policy {
        var policy = Policy(price: 2, coinUnit: 1)
        policy.coins = PerAcceptor { _ in
            var coins = CoinPolicy(unit: 1)
            coins.pulseWidth = tick
            coins.trainQuiet = tick
            coins.stuckAfter = tick * 2
            return coins
        }
        policy.passWait = tick
        policy.creditExpiry = .zero
        policy.lateCoinWindow = tick
        policy.passDelayAlarm = tick
        policy.tailgatingWindow = .zero
        policy.rotorStep = .zero
        policy.beamBlocked = tick
        policy.contactStuckAfter = .zero
        policy.homeSettle = tick
        policy.lockResponse = tick
        policy.countPulse = tick
        policy.alarmHold = tick
        policy.serviceHold = tick
        return policy
    }
}

extension Happening {
    /// A coin line becomes active, or inactive.
    static func pulse(_ acceptor: Acceptor) -> Happening { .changed(.toggled(acceptor.line)) }
    /// The same of the first acceptor.
    static let coinPulse = pulse(.first)
    /// The emergency loop opens, or closes.
    static let loop = Happening.changed(.toggled(.fire))
    /// The stop contact closes, or opens.
    static let stop = Happening.changed(.toggled(.stop))
}

extension [Happening] {
    /// The process dies, and the next one finds the latest state.
    static let crash: [Happening] = [.restarted(.latest, .all), .restarted(.deaf, .all)]
    /// The power fails as well, so that the next one finds an older state, or none.
    static let powerCut: [Happening] = [
        .restarted(.latest, .all), .restarted(.older, .all), .restarted(.none, .all),
    ]
    /// The same where there is a ledger, of which the next one finds all, or what is durable.
    static let crashWithLedger: [Happening] = [
        .ledgerOpened, .restarted(.latest, .all), .restarted(.latest, .durable),
    ]
}
