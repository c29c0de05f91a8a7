public import Ledger
import StateMachines
import System
import Turnstile

/// A ledger's registers as EVA-DTS: see ``EVADTS``, which has the list of blocks.
public struct EVADTSReport {
    public var decimalPlaces = 2
    /// The currency's code in ISO 4217; nil if unknown.
    public var currency: String?

    private let ledger: String
    private let gate: String
    private let registers: Registers
    private let collection: Int64
    private let collected: Duration?
    private let checkpoint: Checkpoint?
    private let events: [EVADTSEvent]
    private let now: Duration

    /// The report on `snapshot` at this time since 1970, UTC.
    public init(_ snapshot: LedgerSnapshot, at now: Duration) throws(LedgerError) {
        (ledger, gate, self.now) = (snapshot.number, snapshot.gate, now)
        registers = snapshot.registers
        collection = snapshot.collection
        let pages = try snapshot.checkpoints().map { $0.checkpoint }
        checkpoint = pages.last
        let last = pages.last { page in
            if case .collection = page.occasion { true } else { false }
        }
        collected = last?.time
        var events = EVADTSEvents(snapshot.registers)
        if let kept = snapshot.sequences {
            let first = max(kept.lowerBound, (last?.sequence ?? 0) + 1)
            if first <= kept.upperBound {
                try snapshot.forEach(in: first...kept.upperBound) {
                    guard case .record(let record) = $0.content else { return }
                    events.follow(record, at: $0.wallTime)
                }
            }
        }
        self.events = events.all
    }

    public var text: String { EVADTS.transmission(blocks, from: sender) }

    /// The sender: an unregistered manufacturer's code of three letters, and seven characters of
    /// the ledger's number.
    private var sender: String { "TSD" + ledger.prefix(7).uppercased() }
}

extension EVADTSReport {
    private typealias Block = EVADTS.Block
    private typealias Element = EVADTS.Element
    private var new: RegisterValues { registers.sinceInit }
    private var recent: RegisterValues { registers.sinceCollection }

    private var blocks: [EVADTS.Block] {
        identification + sales + coins + products + eventBlocks + readings + others
    }

    private var identification: [EVADTS.Block] {
        [
            Block(
                "ID1", .text(sender), .text("TURNSTILED"), .number(1), .text(gate), .empty,
                .text(gate), .number(6), .number(1)),
            Block(
                "ID4", .number(Int64(decimalPlaces)), .empty,
                currency.map { .text($0) } ?? .empty),
            Block("ID6", .number(collection)),
            Block("CB1", .empty, .text("TURNSTILED"), .text(programVersion)),
        ]
    }

    private var sales: [EVADTS.Block] {
        func counted(_ name: String, _ products: String, _ value: Int64, _ last: Int64) -> Block {
            let kinds = PassageKind.allCases.filter { $0.block == products }
            return Block(
                name, .number(value), .number(new.passages(of: kinds)), .number(last),
                .number(recent.passages(of: kinds)))
        }
        return [
            counted("VA1", "PA2", new.faresUsed, recent.faresUsed), counted("VA2", "PA3", 0, 0),
            counted("VA3", "PA4", 0, 0),
        ]
    }

    /// The coins, of a mechanism that takes all coins into its box and gives no change. Rejected
    /// coins do not count.
    private var coins: [EVADTS.Block] {
        let (all, last) = (new.valueInVault, recent.valueInVault)
        let zero = Element.number(0)
        let byValue = Set(new.coinCounts.keys).union(recent.coinCounts.keys).sorted().map { value in
            let (count, recently) = (new.coinCounts[value] ?? 0, recent.coinCounts[value] ?? 0)
            return Block(
                "CA11", .number(Int64(value)), .number(recently), .number(recently), zero,
                .number(count), .number(count), zero)
        }
        return [
            Block("CA1", .empty, .text("PULSE"), .number(1)),
            Block(
                "CA2", .number(new.faresUsed), .number(new.passages(of: [.paid])),
                .number(recent.faresUsed), .number(recent.passages(of: [.paid]))),
            Block(
                "CA3", .number(last), .number(last), zero, zero, .number(all), .number(all), zero,
                zero),
            Block("CA4", zero, zero, zero, zero),
            Block("CA8", .number(recent.kept), .number(new.kept)),
        ] + byValue
    }

    /// Passages by direction and kind. Only the way in has a fare.
    private var products: [EVADTS.Block] {
        Direction.allCases.enumerated().flatMap { place, direction in
            PassageKind.allCases.enumerated().flatMap { number, kind in
                let category = Register.PassageCategory(direction, kind)
                let name = "\(direction.name) \(kind.name)".uppercased()
                let (all, last) = (new.passages[category], recent.passages[category])
                let isSold = kind == .paid && direction == .entry
                return [
                    Block(
                        "PA1", .number(Int64(10 * (place + 1) + number)), .empty, .text(name),
                        .empty, .empty, .empty, .number(0)),
                    Block(
                        kind.block, .number(all), .number(isSold ? new.faresUsed : 0),
                        .number(last), .number(isSold ? recent.faresUsed : 0)),
                ]
            }
        }
    }

    private var eventBlocks: [EVADTS.Block] {
        events.flatMap { event in
            let identification = Element.text(event.identification)
            let last = event.time.map { time in
                Block(
                    "EA1", identification, .date(time), .time(time),
                    event.length.map { .number(max(0, $0.components.seconds / 60)) } ?? .empty)
            }
            let sum = Block(
                "EA2", identification, .number(event.sinceReset), .number(event.sinceInit), .empty,
                .number(event.isActive ? 1 : 0))
            return [last, sum].compactMap { $0 }
        }
    }

    /// Only a collection is a reset, and only collections are counted.
    private var readings: [EVADTS.Block] {
        let count = Element.number(collection)
        return [
            Block(
                "EA3", count, .date(now), .time(now), .empty, collected.map(Element.date) ?? .empty,
                collected.map(Element.time) ?? .empty, .empty, .empty, count, count),
            // Power failures are counted as starts, as are restarts.
            Block("EA7", .number(recent.starts), .number(new.starts)),
        ]
    }

    private var others: [EVADTS.Block] {
        func both(_ name: String, _ value: (RegisterValues) -> Int64) -> Block {
            Block("MA5", .text(name), .number(value(recent)), .number(value(new)))
        }
        let signed = checkpoint.map { checkpoint in
            Block(
                "MA5", .text("CHECKPOINT"), .number(checkpoint.number),
                .number(checkpoint.sequence), .text("\(checkpoint.hash)"))
        }
        return [
            Block("MA5", .text("LEDGER"), .text(ledger)),
            Block("MA5", .text("HELD"), .number(new.creditHeld), .number(new.fareInUse)),
            both("EXPIRED") { $0.expired }, both("FORFEITED") { $0.forfeited },
            both("REFUNDED") { $0.refunded }, both("COINS INHIBITED") { $0.inhibited.total },
            both("UNKNOWN TRAINS") { $0.unknownTrains.total },
            both("RELEASES ENTRY") { $0.releases[.entry] },
            both("RELEASES EXIT") { $0.releases[.exit] },
        ] + (signed.map { [$0] } ?? [])
    }
}

extension EVADTS.Element {
    /// The local day of a time since 1970, UTC: `20261122`.
    fileprivate static func date(_ wall: Duration) -> Self {
        let time = LocalTime(at: wall)
        return .number(Int64(time.year * 10_000 + time.month * 100 + time.day))
    }

    /// The local time of day: `061209`.
    fileprivate static func time(_ wall: Duration) -> Self {
        let time = LocalTime(at: wall)
        let digits = "\(1_000_000 + time.hour * 10_000 + time.minute * 100 + time.second)"
        return .text(String(digits.dropFirst()))
    }
}

extension PassageKind {
    fileprivate var block: String {
        switch self {
        case .paid: "PA2"
        case .service: "PA3"
        case .free, .emergency, .unauthorised: "PA4"
        }
    }
}

extension RegisterValues {
    fileprivate func passages(of kinds: [PassageKind]) -> Int64 {
        passages.all.filter { kinds.contains($0.key.kind) }.reduce(0) { $0 + $1.value }
    }

    /// Money paid for which nothing was given.
    fileprivate var kept: Int64 { expired + forfeited }

    /// The number of coins in the vault, by their value.
    fileprivate var coinCounts: [Int: Int64] {
        var counts: [Int: Int64] = [:]
        for (coin, count) in Array(accepted.all) + Array(late.all) {
            counts[coin.value, default: 0] += count
        }
        return counts
    }
}
