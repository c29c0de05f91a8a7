import StateMachines
import Stories
import Testing
import Turnstile

/// A gate that starts where another has ended, however it ended.
@Suite struct RecoveryStoryTests {
    private static let loopOpen = InputLevels(.fire)
    private static let quarterTurned = InputLevels(.rotorA)

    private static func paid(_ fare: Int) -> RetainedState.Passage {
        RetainedState.Passage(.entry, .paid, fare: fare)
    }

    /// A gate that starts from what was retained.
    private static func gate(
        _ edit: (inout RetainedState) -> Void, policy: Policy = Story.policy(),
        equipment: Equipment = .oneWay, levels: InputLevels = [],
        ledger: LedgerConnection = .none
    ) -> Story {
        var state = RetainedState()
        edit(&state)
        return Story(
            policy, equipment: equipment, levels: levels, connection: ledger,
            recovery: .known(state))
    }

    // MARK: Emergencies

    @Test func `an emergency that was not reset goes on, and the key ends it`() {
        var story = Self.gate({ $0.isEmergency = true })
        #expect(
            story.commands == [
                .set(.lockEntry, isOn: true), .set(.alarm, isOn: false),
                .set(.coinEnable, isOn: false), .record(.started), .record(.emergencyRecovered),
            ])
        #expect(story.state == .awaitingReset)
        story.wait(.seconds(3600))
        #expect(story.isOn(.lockEntry))
        story.press(.emergencyResetKey)
        #expect(
            story.latest == [
                .set(.lockEntry, isOn: false), .set(.coinEnable, isOn: true),
                .record(.emergencyReset),
            ])
    }

    @Test func `a loop that is open at the start as well is not closed by it`() {
        var story = Self.gate({ $0.isEmergency = true }, levels: Self.loopOpen)
        #expect(story.state == .emergency)
        #expect(!story.records.contains(.emergencyStarted))
        story.close(.fire)
        #expect(story.state == .awaitingReset)
    }

    @Test func `a loop that could not be read is judged when the repair is complete`() {
        let fault = Fault.line(.input(.fire), .unreadable)
        var story = Self.gate({
            $0.isEmergency = true
            $0.faults[fault] = true
        })
        story.press(.emergencyResetKey)
        #expect(story.records.last == .refused(.resetEmergency, by: .resetKey, .repairFirst))
        story.press(.serviceKey)
        #expect(story.state == .awaitingReset)
        story.press(.emergencyResetKey)
        #expect(story.state == .locked)
    }

    @Test func `without the mechanic's key what waits for it ends with a restart`() {
        var equipment = Equipment.oneWay
        equipment.inputs[.serviceKey] = false
        var story = Self.gate(
            {
                $0.isEmergency = true
                $0.faults[.line(.input(.fire), .unreadable)] = true
                $0.faults[.illegalRotorTransition] = true
                $0.alarms[.forcedPassage] = true
            }, equipment: equipment)
        #expect(story.state == .awaitingReset)
        #expect(!story.isOn(.alarm))
        story.press(.emergencyResetKey)
        #expect(story.state == .locked)
        #expect(story.isOn(.coinEnable))
    }

    @Test func `where a closed loop ends an emergency, a clear lane is all it waits for`() {
        let policy = Story.policy { $0.fireReset = .auto }
        var story = Self.gate(
            { $0.isEmergency = true }, policy: policy, levels: Self.quarterTurned)
        #expect(story.state == .awaitingClearLane)
        story.turn(0)
        #expect(story.state == .locked)
    }

    @Test func `a gate that knows nothing stands open until the reset`() {
        var story = Story(recovery: .unknown)
        #expect(story.records == [.started, .stateUnknown])
        #expect(story.state == .awaitingReset)
        #expect(story.isOn(.lockEntry) && !story.isOn(.coinEnable))
        story.press(.emergencyResetKey)
        #expect(story.state == .locked)
    }

    @Test func `a gate without an emergency loop has no emergency to know of`() {
        let story = Story(equipment: .oneWay.without(.fire), recovery: .unknown)
        #expect(story.records == [.started, .stateUnknown])
        #expect(story.state == .locked)
    }

    // MARK: People

    @Test func `whoever stands in the rotor may leave it either way, and is told of once`() {
        var story = Self.gate(
            { $0.passage = RetainedState.Passage(.entry, .free) },
            equipment: .oneWay.with(outputs: .lockExit), levels: Self.quarterTurned)
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
        #expect(story.state == .passing(.entry))
        story.press(.releaseEntry)
        #expect(story.status.stored == 1)
        story.turn(2, 3)
        #expect(story.isOn(.lockEntry) && story.isOn(.lockExit))
        story.turn(0)
        #expect(
            story.records.suffix(2) == [
                .passageRecovered(.entry, .free), .released(.entry, by: .contact),
            ])
        #expect(!story.isOn(.lockExit))
    }

    @Test func `whoever stands there for long is an alarm, and not locked in`() {
        var story = Self.gate({ $0.passage = Self.paid(0) }, levels: Self.quarterTurned)
        story.wait(.seconds(31))
        #expect(story.records.last == .alarmRaised(.passageDelayed))
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(
            story.records.suffix(2) == [
                .passageRecovered(.entry, .paid), .alarmCleared(.passageDelayed),
            ])
    }

    @Test func `neither a fault nor the stop contact locks in whoever stands there`() {
        let equipment = Equipment.oneWay.with(.stop)
        var story = Self.gate(
            { $0.faults[.external] = true }, equipment: equipment,
            levels: Self.quarterTurned.union(InputLevels(.stop)))
        #expect(story.isOn(.lockEntry))
        story.turn(0)
        #expect(!story.isOn(.lockEntry))
        #expect(story.records.last == .passageRecovered(.entry, .unauthorised))
    }

    @Test func `an arm at rest with a sensor that is active is nobody`() {
        let equipment = Equipment.oneWay.with(.home)
        let levels = Self.quarterTurned.union(InputLevels(.home))
        var story = Self.gate({ _ in }, equipment: equipment, levels: levels)
        #expect(!story.isOn(.lockEntry))
        story.wait(.seconds(2))
        #expect(story.records.contains(.faultRaised(.sensorStuck)))
        // Unless somebody is known to be on the way.
        story = Self.gate(
            { $0.passage = Self.paid(250) }, equipment: equipment, levels: levels)
        #expect(story.isOn(.lockEntry))
    }

    @Test func `an emergency lets out whoever stands there, and they count as through`() {
        var story = Self.gate({ $0.passage = Self.paid(0) }, levels: Self.quarterTurned)
        story.open(.fire)
        #expect(story.records.suffix(2) == [.emergencyStarted, .passageRecovered(.entry, .paid)])
    }

    @Test func `whoever the stop contact puts off is kept like who is awaited`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseExit)
        story.press(.releaseEntry)
        story.open(.stop)
        #expect(
            story.turnstile.retained.released == .init(Lane.Grant(.exit, by: .contact)))
        #expect(story.turnstile.retained.queue == .init(entry: 1))
        #expect(story.turnstile.retained.passage == nil)
    }

    @Test func `whoever comes the other way is kept as what they pass as`() {
        for (mode, kind) in [(Mode.free, PassageKind.free), (.controlled, .unauthorised)] {
            var story = Story(Story.policy { $0.regime.exit = mode }, equipment: .twoWays)
            story.press(.releaseEntry)
            story.turn(3)
            #expect(story.turnstile.retained.passage == RetainedState.Passage(.exit, kind))
            #expect(
                story.turnstile.retained.released?.grant == Lane.Grant(.entry, by: .contact))
        }
    }

    // MARK: The machine

    @Test func `a fault that waits for the key waits on, and so does a latched alarm`() {
        var story = Self.gate({
            $0.faults[.lockNotResponding(.entry)] = true
            $0.alarms[.forcedPassage] = true
        })
        #expect(
            story.records == [
                .started, .faultRecovered(.lockNotResponding(.entry)),
                .outOfService(.lockNotResponding(.entry)), .alarmRecovered(.forcedPassage),
            ])
        #expect(story.isOn(.alarm))
        story.press(.serviceKey)
        #expect(story.state == .locked)
        #expect(!story.isOn(.alarm))
    }

    @Test func `service mode ends with the process, and that is said`() {
        let story = Self.gate({ $0.isInServiceMode = true })
        #expect(story.records == [.started, .serviceEnded])
        #expect(story.state == .locked)
    }

    // MARK: Money

    private static func balances(_ records: Record...) -> Balances {
        records.reduce(into: Balances()) { $0.count($1) }
    }

    private static let fare = Story.coin(pulses: 5)

    @Test func `coins are refused until the ledger is open`() {
        var story = Story(connection: .awaited)
        #expect(!story.isOn(.coinEnable))
        story.press(.releaseEntry)
        #expect(story.state == .released(.entry))
        story.walkIn()
        story.send(.ledgerOpened(Self.balances(.coinAccepted(Self.fare))))
        #expect(story.records.last == .creditRecovered(value: 250))
        #expect(story.isOn(.coinEnable))
        story.send(.ledgerOpened(Balances()))
        #expect(!story.outcome.isHandled)
        #expect(story.credit == 250)
    }

    @Test func `a ledger that cannot be opened is a fault until it can`() {
        var story = Story(connection: .awaited)
        story.send(.storageFailed)
        #expect(story.records.last == .faultRaised(.storageFailed))
        story.send(.ledgerOpened(Balances()))
        #expect(story.records.last == .faultCleared(.storageFailed))
    }

    @Test func `the fare of whoever is found in the rotor is used when they are out of it`() {
        let inUse = Self.balances(.coinAccepted(Self.fare), .creditUsed(value: 250))
        var story = Self.gate(
            { $0.passage = Self.paid(250) }, levels: Self.quarterTurned, ledger: .open(inUse))
        #expect(story.records == [.started, .passageInDoubt(.entry, .paid, .underWay)])
        story.turn(0)
        #expect(story.records.last == .passageRecovered(.entry, .paid))
        #expect(story.credit == 0)
    }

    @Test func `a fare that the ledger knows of is paid once`() {
        let inUse = Self.balances(
            .coinAccepted(Self.fare), .creditUsed(value: 250), .coinAccepted(Self.fare))
        var story = Self.gate(
            { $0.passage = Self.paid(250) }, levels: Self.quarterTurned, ledger: .open(inUse))
        #expect(story.credit == 250)
        story.turn(0)
        #expect(!story.records.contains(.creditUsed(value: 250)))
    }

    @Test func `whoever was let pass by contact and did not come may still come`() {
        var story = Story()
        story.press(.releaseEntry)
        #expect(story.turnstile.retained.released?.grant.direction == .entry)
        story.insertCoin(pulses: 5)
        story.walkIn()
        #expect(story.turnstile.retained.released == nil)
    }

    @Test func `a fare that the ledger has not heard of is paid from the credit`() {
        let credit = Self.balances(.coinAccepted(Self.fare))
        var story = Self.gate(
            { $0.passage = Self.paid(250) }, levels: Self.quarterTurned, ledger: .awaited)
        story.send(.ledgerOpened(credit))
        #expect(story.latest.compactMap(\.record) == [.creditUsed(value: 250)])
        story.turn(0)
        #expect(story.records.last == .passageRecovered(.entry, .paid))

        // The same where they are out of it before the ledger is open.
        story = Self.gate(
            { $0.passage = Self.paid(250) }, levels: Self.quarterTurned, ledger: .awaited)
        story.turn(0)
        #expect(story.turnstile.retained.passage == Self.paid(250))
        story.send(.ledgerOpened(credit))
        #expect(story.latest.compactMap(\.record) == [.creditForfeited(value: 250)])
        #expect(story.credit == 0)
        #expect(story.turnstile.retained == RetainedState())
    }

    @Test func `who paid and is gone is remembered until the ledger is open`() {
        var story = Self.gate({ $0.passage = Self.paid(250) }, ledger: .awaited)
        #expect(story.turnstile.retained.passage == Self.paid(250))
        story.open(.fire)
        #expect(story.turnstile.retained.passage == Self.paid(250))
        story.send(.ledgerOpened(Self.balances(.coinAccepted(Self.fare))))
        #expect(
            story.records.suffix(3) == [
                .creditUsed(value: 250), .passageInDoubt(.entry, .paid, .made),
                .passageLost(.entry, .paid),
            ])
        #expect(story.turnstile.retained.passage == nil)
    }

    @Test func `a fare is used if somebody was out of the rotor before the ledger was open`() {
        let inUse = Self.balances(.coinAccepted(Self.fare), .creditUsed(value: 250))
        var story = Self.gate({ _ in }, levels: Self.quarterTurned, ledger: .awaited)
        story.turn(0)
        story.send(.ledgerOpened(inUse))
        #expect(story.records.last == .passageLost(.entry, .paid))
        #expect(story.credit == 0)
    }

    @Test func `whoever went out freely has not used the fare of the next one`() {
        let inUse = Self.balances(.coinAccepted(Self.fare), .creditUsed(value: 250))
        let story = Self.gate(
            { $0.passage = RetainedState.Passage(.exit, .free) }, levels: Self.quarterTurned,
            ledger: .open(inUse))
        #expect(
            story.records == [
                .started, .passageInDoubt(.exit, .free, .underWay),
                .passageInDoubt(.entry, .paid, .notMade), .creditReturned(value: 250),
                .creditRecovered(value: 250),
            ])
    }

    @Test(arguments: [PassageKind.free, .service, .unauthorised])
    func `a passage of which nothing is seen any more is told, and counts as none`(
        kind: PassageKind
    ) {
        for ledger in [LedgerConnection.none, .awaited] {
            let story = Self.gate(
                { $0.passage = RetainedState.Passage(.exit, kind) }, ledger: ledger)
            #expect(story.records == [.started, .passageInDoubt(.exit, kind, .notMade)])
        }
    }

    @Test func `who paid and is gone is told of once`() {
        let alone = Self.gate({ $0.passage = Self.paid(250) }, ledger: .none)
        #expect(alone.records == [.started, .passageInDoubt(.entry, .paid, .notMade)])
        // The ledger tells whether the fare is used.
        let awaited = Self.gate({ $0.passage = Self.paid(250) }, ledger: .awaited)
        #expect(awaited.records == [.started])
    }

    @Test func `who was on the way as the loop opened is told of`() {
        let story = Self.gate(
            { $0.passage = RetainedState.Passage(.exit, .free) },
            levels: Self.quarterTurned.union(InputLevels(.fire)))
        #expect(story.records.contains(.passageInDoubt(.exit, .free, .notMade)))
    }

    @Test func `who was on the way as an emergency began is told of, and is free`() {
        let story = Self.gate(
            {
                $0.passage = RetainedState.Passage(.exit, .free)
                $0.isEmergency = true
            }, levels: Self.quarterTurned, ledger: .none)
        #expect(story.records.contains(.passageInDoubt(.exit, .free, .notMade)))
    }

    @Test func `whoever was there at the start is counted against nobody who pays later`() {
        var story = Story(levels: InputLevels(.rotorA), recovery: .known(RetainedState()))
        story.insertCoin(pulses: 5)
        story.turn(2, 3, 0)
        #expect(story.records.contains(.passageRecovered(.entry, .unauthorised)))
        story.walkIn()
        #expect(story.records.contains(.passageCompleted(.entry, .paid)))
        #expect(!story.records.contains(.passageLost(.entry, .paid)))
    }
}
