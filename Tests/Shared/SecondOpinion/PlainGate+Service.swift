import StateMachines
import Turnstile

// The mechanic: repair, service mode, self-test.
extension PlainGate {
    private static let testStep: Duration = .seconds(1)

    mutating func turnServiceKey(_ now: Instant) {
        // The mechanic has seen it: this is no short outage.
        shortOutageEnds = nil
        forget(faults.subtracting(causes), now)
        if isOutOfService || faults.contains(where: \.isLatching) {
            records.append(.refused(.serviceKey, .causePresent))
        }
        acknowledge()
        if isService {
            abortTest()
            leavesService = true
        } else if wantsService {
            wantsService = false
        } else {
            keyHeldUntil = now + policy.serviceHold
        }
    }

    mutating func letGoOfServiceKey() { keyHeldUntil = nil }

    mutating func askForService() {
        keyHeldUntil = nil
        if isEmergency {
            records.append(.refused(.serviceKey, .emergency))
        } else if isStopped {
            records.append(.refused(.serviceKey, .stopped))
        } else {
            wantsService = true
            if !mayBeginService { records.append(.deferred(.serviceKey)) }
        }
    }

    private var mayBeginService: Bool {
        (way == .locked || way == .suspended) && position == 0
            && pulses.values.allSatisfy(\.isIdle)
    }

    /// The mechanic, who waits, does not get the gate.
    mutating func turnAway(_ refusal: Refusal) {
        guard wantsService else { return }
        wantsService = false
        records.append(.refused(.serviceKey, refusal))
    }

    /// Service mode begins and ends when nobody is in the way.
    mutating func changeService(_ now: Instant) {
        if isService && leavesService && position == 0 { endService() }
        guard wantsService, mayBeginService else { return }
        close()
        dropStored()
        wantsService = false
        isService = true
        records.append(.serviceStarted)
        tested = nil
        testNext(now)
    }

    mutating func endService() {
        guard isService else { return }
        abortTest()
        isService = false
        leavesService = false
        records.append(.serviceEnded)
    }

    // MARK: The self-test

    private var testable: [Output] {
        Output.allCases.filter {
            equipment.outputs[$0] && $0 != .lockEntryHold && $0 != .lockExitHold
        }
    }

    mutating func testNext(_ now: Instant) {
        let rest = testable.drop { output in tested.map { output.index <= $0.index } ?? false }
        tested = rest.first
        testFailed = false
        testMovesOn = tested.map { _ in now + Self.testStep }
        if tested == nil { records.append(.selfTestFinished) }
    }

    mutating func abortTest() {
        guard tested != nil else { return }
        tested = nil
        testMovesOn = nil
        records.append(.selfTestAborted)
    }

    mutating func failTest(of output: Output) {
        guard tested == output, !testFailed else { return }
        testFailed = true
        records.append(.selfTestFailed(output))
    }
}
