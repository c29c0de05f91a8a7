import StateMachines

@testable import System
@testable import Turnstile

extension Record {
    /// Records of every case, and within a case of every alarm, fault and authorisation.
    static let samples = sequence(first: Record.started, next: \.successor).flatMap(\.variants)

    /// The sample of the case after this one's. A new case does not compile until it is here.
    private var successor: Record? {
        switch self {
        case .started: .stopped
        case .stopped: .policyChanged
        case .policyChanged: .policyDeferred
        case .policyDeferred: .coinAccepted(value: 100, pulses: 2)
        case .coinAccepted: .coinLate(value: 50, pulses: 1)
        case .coinLate: .coinNoise(width: .milliseconds(7))
        case .coinNoise: .creditUsed(value: 100)
        case .creditUsed: .creditReturned(value: 100)
        case .creditReturned: .creditForfeited(value: 100)
        case .creditForfeited: .released(by: .contact)
        case .released: .passageStarted(.entry)
        case .passageStarted: .passageCompleted(.entry)
        case .passageCompleted: .passageBackedOut(.entry)
        case .passageBackedOut: .waitTimedOut
        case .waitTimedOut: .passageLost(.entry)
        case .passageLost: .passageUnauthorised(.exit)
        case .passageUnauthorised: .passageInEmergency(.exit)
        case .passageInEmergency: .refused(.serviceKey, .causePresent)
        case .refused: .alarmRaised(.forcedPassage)
        case .alarmRaised: .alarmCleared(.forcedPassage)
        case .alarmCleared: .faultRaised(.external)
        case .faultRaised: .faultCleared(.external)
        case .faultCleared: .outOfService(.external)
        case .outOfService: .inService
        case .inService: .emergencyStarted
        case .emergencyStarted: .emergencyLoopClosed
        case .emergencyLoopClosed: .emergencyReset
        case .emergencyReset: nil
        }
    }

    private var variants: [Record] {
        if case .released = self { return [self, .released(by: .credit(fare: 150))] }
        if case .refused = self { return Refusal.allCases.map { .refused(.releaseEntry, $0) } }
        if case .alarmRaised = self { return Alarm.allCases.map { .alarmRaised($0) } }
        if case .alarmCleared = self { return Alarm.allCases.map { .alarmCleared($0) } }
        if case .faultRaised = self { return Fault.all.map { .faultRaised($0) } }
        if case .faultCleared = self { return Fault.all.map { .faultCleared($0) } }
        if case .outOfService = self { return Fault.all.map { .outOfService($0) } }
        return [self]
    }

    /// The entry of the record, after which the gate is locked with a credit of 50.
    var entry: JournalEntry { JournalEntry(self, state: "locked", credit: 50) }
}

extension ShellRecord {
    /// Records of every case.
    static let samples = Array(
        sequence(first: ShellRecord.hardwareNotReady("no chip"), next: \.successor))

    /// The sample of the case after this one's. A new case does not compile until it is here.
    private var successor: ShellRecord? {
        let pressed = Event(.changed(.coinPulse, isActive: true), at: .zero)
        return switch self {
        case .hardwareNotReady: .hardwareReady("libgpiod 2.2.1")
        case .hardwareReady: .hardwareFailed("ioctl on COIN (gpiochip0/4): No such device")
        case .hardwareFailed: .lostEdgesGoUnseen("libgpiod 1.6.3")
        case .lostEdgesGoUnseen: .debouncedByCore("libgpiod 1.6.3")
        case .debouncedByCore: .configurationRefused(["a.yaml:1:2: one", "a.yaml:3:4: two"])
        case .configurationRefused: .watchdogWithheld("rotor_a cannot be read")
        case .watchdogWithheld: .outputCut(.lockEntry, after: .seconds(30))
        case .outputCut: .ignored(pressed, "out of service")
        case .ignored: .unhandled(pressed)
        case .unhandled: .entriesLost(1)
        case .entriesLost: nil
        }
    }
}
