import StateMachines
import Turnstile

// The mechanic: repair, service mode, self-test.
extension PlainGate {
    private static let testStep: Duration = .seconds(1)

    mutating func turnServiceKey(_ now: Instant) {
        let key = Requester.contact(.serviceKey)
        ask(.acknowledgeAlarms, key, now)
        ask(.confirmRepair, key, now)
        let isTaken = isService || wantsService && serviceRequester == key
        if isService || wantsService { ask(.endService, key, now) }
        if !isTaken { keyHeldUntil = now + policy.serviceHold }
    }

    mutating func letGoOfServiceKey() { keyHeldUntil = nil }

    mutating func askForService(_ now: Instant) {
        keyHeldUntil = nil
        ask(.beginService, .contact(.serviceKey), now)
    }

    var mayBeginService: Bool {
        (way == .locked || way == .suspended) && isStill
            && pulses.values.allSatisfy(\.isIdle)
    }

    /// Whoever waits for service mode does not get it.
    mutating func refuseWaitingService(_ refusal: Refusal) {
        guard wantsService, let requester = serviceRequester else { return }
        wantsService = false
        serviceRequester = nil
        records.append(.refused(.beginService, by: requester, refusal))
    }

    /// Service mode begins and ends when nobody is in the way.
    mutating func changeService(_ now: Instant) {
        if isService && leavesService && isStill && isSeen { endService() }
        guard wantsService, mayBeginService, let requester = serviceRequester else { return }
        close()
        dropQueued()
        wantsService = false
        isService = true
        records.append(.serviceStarted(by: requester))
        // Who is far away does not see what is driven, and begins the test when they like.
        if requester.person == nil { beginTest(nil, now) }
    }

    mutating func endService() {
        guard isService else { return }
        abortTest()
        isService = false
        leavesService = false
        serviceRequester = nil
        records.append(.serviceEnded)
    }

    // MARK: The self-test

    var testable: [Output] {
        Output.allCases.filter {
            equipment.outputs[$0] && $0 != .lockEntryHold && $0 != .lockExitHold
        }
    }

    /// One output, for so long, or all of them one after the other.
    mutating func beginTest(
        _ output: Output?, _ now: Instant, for length: Duration? = nil
    ) {
        testsOne = output != nil
        tested = nil
        guard let output else { return testNext(now) }
        tested = output
        testFailed = false
        testMovesOn = now + (length ?? Self.testStep)
    }

    mutating func testNext(_ now: Instant) {
        let rest = testable.drop { output in tested.map { output.index <= $0.index } ?? false }
        tested = testsOne ? nil : rest.first
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
