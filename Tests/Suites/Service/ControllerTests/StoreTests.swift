import Controller
import Hardware
import Journal
import Keeping
import SimulatedHardware
import StateMachines
import TestSupport
import Testing
import Turnstile

/// A gate with a ledger: what people have paid is durable before it lets anybody in.
@Suite struct StoreTests {
    /// A gate whose ledger takes so long for a transaction.
    private func gate(_ latency: Duration) throws -> SimulatedGate {
        try SimulatedGate(bounces: false, store: { VirtualRecordStore($0) { latency } })
    }

    /// How long after a coin for a fare the way in is released.
    private func delay(of gate: SimulatedGate) throws -> Duration {
        let inserted = gate.loop.now
        gate.insertCoin(250)
        return try #require(gate.releases.first) - inserted
    }

    @Test(arguments: [0, 30, 45]) func `nobody waits for a quick ledger`(milliseconds: Int) throws {
        let without = try delay(of: try SimulatedGate(bounces: false))
        #expect(try delay(of: gate(.milliseconds(milliseconds))) == without)
    }

    @Test(arguments: [60, 500]) func `the release waits for a slow ledger`(milliseconds: Int) throws
    {
        // A quarter of the silence that ends a coin, 200 ms, is the ledger's.
        let without = try delay(of: try SimulatedGate(bounces: false))
        let late = Duration.milliseconds(milliseconds - 50)
        #expect(try delay(of: gate(.milliseconds(milliseconds))) == without + late)
    }

    @Test func `what the machine records is stored in order, and all of it`() throws {
        let gate = try gate(.milliseconds(300))
        gate.insertCoin(250)
        gate.walkIn()
        gate.insertCoin(100)
        gate.wait(.seconds(5))
        let store = try #require(gate.store)
        #expect(store.durable == gate.recorded)
        #expect(store.durable.contains(.passageCompleted(.entry, .paid)))
        #expect(store.registers == gate.controller.registers)
        #expect(store.balances.credit == 100)
    }

    @Test func `a ledger that cannot be written refuses coins until it can`() throws {
        let gate = try gate(.milliseconds(10))
        let store = try #require(gate.store)
        gate.insertCoin(100)
        _ = gate.events()
        store.isBroken = true
        gate.insertCoin(150)
        #expect(
            gate.events() == ["store_failed", "fault_storage_failed", "coin_late"])
        #expect(gate.status.credit == 250)
        #expect(gate.releases == [])
        #expect(!gate.world.energised[.coinEnable])
        gate.insertCoin(50)
        #expect(gate.world.valueReturned == 50)

        store.isBroken = false
        gate.wait(.seconds(2))
        #expect(gate.events() == ["fault_cleared", "credit_used", "released"])
        #expect(gate.world.energised[.coinEnable])
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 1)
    }

    @Test func `a ledger that hangs refuses coins until it answers`() throws {
        let gate = try gate(.seconds(20))
        gate.insertCoin(250)
        #expect(gate.events() == ["started", "coin_accepted"])
        gate.wait(.seconds(2))
        #expect(gate.events() == ["store_failed", "fault_storage_failed"])
        #expect(!gate.world.energised[.coinEnable])
        gate.wait(.seconds(40))
        #expect(gate.events().prefix(3) == ["fault_cleared", "credit_used", "released"])
    }

    @Test func `until the ledger is open coins are refused, and all that needs none works`() throws
    {
        let gate = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, opening: .seconds(60)) })
        gate.insertCoin(250)
        #expect(gate.world.valueReturned == 250)
        gate.wait(.seconds(1))
        #expect(gate.events() == ["started", "store_failed", "fault_storage_failed"])
        gate.perform(.contactPressed(.releaseEntry))
        gate.wait(.seconds(1))
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 1)
        gate.wait(.seconds(60))
        #expect(gate.events().contains("fault_cleared"))
        gate.insertCoin(250)
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 2)
        #expect(gate.controller.registers.sinceInit.valueIn == 250)
    }

    @Test func `a ledger that hangs once it is open refuses coins`() throws {
        // A coin that fell before the start is to be stored, which a ledger that opens still owes.
        let start = VirtualEventLoop().now
        let gate = try TestGate(
            inputs: [.coinPulse], ledger: .awaited,
            store: { VirtualRecordStore($0, opening: .seconds(1)) { .seconds(60) } },
            prepare: {
                $0.arrivals = [
                    .edge(.coinPulse, isActive: true, at: start - .seconds(1)),
                    .edge(.coinPulse, isActive: false, at: start - .milliseconds(950)),
                ]
            })
        gate.loop.advance(by: .seconds(2))
        #expect(!gate.events().contains("store_failed"))
        #expect(gate.status.credit == 50)
        gate.loop.advance(by: .seconds(4))
        #expect(gate.events() == ["store_failed", "fault_storage_failed"])
    }

    @Test func `a ledger that fails in the same way once more is told of once more`() throws {
        for answer in [StoreAnswer.durable, .opened(Balances(), Registers())] {
            let store = ScriptedStore()
            let gate = try TestGate(
                outputs: [
                    .lockEntry: .wired(powerLoss: .failSecure), .coinEnable: .wired(),
                ], inputs: [.coinPulse], ledger: .awaited, store: { _ in store })
            if answer == .durable { store.say(.opened(Balances(), Registers()), to: gate) }
            for _ in 1...2 {
                _ = gate.events()
                store.say(.failed("no room"), to: gate)
                #expect(gate.events() == ["store_failed", "fault_storage_failed"])
                #expect(gate.bank.energised == [])
                // It is opened once.
                store.say(answer, to: gate)
                #expect(gate.bank.energised == [.coinEnable])
                guard answer == .durable else { break }
            }
            store.say(.failed("no room"), to: gate)
            #expect(gate.bank.energised == [])
        }
    }

    @Test func `what was signed of the last collection is known from the start on`() throws {
        let store = ScriptedStore()
        let gate = try TestGate(
            outputs: [.lockEntry: .wired(powerLoss: .failSecure)], inputs: [.coinPulse],
            ledger: .awaited, store: { _ in store })
        var told: [String] = []
        gate.controller.onLedgerChange = { [unowned gate] in
            told.append(gate.controller.collectionCheckpoint)
        }
        store.say(.opened(Balances(), Registers()), to: gate)
        store.say(.collected(note: "of the last start"), to: gate)
        for occasion in [CheckpointOccasion.day(20_261_122), .counted(7), .interval] {
            store.say(
                .noted(.checkpoint(number: 8, occasion: occasion, note: "\(occasion)")), to: gate)
        }
        #expect(told == ["of the last start", "count of collection 7"])
    }

    @Test func `whoever asked for what the ledger has lost is told`() throws {
        let store = ScriptedStore()
        let gate = try TestGate(
            outputs: [.lockEntry: .wired(powerLoss: .failSecure)], inputs: [.coinPulse],
            ledger: .awaited, store: { _ in store })
        var lost: [UInt64] = []
        gate.controller.onUnconfirmed = { lost.append($0) }
        gate.controller.onConfirmed = { Issue.record("\($0) is not durable") }
        store.say(.unconfirmed(3), to: gate)
        #expect(lost == [3])
    }

    @Test func `a ledger that opens at once is no fault`() throws {
        let gate = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, opening: .milliseconds(500)) })
        gate.wait(.seconds(10))
        #expect(gate.events() == ["started"])
    }

    @Test func `a contact lets people in whatever becomes of the ledger`() throws {
        let gate = try gate(.milliseconds(10))
        gate.store?.isBroken = true
        gate.insertCoin(100)
        gate.perform(.contactPressed(.releaseEntry))
        gate.wait(.seconds(1))
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 1)
    }

    @Test(arguments: [false, true]) func `what was paid outlives a crash, and pays for one passage`(
        isReleased: Bool
    ) throws {
        let gate = try gate(.milliseconds(10))
        gate.insertCoin(isReleased ? 300 : 200)
        gate.store?.crash()
        let next = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, after: gate.store!) })
        #expect(next.status.state == .locked)
        #expect(next.status.credit == (isReleased ? 300 : 200))
        #expect(next.events().contains("credit_recovered"))
        next.insertCoin(50)
        #expect(next.releases.count == 1)
        next.walkIn()
        #expect(next.world.passages(.entry) == 1)
        #expect(next.status.credit == (isReleased ? 100 : 0))
        #expect(next.controller.registers.sinceInit.valueIn == (isReleased ? 350 : 250))
        #expect(next.controller.registers.sinceInit.starts == 2)
    }

    @Test func `a passage that had begun before a crash is paid for`() throws {
        let gate = try gate(.milliseconds(10))
        gate.insertCoin(250)
        gate.perform(.armPushed(.entry))
        gate.wait(.milliseconds(300))
        gate.store?.crash()
        let next = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, after: gate.store!) })
        #expect(next.status.credit == 0)
        #expect(next.controller.registers.sinceInit.faresUsed == 250)
    }

    @Test func `a ledger that is opened later refuses coins until then, and tells what it held`()
        throws
    {
        let gate = try gate(.milliseconds(10))
        gate.insertCoin(100)
        gate.store?.crash()
        let next = try SimulatedGate(
            bounces: false,
            store: {
                let store = VirtualRecordStore($0, after: gate.store!, opening: .seconds(10))
                store.isBroken = true
                return store
            })
        next.perform(.contactPressed(.releaseEntry))
        next.walkIn()
        #expect(next.world.passages(.entry) == 1)
        next.insertCoin(100)
        next.wait(.seconds(10))
        #expect(next.status.credit == 0)
        #expect(next.journal.take().contains { $0[.event] == "store_failed" })
        next.store?.isBroken = false
        next.wait(.seconds(2))
        #expect(next.status.credit == 100)
        let registers = next.controller.registers.sinceInit
        #expect(registers.passagesMade == 1 && registers.starts == 2)
        #expect(next.controller.registers.check() == [])
        #expect(next.store?.registers == next.controller.registers)
        next.insertCoin(150)
        #expect(next.releases.count == 2)
    }

    @Test func `what happens to another coin meanwhile does not take the place of one in doubt`()
        throws
    {
        let gate = try gate(.milliseconds(10))
        gate.perform(.coinInserted(value: 50, into: .first))
        let before = try #require(gate.store)
        for _ in 0..<2_000 where before.balances.counted[.first] == nil {
            gate.wait(.milliseconds(1))
        }
        #expect(before.balances.counted[.first]?.value == 50)
        before.crash()
        let next = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, after: before, opening: .seconds(10)) })
        next.wait(.seconds(5))
        next.perform(.coinFished(pulses: 4, in: .first))
        next.wait(.seconds(2))
        #expect(next.journal.take().contains { $0[.event] == "coin_inhibited" })
        let store = try #require(next.store)
        // The power may fail between any two things that the store does.
        for _ in 0..<4_000 {
            next.wait(.milliseconds(1))
            #expect(store.balances.counted[.first]?.value ?? store.balances.credit == 50)
        }
        #expect(store.balances.credit == 50)
    }

    @Test func `a crash takes the records that were on their way, and no more`() throws {
        let gate = try gate(.milliseconds(100))
        gate.insertCoin(100)
        let stored = try #require(gate.store).durable
        gate.perform(.contactPressed(.releaseEntry))
        gate.wait(.milliseconds(150))
        #expect(gate.recorded.count > stored.count)
        gate.store?.crash()
        gate.wait(.seconds(2))
        #expect(gate.store?.durable == stored)
        #expect(gate.store?.balances.credit == 100)
    }

    @Test func `an answer that waited is none to what was asked since`() throws {
        // While the loop is held up the ledger fails and recovers, and a coin comes and is over.
        let gate = try SimulatedGate(
            bounces: false, edit: { $0.price = 50 }, store: { VirtualRecordStore($0) })
        let store = try #require(gate.store)
        let start = gate.loop.now
        store.latency = {
            gate.loop.now < start + .milliseconds(1_015) ? .milliseconds(10) : .seconds(5)
        }
        store.isBroken = true
        gate.controller.change(
            policy: gate.controller.turnstile.gate.policy, registerSnapshot: .seconds(4 * 3_600))
        gate.loop.after(.milliseconds(500)) { store.isBroken = false }
        gate.perform(.coinInserted(value: 50))
        gate.holdUp(.milliseconds(1_200))
        gate.wait(.seconds(1))
        #expect(gate.recorded.contains(.faultRaised(.storageFailed)))
        #expect(gate.status.credit == 50)
        #expect(gate.releases == [])
        gate.wait(.seconds(6))
        #expect(gate.releases.count == 1)
    }

    @Test func `whoever asks is told when it is durable, and the gate is not disturbed`() throws {
        let gate = try gate(.milliseconds(500))
        var told: [UInt64] = []
        gate.controller.onConfirmed = { told.append($0) }
        let number = try #require(gate.controller.confirm())
        #expect(told == [])
        gate.insertCoin(250)
        gate.wait(.seconds(3))
        #expect(told == [number])
        #expect(gate.releases.count == 1)
        #expect(gate.controller.nextSequence == Int64(gate.recorded.count) + 1)
    }

    @Test func `without a ledger there is nothing to wait for`() throws {
        let gate = try SimulatedGate(bounces: false)
        #expect(gate.controller.confirm() == nil)
        #expect(gate.controller.nextSequence == nil)
    }

    @Test func `only a trace tells of a coin before it is one`() throws {
        for traces in [false, true] {
            let gate = try SimulatedGate(traces: traces, store: { VirtualRecordStore($0) })
            gate.insertCoin(100)
            #expect(gate.events().contains("coin_counted") == traces)
        }
    }
}

/// A ledger that says what the test says.
private final class ScriptedStore: RecordStore {
    let descriptor: CInt = 1_001
    private var answers: [StoreAnswer] = []

    func write(_ records: [Record], at time: Instant, confirms: Bool) {}

    func confirm(_ number: UInt64) {}

    func sign() {}

    func takeOver() {}

    func takeAnswers() -> [StoreAnswer] {
        defer { answers = [] }
        return answers
    }

    func say(_ answer: StoreAnswer, to gate: TestGate) {
        answers.append(answer)
        gate.loop.makeReadable(descriptor)
        gate.loop.dispatchAll()
    }
}
