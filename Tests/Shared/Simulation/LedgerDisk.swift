import SimulatedHardware
import StateMachines
import TestSupport
import Turnstile

/// The disk that the ledger is on: how long it takes, when it fails, and what a crash leaves.
///
/// Its chances are its own, so that the day is the same with every disk.
final class LedgerDisk {
    /// The ledger of the process that runs, or ran last.
    private(set) var ledger: VirtualRecordStore?
    private var randomness: SplitMix64
    /// How long a transaction takes, in microseconds.
    private let latency: ClosedRange<Int>
    /// How long the ledger of the next process takes to open; nil when it is open at its start.
    private var opening: Duration?

    /// The disk that `seed` stands for; nil for a gate without a ledger.
    init?(seed: UInt64) {
        randomness = SplitMix64(seed: ~seed)
        switch Int.random(in: 0..<6, using: &randomness) {
        case 0: return nil
        case 1...3: latency = 500...45_000
        case 4: latency = 10_000...400_000
        default: latency = 100_000...3_000_000
        }
    }

    /// What the ledger holds for people.
    var balances: Balances { ledger?.balances ?? Balances() }

    /// Where the ledger of a process is that starts now.
    var connection: LedgerConnection { opening == nil ? .open(balances) : .awaited }

    /// A process is about to start: its ledger opens at once, in a moment, or not for long.
    func prepare() {
        switch Int.random(in: 0..<8, using: &randomness) {
        case 0, 1: opening = nil
        case 2: opening = .milliseconds(Int.random(in: 1_000...40_000, using: &randomness))
        default: opening = .milliseconds(Int.random(in: 1...1_000, using: &randomness))
        }
    }

    /// The ledger of a process that starts, with what the one before left.
    func open(_ loop: VirtualEventLoop) -> VirtualRecordStore {
        let ledger =
            self.ledger.map { VirtualRecordStore(loop, after: $0, opening: opening) }
            ?? VirtualRecordStore(loop, opening: opening)
        self.ledger = ledger
        ledger.latency = { [unowned self, unowned loop] in
            if Int.random(in: 0..<60, using: &randomness) == 0 { fail(loop) }
            return .microseconds(Int.random(in: latency, using: &randomness))
        }
        if ledger.isBroken { fail(loop) }
        return ledger
    }

    /// The process ends: in an orderly way, or wherever it stands.
    func close(orderly: Bool) {
        if orderly {
            ledger?.close()
        } else {
            ledger?.crash(finishing: Bool.random(using: &randomness))
        }
    }

    /// The disk takes nothing for a while.
    private func fail(_ loop: VirtualEventLoop) {
        ledger?.isBroken = true
        loop.after(.milliseconds(Int.random(in: 1...20_000, using: &randomness))) {
            [weak ledger] in ledger?.isBroken = false
        }
    }
}
