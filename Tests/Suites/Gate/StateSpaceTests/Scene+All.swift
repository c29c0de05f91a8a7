import Stories
import Turnstile

extension Scene {
    static let all =
        [money, forfeits, storing, thanks, ejection, acceptors, noise]
        + [emergency, escape, repair, resumption, gaps, order, changes]
        + [bothWays, freeExit, freeEntry, stop, mechanic, locks, arm, beams, schedule, counters]
        + [intruders, stuckContacts]
        + [doors, vault, fullVault, fullerVault, unreadVault]
        + [ledger, slowLedger, ledgerInTrouble, ledgerOfMany, inheritance]
        + [powerCuts, restarts, payersOverRestarts, restartsOfFreeGate, coinsOverRestarts]
        + [fromAfar, termsFromAfar, serviceFromAfar, repairFromAfar]
        + MovementScenes.all
        + [overpaying, meter, harmlessFault, cutLock, shortOutage, rotorNoise]
        + [limitedLock, limitedLockInService]

    // MARK: Coins

    /// Coins of any length and at any time, people who come, wait, lean, go back and force.
    static let money = Scene(
        "money", starts: [[], InputLevels(.coinPulse)], limits: Limits(pulses: 4),
        people + [.coinPulse]
    ) { $0.coinWhileUnlocked = .reject }

    /// The same where the owner keeps what is not used, and somebody else opens as well.
    static let forfeits = Scene(
        "forfeits", limits: Limits(pulses: 3), people + [.coinPulse, .pressed(.releaseEntry)]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.onWaitTimeout = .forfeit
        $0.overpay = .forfeit
        $0.relockAt = .complete
        $0.maxStored = 2
    }

    /// Credit for the next passages while people pass, which expires when nobody uses it.
    static let storing = Scene(
        "storing", limits: Limits(pulses: 5), people + [.coinPulse]
    ) {
        $0.maxStored = 2
        $0.creditExpiry = .seconds(2)
    }

    /// Coins are taken with thanks while somebody is let in; none is on its way any longer.
    static let thanks = Scene(
        "thanks", gate: twoWays, limits: Limits(pulses: 3),
        people + [.coinPulse, .pressed(.releaseExit)]
    ) {
        $0.coinWhileUnlocked = .thank
        $0.lateCoinWindow = .zero
        $0.maxStored = 1
    }

    /// Coins that come at the wrong time are given back, and the money is counted.
    static let ejection = Scene(
        "ejection", gate: .oneWay.with(.coinJam, outputs: .coinReject, .coinMeter),
        [.ticked, .changed(.turned(.entry)), .coinPulse, .changed(.toggled(.coinJam))]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.price = 1
    }

    /// Two acceptors, one of which knows one coin alone.
    static let acceptors = Scene(
        "acceptors", gate: .oneWay.with(.coinPulse2), limits: Limits(pulses: 2, noise: 0),
        [.ticked, .changed(.turned(.entry)), .coinPulse, .pulse(.second)]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.coins[.second].values = .exact([2: 4])
        $0.earlyCoinWindow = .milliseconds(500)
    }

    /// More noise than coins.
    static let noise = Scene(
        "noise", tick: .milliseconds(500), limits: Limits(pulses: 1, noise: 8),
        [.ticked, .coinPulse, .pressed(.releaseEntry)]
    )

    // MARK: Emergencies and faults

    /// The loop opens and closes while somebody pays and passes.
    static let emergency = Scene(
        "emergency", starts: [[], InputLevels(.fire)],
        people + .crash + [.coinPulse, .loop, .pressed(.emergencyResetKey)]
    ) { $0.coinWhileUnlocked = .reject }

    /// The same where the closed loop is all it takes, or nobody can read it.
    static let escape = Scene(
        "escape", gate: twoWays, starts: [[], InputLevels(.fire)],
        people + .crash + [
            .restarted(.none, .all),
            .loop, .pressed(.releaseEntry), .pressed(.serviceKey), .lineFailed(.input(.fire)),
            .lineRecovered(.input(.fire)), .outputCut(.lockExit),
            .edgesLost([.turned(.entry), .toggled(.fire)]),
        ]
    ) {
        $0.fireReset = .auto
        $0.relockAt = .complete
        $0.forcedPassage = .latch
        $0.maxStored = 2
    }

    /// Faults of every kind, one on top of the other, and the mechanic.
    static let repair = Scene(
        "repair", starts: [[], InputLevels(.externalFault)],
        people + trouble + .crash + [.pressed(.releaseEntry)]
    ) {
        $0.forcedPassage = .latch
        $0.maxStored = 2
    }

    /// The same where a repair leaves the gate as it was.
    static let resumption = Scene(
        "resumption", people + trouble + .crash + [.pressed(.releaseEntry)]
    ) {
        $0.repairResumes = .previous
        $0.relockAt = .complete
        $0.maxStored = 2
    }

    /// Edges are lost, and with them coins, passages and calls of the loop.
    static let gaps = Scene(
        "gaps", starts: [[], InputLevels(.rotorA)],
        people + [
            .coinPulse, .pressed(.releaseEntry), .edgesLost([]),
            .edgesLost([.toggled(.coinPulse)]), .edgesLost([.turned(.entry)]),
            .edgesLost([.turned(.entry), .turned(.entry)]),
        ]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.maxStored = 1
    }

    /// Emergency, stop, faults and authorisations together: which comes first?
    static let order = Scene(
        "order", gate: .oneWay.with(.stop),
        starts: [[], [InputLevels(.fire), InputLevels(.externalFault), InputLevels(.stop)]],
        people + .crash + [
            .restarted(.none, .all),
            .loop, .pressed(.emergencyResetKey), .changed(.toggled(.externalFault)), .stop,
            .pressed(.serviceKey), .pressed(.releaseEntry), .outputCut(.lockEntry),
            .edgesLost([.turned(.exit), .toggled(.fire)]),
        ]
    ) {
        $0.repairResumes = .previous
        $0.maxStored = 1
    }

    /// The owner changes the price, and who may pass, at any time.
    static let changes = Scene(
        "changes", gate: twoWays.without(.releaseExit), limits: Limits(pulses: 1),
        people + [.coinPulse, .policyChanged, .pressed(.releaseEntry)]
    ) {
        $0.maxStored = 2
    } otherPolicy: {
        $0.price = 1
        $0.regime.exit = .free
    }

    // MARK: Both ways

    /// People come and go by contacts, several at once, and follow one another.
    static let bothWays = Scene(
        "both ways", gate: twoWays,
        people + .crash + [
            .pressed(.releaseEntry), .pressed(.releaseExit), .loop, .pressed(.emergencyResetKey),
        ]
    ) {
        $0.maxStored = 3
        $0.tailgatingWindow = .seconds(1)
    }

    /// People who climb over the arm, and others whom the detector sees as they pass.
    static let intruders = Scene(
        "intruders", gate: .oneWay.with(.intrusion, .stop),
        people + [
            .pressed(.releaseEntry), .pressed(.intrusion), .stop, .loop,
            .pressed(.emergencyResetKey), .policyChanged,
        ]
    ) {
        $0.maxStored = 1
        $0.tailgatingWindow = .seconds(1)
    } otherPolicy: {
        $0.regime.entry = .free
    }

    /// A button and a key that stick, or are held for long.
    static let stuckContacts = Scene(
        "stuck contacts",
        people + .crash + [
            .changed(.toggled(.releaseEntry)), .changed(.toggled(.emergencyResetKey)), .loop,
            .pressed(.serviceKey),
        ]
    ) {
        $0.maxStored = 1
        $0.contactStuckAfter = .seconds(2)
    }

    /// Whoever wants to leave may.
    static let freeExit = Scene(
        "free exit", gate: twoWays.with(.stop),
        people + .crash + [.coinPulse, .pressed(.releaseExit), .stop]
    ) {
        $0.regime.exit = .free
        $0.maxStored = 1
    }

    /// Everybody may come in, and nobody may leave.
    static let freeEntry = Scene(
        "free entry", gate: twoWays,
        people + .crash + [
            .restarted(.none, .all),
            .pressed(.releaseExit), .loop, .pressed(.emergencyResetKey),
            .changed(.toggled(.externalFault)), .pressed(.serviceKey), .outputCut(.lockEntry),
        ]
    ) {
        $0.regime = Regime(entry: .free, exit: .locked, enforcement: .weak)
        $0.relockAt = .complete
    }

    /// The stop contact, while people come and go and wait for their turn.
    static let stop = Scene(
        "stop", gate: twoWays.with(.stop), starts: [[], InputLevels(.stop)],
        people + .crash + [
            .stop, .pressed(.releaseEntry), .pressed(.releaseExit),
            .changed(.toggled(.externalFault)), .pressed(.serviceKey),
        ]
    ) {
        $0.maxStored = 2
        $0.relockAt = .complete
    }

    // MARK: The machine

    /// The mechanic, and what takes the gate away from them.
    static let mechanic = Scene(
        "mechanic", gate: twoWays.with(.stop).without(.releaseExit, outputs: .alarm),
        people + .crash + [
            .restarted(.none, .all),
            .changed(.toggled(.serviceKey)), .pressed(.releaseEntry), .stop, .loop,
            .pressed(.emergencyResetKey),
        ]
    ) { $0.maxStored = 2 }

    /// Locks that do not follow, and locks that were cut.
    static let locks = Scene(
        "locks", gate: twoWays.with(.lockFeedback).without(.releaseExit, outputs: .alarm),
        people + .crash + [
            .changed(.toggled(.lockFeedback)), .pressed(.releaseEntry),
            .changed(.toggled(.serviceKey)), .outputCut(.lockEntry),
        ]
    ) { $0.maxStored = 1 }

    /// An arm that drops, and hangs until somebody lifts it.
    static let arm = Scene(
        "arm", gate: .oneWay.with(.home, outputs: .dropArm),
        starts: [InputLevels(.home), [InputLevels(.home), InputLevels(.rotorA)]],
        people + .crash + [
            .restarted(.none, .all),
            .changed(.toggled(.home)), .loop, .pressed(.emergencyResetKey), .pressed(.serviceKey),
            .pressed(.releaseEntry),
        ]
    ) { $0.maxStored = 1 }

    /// Light beams in place of a rotor, and people who are only reminded.
    static let beams = Scene(
        "beams",
        gate: twoWays.with(.beamA, .beamB, outputs: .buzzer).without(.rotorA, .rotorB),
        people + .crash + [
            .pressed(.releaseEntry), .pressed(.releaseExit), .loop, .pressed(.emergencyResetKey),
        ]
    ) {
        $0.maxStored = 1
        $0.regime.enforcement = .weak
    }

    /// The days of a week, on which other people may pass, and a clock that is set.
    static let schedule = Scene(
        "schedule", gate: twoWays.without(.releaseExit), tick: .seconds(42 * 3600),
        [
            .ticked, .changed(.turned(.entry)), .pressed(.releaseEntry),
            .clockStepped, .clockRead(WeekTime(.thursday, minute: 720)),
        ]
    ) {
        var weekend = ScheduleEntry(days: Weekdays([.saturday, .sunday]), from: 0, to: 1440)
        weekend.entry = .free
        weekend.enforcement = .weak
        var monday = ScheduleEntry(days: Weekdays([.sunday, .monday]), from: 1380, to: 60)
        monday.entry = .locked
        $0.schedule = [weekend, monday]
        $0.maxStored = 1
    }

    /// What tells people of the gate, and counts them.
    static let counters = Scene(
        "counters",
        gate: twoWays.with(outputs: .lampGo, .lampStop, .ready, .countPulse, .coinMeter, .buzzer)
            .without(.releaseExit),
        [.ticked, .changed(.turned(.entry)), .coinPulse]
    ) {
        $0.price = 1
        $0.maxStored = 1
    }

    /// Doors that stand open, and the mechanic who opened them.
    static let doors = Scene(
        "doors", gate: .oneWay.with(.cabinetTamper, .vaultDoor),
        debounce: [.vaultDoor: .seconds(1)],
        people + [.pressed(.releaseEntry), .changed(.toggled(.serviceKey))]
            + [Input.cabinetTamper, .vaultDoor].map { .changed(.toggled($0)) }
    ) {
        $0.maxStored = 1
        $0.regime.enforcement = .weak
    }

    /// A vault that is full while coins fall, where it refuses them.
    static let fullVault = Scene(
        "full vault", gate: .oneWay.with(.vaultFull, outputs: .ready),
        starts: [[], InputLevels(.vaultFull)],
        [.ticked, .changed(.turned(.entry)), .coinPulse, .changed(.toggled(.vaultFull))]
    ) {
        $0.vaultFull = .refuse
        $0.maxStored = 2
    }

    /// The same where it warns alone, and an acceptor jams.
    static let fullerVault = Scene(
        "fuller vault", gate: .oneWay.with(.vaultFull, .coinJam, outputs: .ready),
        starts: [[], InputLevels(.vaultFull)],
        [.ticked, .changed(.turned(.entry)), .coinPulse]
            + [Input.vaultFull, .coinJam].map { .changed(.toggled($0)) }
    ) { $0.maxStored = 2 }

    /// A level switch that cannot be read, and the mechanic who repairs it.
    static let unreadVault = Scene(
        "unread vault", gate: .oneWay.with(.vaultFull, outputs: .ready),
        [
            .ticked, .coinPulse, .pressed(.serviceKey), .changed(.toggled(.vaultFull)),
            .lineFailed(.input(.vaultFull)), .lineRecovered(.input(.vaultFull)),
        ]
    ) {
        $0.vaultFull = .refuse
        $0.maxStored = 1
    }

    /// A vault that is taken out, a supply that sinks, a coin that jams.
    static let vault = Scene(
        "vault",
        gate: .oneWay.with(
            .vaultPresent, .powerLow, .coinJam, outputs: .ready, .coinReject, .lampGo, .lampStop),
        starts: [InputLevels(.vaultPresent), []],
        [.ticked, .changed(.turned(.entry)), .pressed(.releaseEntry), .pressed(.serviceKey)]
            + [Input.vaultPresent, .powerLow, .coinJam].map { .changed(.toggled($0)) }
    ) { $0.maxStored = 2 }

    // MARK: The ledger

    /// Coins that are stored in time, or late, or not for long, by people who do not wait.
    static let ledger = Scene(
        "ledger", ledger: Balances(), limits: Limits(pulses: 3),
        [.ticked, .changed(.turned(.entry))] + [.coinPulse, .durable, .storageFailed]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.coins[.first].trainQuiet = .seconds(4)
    }

    /// Coins that are never reported before they are counted, and whoever comes between coin and
    /// store.
    static let slowLedger = Scene(
        "slow ledger", ledger: Balances(),
        [
            .ticked, .changed(.turned(.entry)), .coinPulse, .durable, .pressed(.releaseEntry),
            .edgesLost([.toggled(.coinPulse)]),
        ]
    ) { $0.maxStored = 2 }

    /// The same with what blocks the gate, or opens it.
    static let ledgerInTrouble = Scene(
        "ledger in trouble", gate: .oneWay.with(.stop), ledger: Balances(),
        [.ticked, .changed(.turned(.entry)), .coinPulse, .durable, .stop, .loop]
    ) {
        $0.coinWhileUnlocked = .reject
        $0.fireReset = .auto
    }

    /// Coins of two acceptors, of which one is stored and the other is not.
    static let ledgerOfMany = Scene(
        "ledger of many", gate: .oneWay.with(.coinPulse2), ledger: Balances(),
        [.ticked, .changed(.turned(.entry)), .coinPulse, .pulse(.second), .durable]
    ) {
        $0.coins[.first].trainQuiet = .seconds(4)
        $0.coinWhileUnlocked = .reject
        $0.coins[.second].values = .exact([1: 2])
    }

    /// What the gate before held: a fare that nobody had begun to use, and a coin.
    static let inheritance = Scene(
        "inheritance",
        ledger: {
            var balances = Balances()
            balances.count(.coinAccepted(Coin(.first, pulses: 2, value: 2)))
            balances.count(.creditUsed(value: 2))
            balances.count(.coinCounted(Coin(.first, pulses: 1, value: 1)))
            return balances
        }(), starts: [[], InputLevels(.rotorA)], limits: Limits(pulses: 4),
        [.ticked, .changed(.turned(.entry)), .coinPulse, .durable]
    ) { $0.coinWhileUnlocked = .reject }

    // MARK: People and money

    /// People pay more than they must, before and after they are let in.
    static let overpaying = Scene(
        "overpaying", limits: Limits(pulses: 4),
        [.ticked, .changed(.turned(.entry)), .changed(.turned(.exit)), .coinPulse]
    ) { $0.overpay = .forfeit }

    /// A coin meter that is cut, and a mechanic.
    static let meter = Scene(
        "meter", gate: .oneWay.with(outputs: .coinMeter), limits: Limits(pulses: 1),
        [.ticked, .coinPulse, .outputCut(.coinMeter), .pressed(.serviceKey)] + .crash
    ) { $0.price = 1 }

    /// A lamp that fails while more is held than may be.
    static let harmlessFault = Scene(
        "harmless fault", gate: .oneWay.with(outputs: .lampGo),
        [
            .ticked, .changed(.turned(.entry)), .coinPulse, .lineFailed(.output(.lampGo)),
            .lineRecovered(.output(.lampGo)), .pressed(.serviceKey),
        ]
    ) { $0.maxStored = 1 }

    /// A lock that is cut, after a warning or without one, on somebody or nobody, and the mechanic.
    static let cutLock = Scene(
        "cut lock",
        people + .crash + [
            .pressed(.releaseEntry), .cutAhead(.lockEntry), .outputCut(.lockEntry),
            .pressed(.serviceKey),
        ]
    ) {
        $0.maxStored = 1
        $0.relockAt = .complete
    }

    /// A supply that dips, for a moment or for long.
    static let shortOutage = Scene(
        "short outage", gate: .oneWay.with(.powerLow),
        people + [.pressed(.releaseEntry), .changed(.toggled(.powerLow)), .pressed(.serviceKey)]
    ) {
        $0.maxStored = 2
        $0.passWait = .seconds(2)
    }

    /// Sensors that change as people turn the rotor, and faster than anybody could.
    static let rotorNoise = Scene(
        "rotor noise", tick: .milliseconds(250),
        [
            .ticked, .changed(.toggled(.rotorA)), .changed(.toggled(.rotorB)),
            .pressed(.releaseEntry), .pressed(.serviceKey),
        ]
    ) {
        $0.maxStored = 1
        $0.rotorStep = .milliseconds(250)
    }

    // MARK: What scenes share

    static let twoWays = Equipment.oneWay.with(.releaseExit, outputs: .lockExit)

    static let people: [Happening] = [
        .ticked, .changed(.turned(.entry)), .changed(.turned(.exit)),
    ]

    private static let trouble: [Happening] = [
        .changed(.toggled(.externalFault)), .lineFailed(.input(.rotorA)),
        .lineRecovered(.input(.rotorA)), .outputCut(.lockEntry), .outputCut(.alarm),
        .pressed(.serviceKey),
    ]
}
