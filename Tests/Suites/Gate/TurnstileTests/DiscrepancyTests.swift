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

    private static var registers: Registers { story.reduce(into: Registers()) { $0.count($1) } }
    private static var balances: Balances { story.reduce(into: Balances()) { $0.count($1) } }

    /// Books in which one register shows something else.
    private static func registers(
        _ register: Register, by change: Int64, sinceCollection: Bool = true
    ) -> Registers {
        var values = registers.values
        values[register, default: .init(sinceInit: 0, sinceCollection: 0)].sinceInit += change
        if sinceCollection { values[register]!.sinceCollection += change }
        return Registers(values)
    }

    @Test func `books that were counted agree`() {
        #expect(Registers().check() == [])
        #expect(Self.registers.check() == [])
        #expect(Self.balances.check(against: Self.registers) == [])
        var registers = Registers()
        for record in Self.story {
            registers.count(record)
            #expect(registers.check() == [], "\(record)")
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
        #expect(Self.registers(register, by: change) != Self.registers)
        #expect(Self.registers(register, by: change).check() != [])
    }

    @Test func `both sums are named`() {
        let found = Self.registers(.passagesMade, by: 3, sinceCollection: false).check()
        #expect(
            found.map(\.description) == [
                "passages since the gate was new: 5, but passages of all kinds: 2"
            ])
    }

    @Test func `no more happened since the collection than since the gate was new`() {
        var values = Self.registers.values
        values[.starts]!.sinceCollection = 2
        #expect(
            Registers(values).check()
                == [
                    .unequal(
                        "starts since the gate was new", 1, "since the collection", 2)
                ])
    }

    @Test func `what is held is what the registers say`() {
        var balances = Self.balances
        balances.credit += 1
        #expect(
            balances.check(against: Self.registers)
                == [.unequal("credit held for people", 151, "credit_held", 150)])
        balances = Self.balances
        balances.fareInUse = 0
        #expect(balances.check(against: Self.registers).count == 2)
        balances = Self.balances
        balances.counted[.first]?.value = 2_000_000_000
        #expect(balances.check(against: Self.registers).count == 2)
        balances.counted[.first] = Coin(.first, pulses: 0, value: -1)
        #expect(balances.check(against: Self.registers).count == 2)
    }

    @Test(
        arguments: Self.registers.values.keys.sorted { "\($0)" < "\($1)" },
        [
            Int64.max, .min, -1, (1 << 53) + 1,
        ])
    func `no reading stops the service`(register: Register, number: Int64) {
        var values = Self.registers.values
        values[register] = .init(sinceInit: number, sinceCollection: number)
        var registers = Registers(values)
        #expect(registers.check() != [])
        for record in Self.story { registers.count(record) }
        var balances = Balances()
        balances.credit = Int(clamping: number)
        balances.fareInUse = Int(clamping: number)
        for record in Self.story { balances.count(record) }
        #expect(registers.check() + balances.check(against: registers) != [])
    }

    @Test func `a coin that is worth more than there is money stops nothing`() {
        var registers = Registers([
            .coins(.accepted, Coin(.first, pulses: 1, value: .max)):
                .init(sinceInit: .max, sinceCollection: .max)
        ])
        registers.count(.coinAccepted(Coin(.first, pulses: 1, value: .max)))
        #expect(registers.check().contains { "\($0)".hasPrefix("the value of ") })
    }

    @Test func `registers that were not counted begin with what is left of the others`() {
        var values = Self.registers.values
        values[.creditHeld] = nil
        values[.passagesMade] = nil
        var registers = Registers(values)
        #expect(registers.check() != [])
        registers.beginMissingRegisters()
        #expect(registers == Self.registers)
    }

    @Test func `sums stop at the end of what fits`() {
        #expect(Int8.max.plus(1) == .max && Int8.min.plus(-1) == .min && Int8(5).plus(-7) == -2)
        #expect(Int8.min.minus(1) == .min && Int8.max.minus(-1) == .max && Int8(5).minus(7) == -2)
        #expect(Int8(100).times(2) == .max && Int8(-100).times(2) == .min)
        #expect(Int8(-100).times(-2) == .max && Int8(-6).times(7) == -42)
    }
}
