import Journal
import Keeping
import StateMachines

@testable import Turnstile

extension Record {
    /// Records of every case, and within a case of all that their entries tell apart.
    static let samples = sequence(first: Record.started, next: \.successor).flatMap(\.variants)

    private static let coin = Coin(.first, pulses: 2, value: 100)
    private static let anna: Requester = {
        guard let anna = Operator(number: 1000, name: "anna") else {
            preconditionFailure("it is a name")
        }
        return .person(anna)
    }()

    /// The sample of the case after this one's. A new case does not compile until it is here.
    private var successor: Record? {
        switch self {
        case .started: .stopped
        case .stopped: .policyChanged(by: .settings)
        case .policyChanged: .policyDeferred
        case .policyDeferred: .scheduleDeferred
        case .scheduleDeferred: .modeChanged(.entry, .free, by: .schedule)
        case .modeChanged: .enforcementChanged(.weak, by: .schedule)
        case .enforcementChanged: .clockAdjusted(by: .seconds(-3600))
        case .clockAdjusted: .coinCounted(Self.coin)
        case .coinCounted: .coinAccepted(Self.coin)
        case .coinAccepted: .coinLate(Self.coin)
        case .coinLate: .coinInDoubt(Self.coin)
        case .coinInDoubt: .coinInhibited(Self.coin)
        case .coinInhibited: .coinEarly(Self.coin)
        case .coinEarly: .coinRejected(Self.coin)
        case .coinRejected: .coinUnknown(.second, pulses: 7)
        case .coinUnknown: .coinNoise(.second, width: .milliseconds(7))
        case .coinNoise: .noiseOver(.third, pulses: 99)
        case .noiseOver: .coinsRefused(.storeFull)
        case .coinsRefused: .creditUsed(value: 100)
        case .creditUsed: .creditReturned(value: 100)
        case .creditReturned: .creditRecovered(value: 100)
        case .creditRecovered: .creditForfeited(value: 100)
        case .creditForfeited: .creditExpired(value: 100)
        case .creditExpired: .released(.entry, by: .contact)
        case .released: .stored(.exit)
        case .stored: .storedDropped(2, grantedBy: 1000)
        case .storedDropped: .authorisationDropped(.exit)
        case .authorisationDropped: .passageStarted(.entry)
        case .passageStarted: .rotorNoise
        case .rotorNoise: .passageCompleted(.entry, .paid)
        case .passageCompleted: .passageBackedOut(.entry)
        case .passageBackedOut: .waitTimedOut(.exit)
        case .waitTimedOut: .passageLost(.entry, .paid)
        case .passageLost: .passageRecovered(.entry, .paid)
        case .passageRecovered: .passageInDoubt(.entry, .free, .underWay)
        case .passageInDoubt: .refused(.confirmRepair, by: .contact(.serviceKey), .causePresent)
        case .refused: .deferred(.beginService, by: .contact(.serviceKey))
        case .deferred: .done(.resetEmergency, by: Self.anna)
        case .done: .alarmRaised(.forcedPassage)
        case .alarmRaised: .alarmCleared(.forcedPassage)
        case .alarmCleared: .alarmRecovered(.forcedPassage)
        case .alarmRecovered: .faultRaised(.external)
        case .faultRaised: .faultCleared(.external)
        case .faultCleared: .faultRecovered(.external)
        case .faultRecovered: .onTimeWarning(.lockEntry)
        case .onTimeWarning: .outOfService(.external)
        case .outOfService: .inService
        case .inService: .stopBegan
        case .stopBegan: .stopEnded
        case .stopEnded: .contactStuck(.releaseEntry)
        case .contactStuck: .contactAtRest(.releaseEntry)
        case .contactAtRest: .emergencyStarted
        case .emergencyStarted: .emergencyLoopClosed
        case .emergencyLoopClosed: .emergencyReset
        case .emergencyReset: .emergencyRecovered
        case .emergencyRecovered: .stateUnknown
        case .stateUnknown: .serviceStarted(by: .contact(.serviceKey))
        case .serviceStarted: .serviceEnded
        case .serviceEnded: .selfTestFailed(.lockEntry)
        case .selfTestFailed: .selfTestFinished
        case .selfTestFinished: .selfTestAborted
        case .selfTestAborted: .vaultOpened
        case .vaultOpened: .vaultClosed
        case .vaultClosed: .vaultRemoved
        case .vaultRemoved: .vaultReplaced
        case .vaultReplaced: .coinsCollected
        case .coinsCollected: .collectionCounted(value: 1250)
        case .collectionCounted: nil
        }
    }

    private var variants: [Record] {
        switch self {
        case .policyChanged: return [self, .policyChanged(by: Self.anna)]
        case .modeChanged:
            return Mode.allCases.map { .modeChanged(.exit, $0, by: .schedule) }
                + [.modeChanged(.entry, .locked, by: Self.anna)]
        case .enforcementChanged: return [self, .enforcementChanged(.strong, by: Self.anna)]
        case .serviceStarted: return [self, .serviceStarted(by: Self.anna)]
        case .deferred: return [self, .deferred(.setMode, by: Self.anna)]
        case .done: return Request.Kind.allCases.map { .done($0, by: Self.anna) }
        default: break
        }
        if case .released = self {
            return [
                self, .released(.exit, by: .free), .released(.entry, by: .credit(fare: 150)),
                .released(.entry, by: .person(1000)),
            ]
        }
        if case .passageCompleted = self {
            return PassageKind.allCases.map { .passageCompleted(.exit, $0) }
        }
        if case .refused = self {
            return Refusal.allCases.map { .refused(.grant, by: .contact(.releaseEntry), $0) }
                + [.refused(.resetEmergency, by: Self.anna, .notFromAfar)]
        }
        if case .alarmRaised = self { return Alarm.allCases.map { .alarmRaised($0) } }
        if case .alarmCleared = self { return Alarm.allCases.map { .alarmCleared($0) } }
        if case .faultRaised = self { return Fault.all.map { .faultRaised($0) } }
        if case .faultCleared = self { return Fault.all.map { .faultCleared($0) } }
        if case .outOfService = self { return Fault.all.map { .outOfService($0) } }
        return [self]
    }

    /// The entry of the record, after which the gate is locked with a credit of 50.
    var journalEntry: JournalEntry { JournalEntry(self, state: "locked", credit: 50) }
}

extension ShellRecord {
    /// Two coins, of which one came before the collection.
    static let registers: Registers = {
        var registers = Registers()
        for record: Record in [
            .coinAccepted(Coin(.first, pulses: 2, value: 100)), .vaultReplaced,
            .coinAccepted(Coin(.second, pulses: 4, value: 200)), .passageCompleted(.exit, .free),
            .faultRaised(.coinLineStuck(.first)), .faultRaised(.coinLineStuck(.second)),
        ] { registers.count(record) }
        return registers
    }()

    /// Records of every case.
    static let samples = Array(
        sequence(first: ShellRecord.hardwareNotReady("no chip"), next: \.successor))

    /// The sample of the case after this one's. A new case does not compile until it is here.
    private var successor: ShellRecord? {
        let pressed = Event(.changed(.coinPulse, isActive: true), at: .zero)
        return switch self {
        case .hardwareNotReady: .hardwareReady("libgpiod 2.2.1")
        case .hardwareReady: .inputsKept(events: 4, since: .milliseconds(350))
        case .inputsKept: .hardwareFailed("ioctl on COIN (gpiochip0/4): No such device")
        case .hardwareFailed: .storeFailed("the ledger /ledger.db: COMMIT: disk full (13)")
        case .storeFailed: .storeNoted(.begun(gate: "north", identity: "5f0e"))
        case .storeNoted(.begun):
            .storeNoted(.checkpoint(number: 7, occasion: .interval, note: "turnstiled/5f0e\n"))
        case .storeNoted(.checkpoint): .storeNoted(.keyChanged("turnstiled+1a2b3c4d+AQ=="))
        case .storeNoted(.keyChanged): .storeNoted(.roomRunsOut(percent: 92))
        case .storeNoted(.roomRunsOut):
            .storeNoted(.recordsSetAside(to: "/aside", because: "page 3"))
        case .storeNoted: .booksDisagree([.unequal("passages", 3, "passages of all kinds", 2)])
        case .booksDisagree: .startDelayed(by: .milliseconds(250), starts: 6)
        case .startDelayed: .stateUnreadable("/run/turnstiled/state: it is empty")
        case .stateUnreadable: .stateNotKept("write for /run/turnstiled/state: No space left")
        case .stateNotKept: .traceNotKept("write for 00000007.trace: No space left on device")
        case .traceNotKept: .lostEdgesGoUnseen("libgpiod 1.6.3")
        case .lostEdgesGoUnseen: .debouncedByCore("libgpiod 1.6.3")
        case .debouncedByCore: .configurationRefused(["a.yaml:1:2: one", "a.yaml:3:4: two"])
        case .configurationRefused:
            .configurationChanged(key: "fare.price", old: "150", new: "200")
        case .configurationChanged: .reloadRequested(by: .blank)
        case .reloadRequested: .configurationMistake("a.yaml:4:5: wrong")
        case .configurationMistake: .configurationWarning("a.yaml:5:6: warning: odd")
        case .configurationWarning: .busJoined(":1.42")
        case .busJoined: .busAbsent("sd_bus_start: No such file or directory")
        case .busAbsent: .watchdogWithheld("rotor_a cannot be read")
        case .watchdogWithheld: .outputCut(.lockEntry, after: .seconds(30))
        case .outputCut: .registers(Self.registers, .collection)
        case .registers: .ignored(pressed, "out of service")
        case .ignored: .unhandled(pressed)
        case .unhandled: .entriesLost(1)
        case .entriesLost: nil
        }
    }
}
