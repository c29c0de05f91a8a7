import Stories

@testable import Turnstile

/// What an onlooker knows who counts quarters of a turn, pulses and keys, and nothing else.
struct World: Hashable {
    /// The rotor.
    private(set) var rotor = Rotor()
    /// The people at the gate.
    private(set) var people: People
    /// The coin lines.
    private(set) var coinLines = PerAcceptor(repeating: CoinLine())
    /// For how many ticks coins may still be on their way; nil when none can be.
    private(set) var grace: Int?
    /// Whether the reset key was turned since the loop was last closed.
    private(set) var wasReset = false
    /// Whether the loop cannot be read.
    private(set) var isLoopUnreadable = false
    /// Which way somebody passed who had leave to, while others can slip in behind.
    private(set) var tailgatingWindow: TailgatingWindow?
    /// Pulses of the counters that are still to come.
    private(set) var pendingPulses = PendingPulses()
    /// What the ledger knows, where there is one.
    private(set) var notebook: Notebook?
    /// For how many ticks locks that cannot be held open have been on.
    private(set) var lockTicks = LockTicks()
    /// For how many ticks contacts have been held that nobody holds for long.
    private var held: [Input: Int] = [:]
    /// What a disk has kept of the state that the gate retains.
    private(set) var olderState = RetainedState()
    private let ticksOfGrace: Int
    private let ticksPerSecond: Int
    private let ticksOfTailgating: Int
    private let ticksOfHolding: Int
    private let settlingTimes: Rotor.SettlingTimes
    /// Whether it matters to a coin that somebody may come in already.
    private let asksIfUnlocked: Bool

    /// How coins are received that come now.
    struct Offer {
        /// Whether the acceptors take them.
        var takesCoins: Bool
        /// Whether somebody may come in already.
        var isUnlocked: Bool

        /// How a turnstile receives coins.
        init(_ turnstile: Turnstile) {
            takesCoins = turnstile.isOn(.coinEnable)
            let gate = turnstile.gate
            isUnlocked = gate.standing == .inService && gate.lane.grant?.direction == .entry
        }
    }

    /// One coin line.
    struct CoinLine: Hashable {
        /// For how many ticks it has been active, 2 for that and more; nil while it is not.
        var pulseTicks: Int?
        /// Good pulses that were not told of yet.
        var untold = 0
        /// How many of them a ledger that is still to be opened knows, of a coin before.
        var inherited = 0
        /// Whether the first of them began in the accept window; nil when nobody saw that.
        var isInAcceptWindow: Bool? = false
        /// Whether somebody might come in already as the first of them began; nil when nobody saw.
        var isUnlocked: Bool?
        /// Whether some of its pulses may have come while nobody listened.
        var isCut = false
        /// Whether the same is to be said of one that begins in this tick, and of one whose first
        /// pulse this is.
        var mayBeCut = false
        var beganInDoubt = false
        /// Whether it became inactive in this tick.
        var hasJustFallen = false
        /// Whether that ended a pulse of noise, which is known in the next one.
        var hasJustHeardNoise = false
        /// Pulses of noise, one after the other.
        var noise = 0
        /// Ticks since the last of them.
        var quietTicks = 0
    }

    /// The time after a passage: which way it was, and for how many ticks more it counts.
    struct TailgatingWindow: Hashable {
        var direction: Direction
        var ticks: Int
    }

    /// Pulses that the records call for and that were not given yet.
    struct PendingPulses: Hashable {
        var passages = 0
        var money = 0
        var rejects = 0

        /// Whether no pulse was given that nothing called for.
        var isEarned: Bool { passages >= 0 && money >= 0 && rejects >= 0 }
    }

    /// For how many ticks each lock has been on without a break.
    struct LockTicks: PerDirection, Hashable {
        var entry = 0
        var exit = 0
    }

    /// A world at rest.
    ///
    /// The ledger holds coins for people that were counted and not told of.
    init(_ scene: Scene) {
        // For how long a coin is on its way after the acceptors were inhibited.
        ticksOfGrace = scene.ticks(in: scene.policy.lateCoinWindow)
        ticksPerSecond = scene.ticks(in: .seconds(1))
        // For how long after a passage somebody who follows has slipped in behind.
        ticksOfTailgating = scene.ticks(in: scene.policy.tailgatingWindow)
        // For how long a contact may be held that is active for a moment at a time.
        ticksOfHolding = scene.ticks(in: scene.policy.contactStuckAfter)
        settlingTimes = Rotor.SettlingTimes(
            step: scene.ticks(in: scene.policy.rotorStep),
            noise: scene.ticks(in: .milliseconds(500)),
            unrest: scene.ticks(in: .seconds(5)))
        let isGivenBack = scene.equipment.outputs[.coinReject]
        switch scene.policy.coinWhileUnlocked {
        case .store: asksIfUnlocked = false
        case .reject: asksIfUnlocked = isGivenBack
        case .thank: asksIfUnlocked = true
        }
        people = People(scene.policy, tick: scene.tick)
        let balances = scene.ledger
        notebook = balances.map { Notebook($0, mayRestart: scene.mayRestart) }
        for acceptor in Acceptor.allCases {
            guard let coin = balances?.counted[acceptor] else { continue }
            coinLines[acceptor] = CoinLine(untold: coin.pulses, isInAcceptWindow: true)
        }
    }

    /// Goes on with a new process: what was neither told nor stored is gone, and with it the pulses
    /// that were still to come.
    mutating func restart(_ past: Past, _ mayLosePower: Bool) {
        var known = PerAcceptor<CoinDecoder.State>(repeating: .idle)
        if case .known(let state) = past.recovery { known = state.coins }
        coinLines = PerAcceptor { coinLines[$0].restarted(known[$0].train) }
        for acceptor in Acceptor.allCases {
            let train = known[acceptor].train
            guard let coin = past.balances?.counted[acceptor], train?.wasTold != true else {
                continue
            }
            coinLines[acceptor].untold += coin.pulses
            coinLines[acceptor].inherited = coin.pulses
            // Of two coins nobody asks when they came.
            coinLines[acceptor].isInAcceptWindow = train == nil ? true : nil
        }
        notebook = past.balances.map { Notebook($0, isClosed: true, mayRestart: true) }
        pendingPulses = PendingPulses()
        lockTicks = LockTicks()
        tailgatingWindow = nil
        wasReset = false
        people.restart(past)
        if mayLosePower, case .known(let state) = past.recovery { olderState = state.lasting }
    }

    /// The contacts that have been held for too long.
    var stuck: Set<Input> { Set(held.filter { $0.value == ticksOfHolding }.keys) }

    private mutating func hold(_ input: Input, _ levels: InputLevels) {
        guard input.role.isMomentary else { return }
        held[input] = levels[input] ? 0 : nil
    }

    /// The disk has written down what the gate retains.
    mutating func writeDown(_ state: RetainedState) { olderState = state.lasting }

    /// Sees what happens; the lines then carry `levels`, and coins were received like this.
    mutating func advance(_ happening: Happening, _ levels: InputLevels, _ offer: Offer) {
        rotor.rest()
        notebook?.advance(happening)
        people.advance(happening, levels)
        let isInAcceptWindow = offer.takesCoins || grace != nil
        switch happening {
        case .started, .restarted:
            // What fails before the start is told again after it.
            isLoopUnreadable = false
            for input in held.keys { held[input] = 0 }
            rotor.find(levels)
            grace = ticksOfGrace > 0 ? ticksOfGrace : nil
            for acceptor in Acceptor.allCases { coinLines[acceptor].mayBeCut = false }
            for acceptor in Acceptor.allCases
            where levels[acceptor.line] && coinLines[acceptor].pulseTicks == nil {
                coinLines[acceptor].rise(isInAcceptWindow: grace != nil, isUnlocked: nil)
            }
        case .ledgerOpened:
            for acceptor in Acceptor.allCases { coinLines[acceptor].inherited = 0 }
        case .changed(.turned), .changed(.toggled(.rotorA)), .changed(.toggled(.rotorB)):
            rotor.change(levels, settlingTimes)
        case .changed(.toggled(let input)):
            if let acceptor = Acceptor.allCases.first(where: { $0.line == input }) {
                if levels[input] {
                    coinLines[acceptor].rise(
                        isInAcceptWindow: isInAcceptWindow,
                        isUnlocked: asksIfUnlocked ? offer.isUnlocked : nil)
                } else {
                    coinLines[acceptor].fall()
                }
            }
            hold(input, levels)
        case .edgesLost:
            rotor.find(levels)
            for acceptor in Acceptor.allCases {
                coinLines[acceptor].lose(
                    isActive: levels[acceptor.line], isInAcceptWindow: isInAcceptWindow)
            }
        case .ticked:
            rotor.tick(levels, settlingTimes)
            tick(takesCoins: offer.takesCoins)
        case .pressed(.emergencyResetKey): wasReset = true
        case .lineFailed(.input(.fire)):
            wasReset = false
            isLoopUnreadable = true
        case .lineRecovered(.input(.fire)): isLoopUnreadable = false
        case .pressed, .lineFailed, .lineRecovered, .cutAhead, .outputCut, .policyChanged, .asked,
            .clockRead, .clockStepped, .durable, .storageFailed:
            break
        }
        if levels[.fire] { wasReset = false }
    }

    /// Hears what the turnstile wants done and says.
    mutating func observe(_ command: Command) {
        notebook?.observe(command)
        switch command {
        case .set(.coinEnable, isOn: true): grace = ticksOfGrace > 0 ? ticksOfGrace : nil
        case .set(.countPulse, isOn: true): pendingPulses.passages -= 1
        case .set(.coinMeter, isOn: true): pendingPulses.money -= 1
        case .set(.coinReject, isOn: true): pendingPulses.rejects -= 1
        case .record(let record): observe(record)
        case .answer(let answer) where answer.request == .resetEmergency:
            if answer.result == .done || answer.result == .deferred { wasReset = true }
        case _: break
        }
    }

    /// Sees which locks are on.
    mutating func watchLocks(of turnstile: Turnstile, hasTicked: Bool) {
        for direction in Direction.allCases {
            let before = lockTicks[direction]
            // One that has just been switched on begins to count.
            lockTicks[direction] =
                !turnstile.isOn(direction.lock) ? 0 : before + (hasTicked && before > 0 ? 1 : 0)
            if before == 0, turnstile.isOn(direction.lock) { lockTicks[direction] = 1 }
        }
    }

    /// Sees what the turnstile does after all.
    mutating func look(at turnstile: Turnstile) {
        let isSeen = [Input.rotorA, .rotorB].allSatisfy {
            !turnstile.gate.faults.isUp(.line(.input($0), .unreadable))
        }
        if !isSeen, case .passing = turnstile.gate.lane.state { rotor.loseTrack() }
        people.look(at: turnstile, quarters: rotor.quarters)
        if turnstile.isOn(.coinEnable) { grace = ticksOfGrace > 0 ? ticksOfGrace : nil }
        if !turnstile.gate.equipment.outputs[.countPulse] { pendingPulses.passages = 0 }
        if !turnstile.gate.equipment.outputs[.coinMeter] { pendingPulses.money = 0 }
        if !turnstile.gate.equipment.outputs[.coinReject] { pendingPulses.rejects = 0 }
    }

    private mutating func observe(_ record: Record) {
        people.observe(record)
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin):
            coinLines[coin.acceptor].tell(coin.pulses)
            pendingPulses.money += coin.value
        case .coinInhibited(let coin), .coinEarly(let coin):
            coinLines[coin.acceptor].tell(coin.pulses)
        case .coinRejected(let coin):
            coinLines[coin.acceptor].tell(coin.pulses)
            pendingPulses.rejects += 1
        case .coinUnknown(let acceptor, let pulses): coinLines[acceptor].tell(pulses)
        case .faultRaised(.coinJam): pendingPulses.rejects += 1
        case .passageCompleted(let direction, let kind):
            pendingPulses.passages += 1
            if kind == .paid || kind == .free { openTailgatingWindow(direction) }
        case .passageLost(let direction, _):
            pendingPulses.passages += 1
            openTailgatingWindow(direction)
        case .passageRecovered: pendingPulses.passages += 1
        case _: break
        }
    }

    private mutating func openTailgatingWindow(_ direction: Direction) {
        tailgatingWindow =
            ticksOfTailgating > 0
            ? TailgatingWindow(direction: direction, ticks: ticksOfTailgating) : nil
    }

    private mutating func tick(takesCoins: Bool) {
        for acceptor in Acceptor.allCases {
            coinLines[acceptor].tick(ticksPerSecond: ticksPerSecond)
        }
        held = held.mapValues { min($0 + 1, ticksOfHolding) }
        if !takesCoins, let left = grace { grace = left > 1 ? left - 1 : nil }
        if let last = tailgatingWindow {
            tailgatingWindow =
                last.ticks > 1
                ? TailgatingWindow(direction: last.direction, ticks: last.ticks - 1) : nil
        }
    }
}

extension World.CoinLine {
    fileprivate mutating func rise(isInAcceptWindow: Bool, isUnlocked: Bool?) {
        pulseTicks = 0
        beganInDoubt = mayBeCut
        guard untold == 0, !isCut else { return }
        self.isInAcceptWindow = isInAcceptWindow
        self.isUnlocked = isUnlocked
    }

    /// A pulse of one tick is good, one of none is noise, a longer one has stuck.
    fileprivate mutating func fall() {
        switch pulseTicks {
        case 0:
            hasJustHeardNoise = true
            if untold == 0, !isCut { forget() }
        case 1:
            untold += 1
            if beganInDoubt { isCut = true }
            (mayBeCut, beganInDoubt) = (false, false)
        case _: forget()
        }
        hasJustFallen = pulseTicks != 2
        pulseTicks = nil
    }

    /// A pulse whose beginning or end nobody saw is none; the next one begins now.
    fileprivate mutating func lose(isActive: Bool, isInAcceptWindow: Bool) {
        if isActive, pulseTicks == 2 { return }
        (hasJustFallen, hasJustHeardNoise) = (false, false)
        let isStuck = pulseTicks == 2
        let wasActive = pulseTicks != nil && !isStuck
        pulseTicks = isActive ? 0 : nil
        if untold > 0 || isCut {
            isCut = true
            return
        }
        (mayBeCut, beganInDoubt) = (true, isActive)
        if !isActive {
            forget()
        } else if !wasActive {
            self.isInAcceptWindow = isInAcceptWindow ? true : nil
            isUnlocked = nil
        }
    }

    /// So many pulses were told of, and nobody asks any longer when they came.
    fileprivate mutating func tell(_ pulses: Int) {
        untold -= pulses
        if untold == 0 { isCut = false }
        if pulseTicks == nil { forget() }
    }

    /// What is known of it in the next process, which goes on with this train, if with any.
    fileprivate func restarted(_ train: CoinDecoder.Train?) -> World.CoinLine {
        guard let train else { return World.CoinLine() }
        var line = self
        (line.noise, line.quietTicks) = (0, 0)
        (line.untold, line.inherited) = (untold - inherited, 0)
        line.isCut = train.isLost
        if line.isCut, line.pulseTicks != nil { line.pulseTicks = 0 }
        return line
    }

    private mutating func forget() {
        isInAcceptWindow = false
        isUnlocked = nil
    }

    fileprivate mutating func tick(ticksPerSecond: Int) {
        pulseTicks = pulseTicks.map { min($0 + 1, 2) }
        (mayBeCut, hasJustFallen) = (false, false)
        if noise > 0 {
            quietTicks += 1
            if quietTicks == (isBurst ? 10 : 1) * ticksPerSecond { (noise, quietTicks) = (0, 0) }
        }
        guard hasJustHeardNoise else { return }
        hasJustHeardNoise = false
        noise += 1
        quietTicks = 0
    }

    /// Whether there is more noise than is told pulse by pulse.
    var isBurst: Bool { noise > 5 }
}
