import StateMachines
import Turnstile

/// What is explored together: a policy, and what may happen.
///
/// One scene with everything in it would have millions of states; several that each hold what
/// bears on one another have some thousands, and are explored to the last one. Waits are a tick or
/// two, so that every order in which they can run out is met, and all at once.
struct Scene: Sendable {
    let name: String
    let policy: Policy
    let happenings: [Happening]
    /// What the lines may carry at the start.
    var starts: [InputLevels] = [[]]
    /// No further coin comes when so many pulses are held as credit. A passage costs two.
    var mostPulses = 2

    /// All reachable situations.
    func explored() -> StateGraph<Situation> {
        var other = policy
        other.price = 1
        return StateGraph(from: Situation(policy, otherPolicy: other), limit: 50_000) { situation in
            guard situation.turnstile.gate.drive != nil else {
                return starts.map { .started($0) } + happenings
            }
            return happenings.filter { !$0.togglesCoinLine || mayPay(situation) }
        }
    }

    /// A pulse that has begun may end; whether another may begin is a question of credit.
    private func mayPay(_ situation: Situation) -> Bool {
        let turnstile = situation.turnstile
        return turnstile.inputs[.coinPulse]
            || turnstile.gate.credit + situation.world.uncreditedPulses < mostPulses
    }
}

extension Scene {
    static let all = [money, forfeits, emergency, escape, repair, resumption, gaps, order, changes]

    /// Coins of any length and at any time, people who come, wait, lean, go back and force.
    static let money = Scene(
        name: "money", policy: policy(), happenings: people + [.coinPulse],
        starts: [[], InputLevels(.coinPulse)], mostPulses: 4)

    /// The same where the owner keeps what is not used, and somebody else opens as well.
    static let forfeits = Scene(
        name: "forfeits",
        policy: policy {
            $0.onWaitTimeout = .forfeit
            $0.overpay = .forfeit
            $0.relockAt = .complete
        },
        happenings: people + [.coinPulse, .pressed(.releaseEntry)], mostPulses: 3)

    /// The loop opens and closes while somebody pays and passes.
    static let emergency = Scene(
        name: "emergency", policy: policy(),
        happenings: people + [.coinPulse, .loop, .pressed(.emergencyResetKey)],
        starts: [[], InputLevels(.fire)])

    /// The same where the closed loop is all it takes.
    static let escape = Scene(
        name: "escape",
        policy: policy {
            $0.fireReset = .auto
            $0.relockAt = .complete
            $0.forcedPassage = .latch
        },
        happenings: people + [
            .loop, .pressed(.releaseEntry), .pressed(.serviceKey),
            .edgesLost([.turned(.entry), .toggled(.fire)]),
        ],
        starts: [[], InputLevels(.fire)])

    /// Faults of every kind, one on top of the other, and the mechanic.
    static let repair = Scene(
        name: "repair", policy: policy { $0.forcedPassage = .latch },
        happenings: people + trouble + [.pressed(.releaseEntry)],
        starts: [[], InputLevels(.externalFault)])

    /// The same where a repair leaves the gate as it was.
    static let resumption = Scene(
        name: "resumption",
        policy: policy {
            $0.repairResumes = .previous
            $0.relockAt = .complete
        },
        happenings: people + trouble + [.pressed(.releaseEntry)])

    /// Edges are lost, and with them coins, passages and calls of the loop.
    static let gaps = Scene(
        name: "gaps", policy: policy(),
        happenings: people + [
            .coinPulse, .pressed(.releaseEntry), .edgesLost([]),
            .edgesLost([.toggled(.coinPulse)]), .edgesLost([.turned(.entry)]),
            .edgesLost([.turned(.entry), .turned(.entry)]),
        ],
        starts: [[], InputLevels(.rotorA)])

    /// Emergency, faults and authorisations together: which comes first?
    static let order = Scene(
        name: "order", policy: policy { $0.repairResumes = .previous },
        happenings: people + [
            .loop, .pressed(.emergencyResetKey), .changed(.toggled(.externalFault)),
            .pressed(.serviceKey), .pressed(.releaseEntry), .outputCut(.lockEntry),
            .edgesLost([.toggled(.fire)]),
            .edgesLost([.turned(.exit), .toggled(.fire)]),
        ],
        starts: [[], [InputLevels(.fire), InputLevels(.externalFault)]])

    /// The owner changes the price at any time.
    static let changes = Scene(
        name: "changes", policy: policy(),
        happenings: people + [.coinPulse, .policyChanged, .pressed(.releaseEntry)], mostPulses: 1)

    /// A policy whose waits are whole ticks: a pulse of one or two is good, one of three is stuck.
    private static func policy(_ edit: (inout Policy) -> Void = { _ in }) -> Policy {
        var policy = Policy(price: 2, coinUnit: 1)
        policy.passWait = Situation.tick
        policy.passDelayAlarm = Situation.tick * 2
        policy.alarmHold = Situation.tick
        policy.pulseWidth = Situation.tick
        policy.trainQuiet = Situation.tick
        policy.coinStuckAfter = Situation.tick * 3
        edit(&policy)
        return policy
    }

    private static let people: [Happening] = [
        .ticked, .changed(.turned(.entry)), .changed(.turned(.exit)),
    ]

    private static let trouble: [Happening] = [
        .changed(.toggled(.externalFault)), .lineFailed(.input(.rotorA)), .outputCut(.lockEntry),
        .outputCut(.alarm), .pressed(.serviceKey),
    ]
}

extension Happening {
    /// Whether a pulse begins or ends.
    fileprivate var togglesCoinLine: Bool {
        switch self {
        case .changed(let change): change == .toggled(.coinPulse)
        case .edgesLost(let changes): changes.contains(.toggled(.coinPulse))
        default: false
        }
    }

    /// The coin line becomes active, or inactive.
    static let coinPulse = Happening.changed(.toggled(.coinPulse))
    /// The emergency loop opens, or closes.
    static let loop = Happening.changed(.toggled(.fire))
}
