import Testing
import Turnstile

/// What a gate holds for people, by its records.
@Suite struct HoldingsTests {
    private static let coin = Coin(.second, pulses: 4, value: 200)

    private static func holdings(_ records: Record...) -> Holdings {
        records.reduce(into: Holdings()) { $0.count($1) }
    }

    @Test func `a coin that was counted is held until it is known what becomes of it`() {
        let counted = Self.holdings(.coinCounted(Self.coin))
        #expect(counted.counted[.second] == Self.coin)
        #expect(counted.credit == 0)
        let longer = Coin(.second, pulses: 5, value: 250)
        #expect(
            Self.holdings(.coinCounted(Self.coin), .coinCounted(longer)).counted[.second] == longer)
        for record: Record in [
            .coinAccepted(Self.coin), .coinLate(Self.coin), .coinRejected(Self.coin),
            .coinInhibited(Self.coin), .coinUnknown(.second, pulses: 9),
        ] {
            let ended = Self.holdings(.coinCounted(Self.coin), record)
            #expect(ended.counted[.second] == nil, "\(record)")
        }
        #expect(
            Self.holdings(.coinCounted(Self.coin), .coinUnknown(.first, pulses: 9))
                .counted[.second] == Self.coin)
    }

    @Test func `credit is what was put in and not used`() {
        var holdings = Self.holdings(.coinAccepted(Self.coin), .coinLate(Self.coin))
        #expect(holdings.credit == 400)
        holdings.count(.creditForfeited(value: 100))
        holdings.count(.creditExpired(value: 50))
        #expect(holdings.credit == 250)
        holdings.count(.creditRecovered(value: 250))
        #expect(holdings.credit == 250)
    }

    @Test func `a fare is in use until its passage is over, and begun when somebody sets out`() {
        var holdings = Self.holdings(.coinAccepted(Self.coin), .creditUsed(value: 150))
        #expect((holdings.credit, holdings.fareInUse) == (50, 150))
        #expect(!holdings.isFareBegun)
        holdings.count(.passageStarted(.entry))
        #expect(holdings.isFareBegun)
        var backOut = holdings
        backOut.count(.passageBackedOut(.entry))
        #expect(backOut.fareInUse == 150 && !backOut.isFareBegun)
        for record: Record in [.passageCompleted(.entry, .paid), .passageLost(.entry, .paid)] {
            var over = holdings
            over.count(record)
            #expect(over.fareInUse == 0 && !over.isFareBegun && over.credit == 50)
        }
        holdings.count(.creditReturned(value: 150))
        #expect((holdings.credit, holdings.fareInUse) == (200, 0))
        #expect(!holdings.isFareBegun)
    }

    @Test func `a passage that nobody paid for is none of its business`() {
        #expect(Self.holdings(.passageStarted(.exit)) == Holdings())
        let paid = Self.holdings(
            .coinAccepted(Self.coin), .creditUsed(value: 200), .passageCompleted(.exit, .free),
            .passageCompleted(.exit, .unauthorised), .passageLost(.exit, .free))
        #expect(paid.fareInUse == 200)
    }
}
