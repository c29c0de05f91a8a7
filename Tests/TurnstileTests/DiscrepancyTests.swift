import Testing

@testable import Turnstile

/// Books that cannot be are found out, and no number in them stops the service.
@Suite struct DiscrepancyTests {
    /// All that moves money, and passages of two kinds.
    private static let story: [Record] = [
        .started, .coinAccepted(Coin(.first, pulses: 6, value: 300)), .creditUsed(value: 250),
        .passageStarted(.entry), .passageCompleted(.entry, .paid),
        .coinLate(Coin(.second, pulses: 1, value: 500)),
        .coinRejected(Coin(.third, pulses: 2, value: 100)), .vaultReplaced,
        .creditExpired(value: 100), .creditForfeited(value: 50), .creditUsed(value: 250),
        .creditReturned(value: 250), .creditUsed(value: 250), .passageStarted(.entry),
        .passageCompleted(.exit, .free), .coinCounted(Coin(.first, pulses: 1, value: 50)),
    ]

    private static var books: Books { story.reduce(into: Books()) { $0.count($1) } }
    private static var holdings: Holdings { story.reduce(into: Holdings()) { $0.count($1) } }

    /// Books in which one register shows something else.
    private static func books(
        _ register: Register, by change: Int64, sinceCollection: Bool = true
    ) -> Books {
        var readings = books.readings
        readings[register, default: .init(sinceInit: 0, sinceCollection: 0)].sinceInit += change
        if sinceCollection { readings[register]!.sinceCollection += change }
        return Books(readings)
    }

    @Test func `books that were counted agree`() {
        #expect(Books().check() == [])
        #expect(Self.books.check() == [])
        #expect(Self.holdings.check(against: Self.books) == [])
        var books = Books()
        for record in Self.story {
            books.count(record)
            #expect(books.check() == [], "\(record)")
        }
    }

    @Test(
        arguments: [
            Register.faresUsed, .fareInUse, .expired, .forfeited, .creditHeld, .creditAtBeginning,
            .coins(.accepted, Coin(.first, pulses: 6, value: 300)),
            .coins(.late, Coin(.first, pulses: 9, value: 450)), .passagesMade,
            .passages(.init(.exit, .free)), .passages(.init(.entry, .emergency)),
        ], [1, -1])
    func `a register of a sum that is off by one is found out`(register: Register, change: Int64) {
        #expect(Self.books(register, by: change) != Self.books)
        #expect(Self.books(register, by: change).check() != [])
    }

    @Test func `both sums are named`() {
        let found = Self.books(.passagesMade, by: 3, sinceCollection: false).check()
        #expect(
            found.map(\.description) == [
                "passages since the gate was new: 5, but passages of all kinds: 2"
            ])
    }

    @Test func `no more happened since the collection than since the gate was new`() {
        var readings = Self.books.readings
        readings[.starts]!.sinceCollection = 2
        #expect(
            Books(readings).check()
                == [
                    .unequal(
                        "starts since the gate was new", 1, "since the collection", 2)
                ])
    }

    @Test func `what is held is what the registers say`() {
        var holdings = Self.holdings
        holdings.credit += 1
        #expect(
            holdings.check(against: Self.books)
                == [.unequal("credit held for people", 151, "credit_held", 150)])
        holdings = Self.holdings
        holdings.fareInUse = 0
        #expect(holdings.check(against: Self.books).count == 2)
        holdings = Self.holdings
        holdings.counted[.first]?.value = 2_000_000_000
        #expect(holdings.check(against: Self.books).count == 2)
        holdings.counted[.first] = Coin(.first, pulses: 0, value: -1)
        #expect(holdings.check(against: Self.books).count == 2)
    }

    @Test(
        arguments: Self.books.readings.keys.sorted { "\($0)" < "\($1)" },
        [
            Int64.max, .min, -1, (1 << 53) + 1,
        ])
    func `no reading stops the service`(register: Register, number: Int64) {
        var readings = Self.books.readings
        readings[register] = .init(sinceInit: number, sinceCollection: number)
        var books = Books(readings)
        #expect(books.check() != [])
        for record in Self.story { books.count(record) }
        var holdings = Holdings()
        holdings.credit = Int(clamping: number)
        holdings.fareInUse = Int(clamping: number)
        for record in Self.story { holdings.count(record) }
        #expect(books.check() + holdings.check(against: books) != [])
    }

    @Test func `a coin that is worth more than there is money stops nothing`() {
        var books = Books([
            .coins(.accepted, Coin(.first, pulses: 1, value: .max)):
                .init(sinceInit: .max, sinceCollection: .max)
        ])
        books.count(.coinAccepted(Coin(.first, pulses: 1, value: .max)))
        #expect(books.check().contains { "\($0)".hasPrefix("the value of ") })
    }

    @Test func `registers that were not counted begin with what is left of the others`() {
        var readings = Self.books.readings
        readings[.creditHeld] = nil
        readings[.passagesMade] = nil
        var books = Books(readings)
        #expect(books.check() != [])
        books.beginMissingRegisters()
        #expect(books == Self.books)
    }

    @Test func `sums stop at the end of what fits`() {
        #expect(Int8.max.plus(1) == .max && Int8.min.plus(-1) == .min && Int8(5).plus(-7) == -2)
        #expect(Int8.min.minus(1) == .min && Int8.max.minus(-1) == .max && Int8(5).minus(7) == -2)
        #expect(Int8(100).times(2) == .max && Int8(-100).times(2) == .min)
        #expect(Int8(-100).times(-2) == .max && Int8(-6).times(7) == -42)
    }
}
