import Testing
import Turnstile

/// What a gate holds for people, by its records.
@Suite struct BalancesTests {
    private static let coin = Coin(.second, pulses: 4, value: 200)

    private static func balances(_ records: Record...) -> Balances {
        records.reduce(into: Balances()) { $0.count($1) }
    }

    @Test func `a coin that was counted is held until it is known what becomes of it`() {
        let counted = Self.balances(.coinCounted(Self.coin))
        #expect(counted.counted[.second] == Self.coin)
        #expect(counted.credit == 0)
        let longer = Coin(.second, pulses: 5, value: 250)
        #expect(
            Self.balances(.coinCounted(Self.coin), .coinCounted(longer)).counted[.second] == longer)
        for record: Record in [
            .coinAccepted(Self.coin), .coinLate(Self.coin), .coinRejected(Self.coin),
            .coinInhibited(Self.coin), .coinUnknown(.second, pulses: 9),
        ] {
            let ended = Self.balances(.coinCounted(Self.coin), record)
            #expect(ended.counted[.second] == nil, "\(record)")
        }
        #expect(
            Self.balances(.coinCounted(Self.coin), .coinUnknown(.first, pulses: 9))
                .counted[.second] == Self.coin)
    }

    @Test func `credit is what was put in and not used`() {
        var balances = Self.balances(.coinAccepted(Self.coin), .coinLate(Self.coin))
        #expect(balances.credit == 400)
        balances.count(.creditForfeited(value: 100))
        balances.count(.creditExpired(value: 50))
        #expect(balances.credit == 250)
        balances.count(.creditRecovered(value: 250))
        #expect(balances.credit == 250)
    }

    @Test func `a fare is in use until its passage is over, and begun when somebody sets out`() {
        var balances = Self.balances(.coinAccepted(Self.coin), .creditUsed(value: 150))
        #expect((balances.credit, balances.fareInUse) == (50, 150))
        #expect(!balances.isFareBegun)
        balances.count(.passageStarted(.entry))
        #expect(balances.isFareBegun)
        var backOut = balances
        backOut.count(.passageBackedOut(.entry))
        #expect(backOut.fareInUse == 150 && !backOut.isFareBegun)
        for record: Record in [.passageCompleted(.entry, .paid), .passageLost(.entry, .paid)] {
            var over = balances
            over.count(record)
            #expect(over.fareInUse == 0 && !over.isFareBegun && over.credit == 50)
        }
        balances.count(.creditReturned(value: 150))
        #expect((balances.credit, balances.fareInUse) == (200, 0))
        #expect(!balances.isFareBegun)
    }

    @Test func `a passage that nobody paid for is none of its business`() {
        #expect(Self.balances(.passageStarted(.exit)) == Balances())
        let paid = Self.balances(
            .coinAccepted(Self.coin), .creditUsed(value: 200), .passageCompleted(.exit, .free),
            .passageCompleted(.exit, .unauthorised), .passageLost(.exit, .free))
        #expect(paid.fareInUse == 200)
    }
}
