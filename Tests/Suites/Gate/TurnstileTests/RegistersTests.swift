import Seeds
import StateMachines
import Testing

@testable import Turnstile

/// What the registers make of records: of each kind, and of long walks in which all is consistent.
@Suite struct RegistersTests {
    private static let coin = Coin(.second, pulses: 4, value: 200)

    private static func registers(_ records: Record...) -> RegisterValues {
        records.reduce(into: RegisterValues()) { $0.count($1) }
    }

    @Test func `counts coins by what became of them, acceptor and kind`() {
        let other = Coin(.first, pulses: 1, value: 50)
        let registers = Self.registers(
            .coinAccepted(Self.coin), .coinAccepted(Self.coin), .coinAccepted(other),
            .coinLate(other), .coinRejected(Self.coin), .coinInhibited(Self.coin),
            .coinUnknown(.third, pulses: 7))
        #expect(registers.accepted[Self.coin] == 2)
        #expect(registers.accepted.total == 3)
        #expect(registers.accepted.value == 450)
        #expect(registers.late.value == 50)
        #expect(registers.inhibited[Self.coin] == 1)
        #expect(registers.unknownTrains[.third] == 1)
        // A coin that was given back was put in; one that nobody let in was not.
        #expect(registers.valueIn == 700)
        #expect(registers.refunded == 200)
        #expect(registers.creditHeld == 500)
    }

    @Test func `counts each pulse of noise once`() {
        // What a decoder says of seven pulses of noise in a row, and of one more later.
        var decoder = CoinDecoder(policy: CoinPolicy(unit: 50))
        var registers = RegisterValues()
        func observe(_ event: CoinDecoder.Event) {
            for command in decoder.handle(event).commands {
                switch command {
                case .reportNoise(let width): registers.count(.coinNoise(.first, width: width))
                case .reportNoiseOver(let pulses):
                    registers.count(.noiseOver(.first, pulses: pulses))
                case .reportNoiseBurst: registers.count(.faultRaised(.noiseBurst(.first)))
                case .credit, .creditInDoubt, .reportProvisional, .confirm, .reportStuck,
                    .reportReleased:
                    Issue.record("\(command) is no noise")
                }
            }
        }
        for time in [0, 100, 200, 300, 400, 500, 600, 30_000, 60_000] {
            let now = Instant.zero + .milliseconds(time)
            while let due = decoder.deadline, due <= now { observe(.timePassed(due)) }
            guard time < 60_000 else { break }
            observe(.changed(isActive: true, .locked, at: now))
            observe(.changed(isActive: false, .locked, at: now + .milliseconds(1)))
        }
        #expect(registers.noisePulses[.first] == 8)
        #expect(registers.noisePulses.total == 8)
        #expect(registers.faults[.noiseBurst(.first)] == 1)
    }

    @Test func `a fare is used when its passage is over, and not before`() {
        var registers = Self.registers(
            .coinAccepted(Coin(.first, pulses: 6, value: 300)), .creditUsed(value: 250),
            .released(.entry, by: .credit(fare: 250)), .passageStarted(.entry))
        #expect(registers.fareInUse == 250)
        #expect(registers.faresUsed == 0)
        #expect(registers.creditHeld == 50)
        // Somebody else's passage is none of its business.
        registers.count(.passageCompleted(.exit, .unauthorised))
        #expect(registers.fareInUse == 250)
        registers.count(.passageCompleted(.entry, .paid))
        #expect(registers.fareInUse == 0)
        #expect(registers.faresUsed == 250)
        #expect(registers.creditHeld == 50)
    }

    @Test func `a passage that was lost track of has used its fare`() {
        let registers = Self.registers(
            .coinAccepted(Coin(.first, pulses: 5, value: 250)), .creditUsed(value: 250),
            .passageLost(.entry, .paid))
        #expect(registers.faresUsed == 250)
        #expect(registers.passages[.init(.entry, .paid)] == 1)
    }

    @Test func `a fare that was not used is credit again, and may be forfeited`() {
        var registers = Self.registers(
            .coinAccepted(Coin(.first, pulses: 5, value: 250)), .creditUsed(value: 250),
            .waitTimedOut(.entry), .creditReturned(value: 250))
        #expect(registers.fareInUse == 0)
        #expect(registers.creditHeld == 250)
        registers.count(.creditForfeited(value: 100))
        registers.count(.creditExpired(value: 150))
        #expect(registers.creditHeld == 0)
        #expect(registers.forfeited == 100)
        #expect(registers.expired == 150)
        #expect(registers.faresUsed == 0)
    }

    @Test func `counts passages by direction and kind`() {
        var registers = RegisterValues()
        for direction in Direction.allCases {
            for kind in PassageKind.allCases { registers.count(.passageCompleted(direction, kind)) }
        }
        registers.count(.passageCompleted(.exit, .free))
        #expect(registers.passages[.init(.exit, .free)] == 2)
        #expect(registers.passages[.init(.entry, .free)] == 1)
        #expect(registers.passages.total == 11)
    }

    @Test func `counts starts, releases, alarms and faults`() {
        let registers = Self.registers(
            .started, .started, .released(.exit, by: .contact), .alarmRaised(.tailgating),
            .alarmCleared(.tailgating), .faultRaised(.coinJam), .faultCleared(.coinJam),
            .faultRaised(.coinJam))
        #expect(registers.starts == 2)
        #expect(registers.releases[.exit] == 1)
        #expect(registers.releases[.entry] == 0)
        #expect(registers.alarms[.tailgating] == 1)
        #expect(registers.faults[.coinJam] == 2)
    }

    @Test func `a replaced vault begins anew with the money that is held`() {
        var registers = Registers()
        for record: Record in [
            .started, .coinAccepted(Coin(.first, pulses: 6, value: 300)), .creditUsed(value: 250),
            .vaultRemoved, .vaultReplaced,
        ] {
            registers.count(record)
        }
        #expect(registers.sinceInit.valueIn == 300)
        #expect(registers.sinceCollection.valueIn == 0)
        #expect(registers.sinceCollection.starts == 0)
        #expect(registers.sinceCollection.fareInUse == 250)
        #expect(registers.sinceCollection.creditHeld == 50)
        registers.count(.passageCompleted(.entry, .paid))
        #expect(registers.sinceCollection.faresUsed == 250)
        #expect(registers.sinceCollection.creditHeld == 50)
    }
}

// Long walks.
extension RegistersTests {
    /// The same walks in every run, and some that are new in each.
    private static let seeds: [UInt64] =
        (1...24) + (0..<8).map { _ in .random(in: 1_000...(.max)) }

    @Test(arguments: seeds)
    func `the sums are right after every record, and no counter decreases`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var cashier = Cashier()
        var registers = Registers()
        for _ in 0..<200 {
            for record in cashier.next(&generator) {
                let before = registers
                registers.count(record)
                cashier.observe(record)
                if let complaint = cashier.complaint(about: registers, after: before) {
                    Issue.record("seed \(seed), after \(record): \(complaint)")
                    return
                }
            }
        }
        #expect(registers.sinceInit.valueIn > 0)
    }
}

/// Somebody who lets records happen that go together, and keeps the money apart in the plainest
/// way: what is held, what is in use, and how many have passed.
private struct Cashier {
    private var held = 0
    private var inUse = 0
    private var passages = 0
    private var collections = 0

    /// What happens next: at most a few records, in their order.
    func next(_ generator: inout SeededGenerator) -> [Record] {
        let pulses = Int.random(in: 1...40, using: &generator)
        let acceptor = Acceptor.allCases.randomElement(using: &generator)!
        let coin = Coin(acceptor, pulses: pulses, value: pulses * 50)
        let direction = Direction.allCases.randomElement(using: &generator)!
        let kind = [PassageKind.free, .service, .emergency, .unauthorised]
            .randomElement(using: &generator)!
        switch Int.random(in: 0..<13, using: &generator) {
        case 0: return [.coinAccepted(coin)]
        case 1: return [.coinLate(coin)]
        case 2: return [.coinInhibited(coin), .alarmRaised(.coinStringing)]
        case 3: return [.coinRejected(coin)]
        case 4: return [.coinAccepted(coin), .creditForfeited(value: coin.value)]
        case 5,
            6 where inUse == 0 && held >= 250:
            return [.creditUsed(value: 250), .released(.entry, by: .credit(fare: 250))]
        case 7 where inUse > 0: return [.passageCompleted(.entry, .paid)]
        case 8 where inUse > 0: return [.passageLost(.entry, .paid)]
        case 9 where inUse > 0: return [.waitTimedOut(.entry), .creditReturned(value: inUse)]
        case 10 where held > 0: return [.creditExpired(value: held)]
        case 11 where pulses == 1: return [.vaultRemoved, .vaultReplaced]
        case _: return [.passageCompleted(direction, kind)]
        }
    }

    mutating func observe(_ record: Record) {
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin): held += coin.value
        case .creditForfeited(let value), .creditExpired(let value): held -= value
        case .creditUsed(let value): (held, inUse) = (held - value, inUse + value)
        case .creditReturned(let value): (held, inUse) = (held + value, inUse - value)
        case .passageCompleted(_, let kind), .passageLost(_, let kind):
            passages += 1
            if kind == .paid { inUse = 0 }
        case .vaultReplaced: collections += 1
        case _: break
        }
    }

    /// What is wrong with the books, or nil.
    func complaint(about registers: Registers, after before: Registers) -> String? {
        for registers in [registers.sinceInit, registers.sinceCollection] {
            if registers.creditHeld != held { return "held: \(registers.creditHeld), not \(held)" }
            if registers.fareInUse != inUse {
                return "in use: \(registers.fareInUse), not \(inUse)"
            }
        }
        let all = registers.sinceInit
        let sum = all.faresUsed + Int64(inUse) + Int64(held) + all.expired + all.forfeited
        if all.valueIn != sum + all.refunded { return "value in: \(all.valueIn)" }
        if all.passages.total != passages { return "passages: \(all.passages.total)" }
        if collections == 0 && registers.sinceCollection != all {
            return "nothing was collected yet"
        }
        for (now, then) in zip(all.counters, before.sinceInit.counters) where now < then {
            return "a counter went from \(then) to \(now)"
        }
        return nil
    }
}

extension RegisterValues {
    /// All counters.
    fileprivate var counters: [Int64] {
        [
            starts, accepted.total, accepted.value, late.total, late.value, inhibited.total,
            rejected.total, unknownTrains.total, noisePulses.total, faresUsed, expired, forfeited,
            refunded, valueIn, passages.total, releases.total, alarms.total, faults.total,
        ]
    }
}
