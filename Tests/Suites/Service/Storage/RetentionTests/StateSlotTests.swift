import Keeping
import StateMachines
import System
import Testing

@testable import Retention
@testable import Turnstile

extension RetainedState {
    /// A gate that awaits the reset, with somebody in it.
    static let awaitingReset: RetainedState = {
        var state = RetainedState()
        state.isEmergency = true
        state.passage = .init(.entry, .paid, fare: 250)
        return state
    }()

    /// All that can be retained at once.
    static let everything: RetainedState = {
        var state = awaitingReset
        state.faults = FaultSet.latching
        for alarm in Alarm.ordered { state.alarms[alarm] = true }
        state.isInServiceMode = true
        // As many wait as may, and operators let them pass.
        let waiting = Gate.Queue.Person(.entry, by: .max)
        state.queue.people = Array(repeating: waiting, count: Policy.mostStored)
        let longest = String(repeating: "x", count: Operator.longestName)
        guard let someone = Operator(number: .max, name: longest) else {
            preconditionFailure("it is a name")
        }
        let until = Instant(nanoseconds: .min)
        func term<Value>(_ value: Value) -> Term<Value> {
            Term(
                value, until: until, timeOfDay: TimeOfDay(minute: 1_439), isAwaited: true,
                by: .person(someone))
        }
        state.released = .init(Lane.Grant(.entry, by: .person(.max)), limit: until)
        state.payer = .init(
            fare: Policy.highestPrice, limit: until, surplus: Policy.highestPrice)
        state.terms.entry = term(.controlled)
        state.terms.exit = term(.controlled)
        state.terms.enforcement = term(.strong)
        state.serviceRequester = .person(someone)
        state.policySource = .person(someone)
        state.policyRequester = .person(someone)
        return state
    }()

    /// Coins that are being counted at every acceptor.
    static func counting(besides state: RetainedState) -> RetainedState {
        var state = state
        let until = Instant(nanoseconds: .min)
        var train = CoinDecoder.Train(reception: .unlocked)
        (train.counted, train.isProvisional, train.wasTold, train.isLost) = (
            255, false, false, false
        )
        state.coins = PerAcceptor(repeating: .pulse(since: until, train))
        return state
    }
}

extension StateSlot {
    /// The bytes of a slot with this text, and a checksum that is right.
    static func sealed(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: size - 9 - text.utf8.count)
        let digits = String(CRC32.checksum(of: bytes), radix: 16)
        return bytes + Array((String(repeating: "0", count: 8 - digits.count) + digits + "\n").utf8)
    }
}

@Suite struct StateSlotTests {
    private let slot = StateSlot(sequence: 7, bootID: "b007", state: .awaitingReset)

    private static func longest(_ state: RetainedState) -> StateSlot {
        StateSlot(
            sequence: .max, bootID: String(repeating: "f", count: 32), state: state,
            wallOffset: .nanoseconds(Int64.min), utcOffset: Int(Int32.min),
            written: Instant(nanoseconds: .min))
    }

    @Test(arguments: [
        RetainedState(), .awaitingReset, .everything.withoutQueue,
        .counting(besides: .awaitingReset),
    ])
    func `a slot is read as it was written`(state: RetainedState) throws {
        let slot = Self.longest(state)
        #expect(slot.bytes.count == StateSlot.size)
        #expect(try StateSlot(slot.bytes[...]) == slot)
    }

    @Test func `coins that find no room are left out, and all else is kept`() throws {
        let state = RetainedState.counting(besides: .everything)
        let slot = StateSlot(sequence: 7, bootID: "b007", state: state)
        #expect(slot.bytes.count == StateSlot.size)
        #expect(try StateSlot(slot.bytes[...]).state == .everything)
    }

    @Test func `the longest state is kept without the queue, in which nobody has paid`() throws {
        let slot = Self.longest(.counting(besides: .everything))
        #expect(try StateSlot(slot.bytes[...]) == Self.longest(.everything.withoutQueue))
    }

    @Test func `while somebody is awaited it says when that was so`() throws {
        var state = RetainedState()
        state.queue.entry = 1
        let slot = StateSlot(
            sequence: 1, bootID: "b007", state: state, written: .zero + .seconds(5))
        func absence(_ slot: StateSlot, at second: Int64) -> Duration? {
            slot.stateOfThisBoot(at: .zero + .seconds(second), wallOffset: .zero).absence
        }
        let text = String(decoding: slot.bytes.prefix { $0 != 0 }, as: UTF8.self)
        #expect(text.hasSuffix("boot b007\nwritten 5000000000\ncontacts_entry 1\n"))
        let read = try StateSlot(slot.bytes[...])
        #expect(read == slot)
        #expect(absence(read, at: 7) == .seconds(2))
        // Another clock, or none that anybody can count.
        #expect(absence(read, at: 0) == nil)
        let bytes = StateSlot.sealed(text.replacing("5000000000", with: "\(Int64.min)"))
        let early = try StateSlot(bytes[...])
        #expect(absence(early, at: 7) == nil)
        // An older service wrote no such line.
        let older = StateSlot.sealed(text.replacing("written 5000000000\n", with: ""))
        let oldest = try StateSlot(older[...])
        #expect(absence(oldest, at: 0) == nil)
    }

    @Test func `its text can be read by people`() {
        let text = String(decoding: slot.bytes.prefix { $0 != 0 }, as: UTF8.self)
        #expect(
            text == """
                turnstiled-state 1
                sequence 7
                boot b007
                emergency on
                passage entry paid 250

                """)
    }

    @Test func `of a time is left what was left, less what the clock says has passed`() throws {
        var state = RetainedState()
        state.terms.exit = Term(.free, until: .zero + .seconds(500), by: .schedule)
        let slot = StateSlot(
            sequence: 1, bootID: "b007", state: state, wallOffset: .seconds(1_000),
            utcOffset: -3_600, written: .zero + .seconds(300))
        let text = String(decoding: slot.bytes.prefix { $0 != 0 }, as: UTF8.self)
        #expect(text.contains("clock 1000000000000\nzone -3600\nwritten 300000000000\n"))
        #expect(
            text.hasSuffix("mode_exit value=free until_nsec=500000000000 requester=schedule\n"))
        let read = try StateSlot(slot.bytes[...])
        #expect(read == slot)
        let later = Instant.zero + .seconds(400)
        #expect(read.stateOfThisBoot(at: later, wallOffset: .zero).terms == state.terms)
        // 200 s were left. The other boot has lasted for 10 s, and a clock that shows 1,300 s is
        // where it was.
        func left(_ wallOffset: Int64) -> Duration? {
            let now = Instant.zero + .seconds(10)
            let found = read.stateOfAnotherBoot(at: now, wallOffset: .seconds(wallOffset))
            return found.terms.exit?.until.map { $0 - now }
        }
        #expect(left(1_290) == .seconds(200))
        #expect(left(1_410) == .seconds(80))
        #expect(left(1_800_000_000) ?? .zero < .zero)
        // A board without a clock begins in 1970.
        #expect(left(-10) == .seconds(200))
        // A version before wrote when it ends on the clock on the wall alone.
        let before = try StateSlot(
            StateSlot.sealed(text.replacing("written 300000000000\n", with: ""))[...])
        let moved = before.stateOfAnotherBoot(at: .zero, wallOffset: .seconds(900))
        #expect(moved.terms.exit?.until == .zero + .seconds(600))
        // An earlier one wrote no zone: nobody can tell whether it is another.
        let elsewhere = try StateSlot(
            StateSlot.sealed(text.replacing("zone -3600\n", with: ""))[...])
        let found = elsewhere.stateOfThisBoot(at: later, wallOffset: .seconds(1_000), utcOffset: 0)
        #expect(found.terms == state.terms)
        // Nobody can tell where the clock is missing.
        let bytes = StateSlot.sealed(text.replacing("clock 1000000000000\n", with: ""))
        #expect(throws: StateSlot.Flaw.damaged) { try StateSlot(bytes[...]) }
    }

    @Test(arguments: [Int64.min, .max, 0]) func `no clock is too far away`(offset: Int64) throws {
        for end in [Int64.min, .max, 0] {
            let bytes = StateSlot.sealed(
                """
                turnstiled-state 1
                sequence 18446744073709551615
                boot a
                clock \(offset)
                written \(end)
                mode_entry value=free until_nsec=\(end) requester=schedule time_of_day_minutes=0
                mode_exit value=free until_nsec=\(end) requester=schedule

                """)
            let slot = try StateSlot(bytes[...])
            for now in [Duration.zero, .seconds(1_790_000_000), .seconds(8_000_000_000)] {
                let state = slot.stateOfAnotherBoot(
                    at: Instant(nanoseconds: .max), wallOffset: now)
                #expect(state.terms.exit?.value == .free)
                let sameBoot = slot.stateOfThisBoot(at: .zero, wallOffset: now)
                #expect(sameBoot.terms.exit?.value == .free)
            }
        }
    }

    @Test func `whatever an operator is called, the slot is sound`() throws {
        let person = try #require(Operator(number: 1, name: "\u{301}anna"))
        var state = RetainedState()
        state.terms.exit = Term(.free, by: .person(person))
        let slot = StateSlot(sequence: 1, bootID: "b", state: state)
        #expect(try StateSlot(slot.bytes[...]) == slot)
    }

    @Test func `the checksum is the one that other programs compute`() {
        #expect(CRC32.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(
            String(decoding: slot.bytes.suffix(9), as: UTF8.self).wholeMatch(of: /[0-9a-f]{8}\n/)
                != nil)
    }

    @Test func `damage of any byte is found out`() {
        let sound = slot.bytes
        for position in sound.indices {
            for damage: UInt8 in [0x01, 0x20, 0xFF] {
                var bytes = sound
                bytes[position] ^= damage
                #expect(throws: StateSlot.Flaw.damaged) { try StateSlot(bytes[...]) }
            }
        }
    }

    @Test func `another version is named, and what means nothing is damage`() {
        func flaw(_ text: String) -> StateSlot.Flaw? {
            do throws(StateSlot.Flaw) {
                _ = try StateSlot(StateSlot.sealed(text)[...])
                return nil
            } catch {
                return error
            }
        }
        let head = "turnstiled-state 1\nsequence 1\nboot a\n"
        #expect(flaw(head) == nil)
        #expect(flaw("turnstiled-state 2\nanything\n\n") == .damaged)
        #expect(flaw("turnstiled-state 2\nsequence 1\nboot a\n") == .version("2"))
        #expect(flaw(head + "emergency over\n") == .damaged)
        #expect(flaw(head + "mood good\n") == .damaged)
        #expect(flaw("turnstiled-state 1\nsequence -1\nboot a\n") == .damaged)
        #expect(flaw("something else\n") == .damaged)
    }

    @Test func `after the last number comes the first`() {
        func slot(_ sequence: UInt64) -> StateSlot {
            StateSlot(sequence: sequence, bootID: "", state: RetainedState())
        }
        #expect(slot(8).isLater(than: slot(7)) && !slot(7).isLater(than: slot(8)))
        #expect(slot(0).isLater(than: slot(.max)) && !slot(.max).isLater(than: slot(0)))
        #expect(!slot(7).isLater(than: slot(7)))
    }
}
