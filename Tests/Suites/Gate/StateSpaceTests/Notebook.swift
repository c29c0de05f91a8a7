import Stories
import Turnstile

/// What an onlooker knows of a ledger: which coins are sure to outlive a power cut.
struct Notebook: Hashable {
    /// How sure something is: told of alone, asked to be made durable, or durable.
    enum Safety: Int, Hashable, Comparable {
        case told, asked, durable

        static func < (a: Safety, b: Safety) -> Bool { a.rawValue < b.rawValue }
    }

    /// A coin that is not credited yet.
    struct Counted: Hashable {
        var pulses: Int
        var safety: Safety
    }

    /// The coins that were credited: as sure as the last of them.
    private(set) var credited = Safety.durable
    /// The coins that were counted and are to be credited.
    private(set) var counted = PerAcceptor<Counted?>(repeating: nil)
    /// Whether an answer is to come.
    private(set) var isAsked = false
    /// Whether the storage fails.
    private(set) var isFailing = false
    /// Whether somebody was let in on a coin that was not stored.
    private(set) var wasRash = false
    /// What all records come to, and those that are sure to outlive a power cut.
    private(set) var all: Balances, durable: Balances
    let mayRestart: Bool
    /// What those that were asked to be stored come to.
    private var asked: Balances
    /// What a ledger holds that is not open yet; nil once it is.
    private(set) var closed: Balances?
    /// What somebody paid before the start for a passage that nobody has accounted for.
    private(set) var fareBefore: Int
    /// Whether the ledger has just been opened.
    private var isOpening = false

    /// What was stored before the start; a closed ledger is still to be opened.
    ///
    /// - Parameter mayRestart: whether what the records come to may be asked for.
    init(_ balances: Balances, isClosed: Bool = false, mayRestart: Bool) {
        self.mayRestart = mayRestart
        all = balances
        durable = balances
        asked = balances
        closed = isClosed ? balances : nil
        fareBefore = balances.fareInUse
        for acceptor in Acceptor.allCases {
            counted[acceptor] = balances.counted[acceptor].map {
                Counted(pulses: $0.pulses, safety: .durable)
            }
        }
    }

    /// Whether nothing is to be stored.
    var isAtRest: Bool { credited == .durable && !isAsked && !isFailing }

    /// Whether something was told of that must not be lost, and nobody asked to have it stored.
    var isForgotten: Bool {
        credited == .told || Acceptor.allCases.contains { counted[$0]?.safety == .told }
    }

    /// Sees what happens.
    mutating func advance(_ happening: Happening) {
        isOpening = false
        switch happening {
        case .durable:
            raise(.asked, to: .durable)
            durable = asked
            isAsked = false
            isFailing = false
        case .storageFailed: isFailing = true
        case .ledgerOpened:
            isOpening = true
            closed = nil
            isFailing = false
        case .started, .restarted, .changed, .pressed, .edgesLost, .lineFailed, .lineRecovered,
            .cutAhead, .outputCut, .policyChanged, .asked, .clockRead, .clockStepped, .ticked:
            break
        }
    }

    /// Hears what the turnstile wants done and says.
    mutating func observe(_ command: Command) {
        switch command {
        case .store:
            raise(.told, to: .asked)
            asked = all
            isAsked = true
        case .record(let record):
            if mayRestart { all.count(record) }
            observe(record)
        case _: break
        }
    }

    private mutating func observe(_ record: Record) {
        switch record {
        case .coinCounted(let coin):
            counted[coin.acceptor] = Counted(pulses: coin.pulses, safety: .told)
        case .coinAccepted(let coin), .coinLate(let coin):
            let known = counted[coin.acceptor]
            counted[coin.acceptor] = nil
            credited = min(credited, known?.pulses == coin.pulses ? known?.safety ?? .told : .told)
        case .coinRejected(let coin), .coinInhibited(let coin), .coinEarly(let coin):
            counted[coin.acceptor] = nil
        case .coinUnknown(let acceptor, _): counted[acceptor] = nil
        case .passageRecovered(_, .paid): fareBefore = 0
        // Nobody pays anew before this is accounted for.
        case .passageLost(_, .paid), .creditReturned: fareBefore = 0
        // Somebody was on the way before the ledger had heard that they had paid.
        case .creditUsed(let value) where isOpening: fareBefore = value
        case .creditUsed: if credited != .durable { wasRash = true }
        // They had not come, and have it again.
        case .released(_, .credit) where isOpening:
            if credited != .durable { wasRash = true }
            fareBefore = 0
        case _: break
        }
    }

    private mutating func raise(_ old: Safety, to new: Safety) {
        if credited == old { credited = new }
        for acceptor in Acceptor.allCases where counted[acceptor]?.safety == old {
            counted[acceptor]?.safety = new
        }
    }
}

extension Law {
    /// What is written down before it counts.
    static let ledger = [
        Law(name: "nobody is let in on a coin that a power cut can take back (10)") { seen in
            seen.world.notebook?.wasRash != true
        },
        Law(name: "what must not be lost is to be stored, where there is a ledger (10)") { seen in
            guard let notebook = seen.world.notebook else {
                return !seen.commands.contains(.store) && seen.gate.commitBarrier.isDurable
            }
            return !notebook.isForgotten && (notebook.isAsked || seen.gate.commitBarrier.isDurable)
        },
        Law(name: "whoever has paid is let in as soon as all is stored") { seen in
            let wasAwaited = seen.gateBefore.commitBarrier.state == .awaited
            guard wasAwaited, seen.gate.commitBarrier.isDurable, seen.past == nil else {
                return true
            }
            let pays = seen.gateBefore.credit >= seen.policy.price
            let mayPass =
                seen.gateBefore.lane.state == .locked && seen.gateBefore.standing == .inService
                && seen.gateBefore.regime.entry == .controlled
            return !pays || !mayPass || seen.gate.lane.grant?.direction == .entry
        },
        Law(name: "a ledger that cannot be written is a fault while that lasts") { seen in
            let isFailing = seen.world.notebook?.isFailing ?? false
            return seen.drive == nil || seen.gate.faults.isUp(.storageFailed) == isFailing
        },
    ]
}
