import Hardware
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// What a simulated bank does beyond the contract of every bank.
@Suite struct SimulatedBankTests {
    private let bank: SimulatedBank

    init() throws {
        var physics = Physics(lock: .failSecure, coinUnit: 50)
        physics.bounce = .zero
        let wiring = Wiring(
            chip: .label("simulation"),
            inputs: [.coinPulse: InputLine(line: .offset(0)), .fire: InputLine(line: .offset(1))],
            outputs: [.lockEntry: OutputLine(line: .offset(2), maximumOnTime: nil)])
        bank = try SimulatedBank(World(physics, seed: 1), wiring: wiring)
    }

    private func take() throws -> [LineEvent] {
        var events: [LineEvent] = []
        try bank.takeEvents { events.append($0) }
        return events
    }

    @Test func `wakes nobody while nothing happens`() throws {
        #expect(bank.nextWakeUp == nil)
        bank.advance(to: .milliseconds(1_000))
        #expect(try take() == [])
        #expect(bank.nextWakeUp == nil)
    }

    @Test func `wakes when the world moves, and at once while events wait`() throws {
        bank.perform(.contactPressed(.fire, for: .milliseconds(300)))
        #expect(bank.nextWakeUp == .zero)
        #expect(try take() == [.edge(.fire, isActive: true, at: .zero)])
        #expect(bank.nextWakeUp == .milliseconds(300))
        bank.advance(to: .milliseconds(300))
        #expect(try take() == [.edge(.fire, isActive: false, at: .milliseconds(300))])
        #expect(bank.nextWakeUp == nil)
    }

    @Test func `a driven output moves the world`() throws {
        try bank.set(.lockEntry, energised: true)
        bank.advance(to: .milliseconds(100))
        #expect(!bank.world.boltIsOut)
        try bank.close()
        bank.advance(to: .milliseconds(200))
        #expect(bank.world.boltIsOut)
    }

    @Test func `an input that is not wired says nothing`() throws {
        bank.perform(.contactMoved(.externalFault, isActive: true))
        #expect(try take() == [])
        #expect(try bank.isActive(.externalFault) == false)
    }

    @Test func `a queue that is full drops the oldest events and reports them first`() throws {
        for number in 0..<(bank.capacity + 5) {
            bank.perform(.contactMoved(.fire, isActive: number.isMultiple(of: 2)))
        }
        let events = try take()
        #expect(events.count == bank.capacity + 1)
        #expect(events.first == .lost(count: 5, at: .zero))
        #expect(events.last == .edge(.fire, isActive: true, at: .zero))
    }

    @Test func `a line that cannot be read says which`() throws {
        bank.perform(.defectAppeared(.unreadable(.fire)))
        let error = #expect(throws: HardwareError.self) { try bank.isActive(.fire) }
        #expect(error?.line == .input(.fire))
        #expect(error?.kind == .failed)
        #expect(
            error?.description
                == "simulation: line fire cannot be read: it was broken on purpose")
        bank.perform(.everythingRepaired)
        #expect(try bank.isActive(.fire) == false)
    }

    @Test func `a line that cannot be driven says which and stays as it is, even at the end`()
        throws
    {
        try bank.set(.lockEntry, energised: true)
        bank.perform(.defectAppeared(.undrivable(.lockEntry)))
        let error = #expect(throws: HardwareError.self) {
            try bank.set(.lockEntry, energised: false)
        }
        #expect(error?.line == .output(.lockEntry))
        #expect(try bank.isEnergised(.lockEntry))
        #expect(throws: HardwareError.self) { try bank.close() }
        #expect(bank.descriptors == [])
        #expect(bank.world.energised == OutputSet(.lockEntry))
    }

    @Test func `an output that does not follow reads as it is`() throws {
        bank.perform(.defectAppeared(.stuckOutput(.lockEntry)))
        try bank.set(.lockEntry, energised: true)
        #expect(try bank.isEnergised(.lockEntry) == false)
    }
}
