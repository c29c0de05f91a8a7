public import StateMachines

/// Service mode and its tests, by the mechanic's key or remotely.
///
/// It begins once the key was held for ``Policy/serviceHold``, or an operator requested it, and the
/// gate is idle. The key starts a test of all outputs, one second each, which a movement of the
/// rotor aborts; an operator requests tests. Another turn of the key, or the same operator, ends
/// service mode once the lane is clear.
///
/// States and commands call the holder the mechanic, also if it is an operator: see ``requester``.
public struct ServiceMode: TimedMachine, Hashable, Sendable {
    /// The events of service mode.
    public enum Event: Hashable, Sendable {
        /// The key was turned, while service mode is off and not requested.
        case keyTurned(at: Instant)
        /// The key was turned back.
        case keyReleased
        /// Service mode was requested remotely.
        case requested(by: Requester)
        /// The holder ends service mode, or cancels the request for it.
        case givenBack
        /// A test of one output, nil for all; a nil duration is the default.
        case testRequested(Output?, for: Duration?, at: Instant)
        /// The gate is idle.
        case idled(at: Instant)
        /// The rotor moved.
        case rotorMoved
        /// The lane is clear.
        case laneCleared
        /// The stop contact or an emergency cancels a pending request, and ends service mode once
        /// the lane is clear.
        case blocked
        /// An emergency ended service mode at once.
        case ended
        /// The output does not follow.
        case failed(Output)
        /// The output was cut after its longest on-time, and is off until the repair.
        case cut(Output)
        case timePassed(Instant)
    }

    /// The commands of service mode.
    public enum Command: Hashable, Sendable {
        /// The key was held for long enough: the mechanic requests service mode.
        case request
        /// Service mode begins.
        case start(by: Requester)
        /// Service mode has ended.
        case end
        /// The output under test does not follow.
        case reportTestFailed(Output)
        case reportTestFinished
        case reportTestAborted
    }

    /// Who has the gate.
    public enum State: Hashable, Sendable {
        /// Everybody. A turn of the key follows, or a remote request.
        case off
        /// Everybody; the key is held. It is turned back, or service mode is requested then.
        case turned(until: Instant)
        /// Everybody; the mechanic waits. An idle gate follows, or another turn of the key cancels.
        case awaitingIdle
        /// The mechanic; this output is tested. The next one follows, or the test ends.
        case testing(Output, until: Instant)
        /// The mechanic. The end follows, or another test.
        case on
        /// The mechanic, until the lane is clear.
        case leaving
    }

    /// Who has the gate.
    public private(set) var state = State.off
    /// Whether the output under test was reported as failed.
    private var hasFailed = false
    /// Whether a single output is tested, not all.
    private var testsOne = false
    /// The holder of service mode, or of a pending request for it; nil for none.
    public private(set) var requester: Requester?
    private var hold: Duration
    private let outputs: OutputSet

    /// How long each output is tested by default.
    private static let testLength: Duration = .seconds(1)

    /// Service mode, off, of a gate with these lines.
    public init(policy: Policy, equipment: Equipment) {
        hold = policy.serviceHold
        outputs = equipment.commanded
    }

    /// Whether the mechanic has the gate.
    public var isOn: Bool {
        switch state {
        case .off, .turned, .awaitingIdle: false
        case .testing, .on, .leaving: true
        }
    }

    /// Whether the mechanic waits for the gate.
    public var isAwaited: Bool { state == .awaitingIdle }

    /// The output under test, while all others are off; nil for none.
    public var tested: Output? {
        switch state {
        case .testing(let output, _): output
        case .off, .turned, .awaitingIdle, .on, .leaving: nil
        }
    }

    /// When the key counts as held, or the test continues with the next output.
    public var deadline: Instant? {
        switch state {
        case .turned(let until), .testing(_, let until): until
        case .off, .awaitingIdle, .on, .leaving: nil
        }
    }

    /// Applies a new policy to the next turn of the key.
    mutating func adopt(_ policy: Policy) { hold = policy.serviceHold }

    /// Decides every pair of state and event.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .keyTurned(let time): turn(at: time)
        case .keyReleased: release()
        case .requested(let requester): request(by: requester)
        case .givenBack: giveBack()
        case .testRequested(let output, let length, let time):
            beginTest(of: output, for: length, at: time)
        case .idled(let time): enter(at: time)
        case .rotorMoved: abortTest()
        case .laneCleared: leave()
        case .blocked: block()
        case .ended: end()
        case .failed(let output): fail(output)
        case .cut(let output): cut(output)
        case .timePassed(let now): passTime(now)
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        switch state {
        case .off, .awaitingIdle, .on, .leaving: break
        case .turned(let until): state = .turned(until: until + duration)
        case .testing(let output, let until): state = .testing(output, until: until + duration)
        }
    }
}

// The key.
extension ServiceMode {
    private mutating func turn(at time: Instant) -> Outcome<Command> {
        switch state {
        case .off:
            state = .turned(until: time + hold)
            return .handled
        case .turned: return .ignored("the key is turned already")
        case .awaitingIdle, .testing, .on, .leaving:
            return .ignored("service mode has begun or is requested")
        }
    }

    private mutating func release() -> Outcome<Command> {
        switch state {
        case .turned:
            state = .off
            return .handled
        case .off, .awaitingIdle, .testing, .on, .leaving:
            return .ignored("the key has done its work")
        }
    }
}

// Coming and going.
extension ServiceMode {
    /// A remote operator does not see the gate: tests begin only on request.
    private mutating func request(by requester: Requester) -> Outcome<Command> {
        switch state {
        case .off:
            state = .awaitingIdle
            self.requester = requester
            return .handled
        case .turned: return .ignored("the key is turned at the gate")
        case .awaitingIdle, .testing, .on, .leaving:
            return .ignored("service mode has begun or is requested")
        }
    }

    private mutating func enter(at time: Instant) -> Outcome<Command> {
        switch state {
        case .awaitingIdle:
            guard let requester else { preconditionFailure("a requester waits for service mode") }
            state = .on
            var commands = Commands(Command.start(by: requester))
            if requester.person == nil {
                testsOne = false
                commands.append(contentsOf: test(outputs.first, at: time))
            }
            return .handled(commands)
        case .off, .turned, .testing, .on, .leaving:
            return .ignored("nobody waits for service mode")
        }
    }

    private mutating func leave() -> Outcome<Command> {
        switch state {
        case .leaving:
            turnOff()
            return .handled(.end)
        case .off, .turned, .awaitingIdle, .testing, .on:
            return .ignored("service mode does not wait for a clear lane")
        }
    }

    private mutating func block() -> Outcome<Command> {
        switch state {
        case .off, .turned: return .ignored("service mode is off")
        case .awaitingIdle:
            turnOff()
            return .handled
        case .testing, .on, .leaving: return giveBack()
        }
    }

    /// Ends service mode once the lane is clear, and aborts a test.
    private mutating func giveBack() -> Outcome<Command> {
        switch state {
        case .off, .turned: return .ignored("service mode is off")
        case .awaitingIdle:
            turnOff()
            return .handled
        case .testing, .on:
            let wasTesting = tested != nil
            state = .leaving
            hasFailed = false
            return wasTesting ? .handled(.reportTestAborted) : .handled
        case .leaving: return .ignored("service mode waits for a clear lane")
        }
    }

    private mutating func turnOff() {
        state = .off
        requester = nil
        hasFailed = false
    }

    private mutating func end() -> Outcome<Command> {
        let wasTesting = tested != nil
        switch state {
        case .off, .turned: return .ignored("service mode is off")
        case .awaitingIdle:
            turnOff()
            return .handled
        case .testing, .on, .leaving:
            turnOff()
            return wasTesting ? .handled([.reportTestAborted, .end]) : .handled(.end)
        }
    }
}

// The self-test.
extension ServiceMode {
    private mutating func passTime(_ now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        switch state {
        case .off, .awaitingIdle, .on, .leaving: return .ignored("nothing is due")
        case .turned:
            state = .awaitingIdle
            requester = .contact(.serviceKey)
            return .handled(.request)
        case .testing(let output, _):
            let next =
                testsOne
                ? nil : Output.ordered.dropFirst(output.index + 1).first { outputs[$0] }
            return .handled(test(next, at: now))
        }
    }

    private mutating func beginTest(
        of output: Output?, for length: Duration?, at time: Instant
    ) -> Outcome<Command> {
        switch state {
        case .on, .testing:
            var commands: Commands<Command> = tested == nil ? [] : [.reportTestAborted]
            testsOne = output != nil
            commands.append(
                contentsOf: test(output ?? outputs.first, for: length, at: time))
            return .handled(commands)
        case .off, .turned, .awaitingIdle, .leaving: return .ignored("nobody has the gate")
        }
    }

    private mutating func test(
        _ output: Output?, for length: Duration? = nil, at time: Instant
    ) -> Commands<Command> {
        hasFailed = false
        guard let output else {
            state = .on
            return [.reportTestFinished]
        }
        state = .testing(output, until: time + (length ?? Self.testLength))
        return []
    }

    private mutating func abortTest() -> Outcome<Command> {
        switch state {
        case .testing:
            state = .on
            hasFailed = false
            return .handled(.reportTestAborted)
        case .off, .turned, .awaitingIdle, .on, .leaving: return .ignored("nothing is tested")
        }
    }

    private mutating func fail(_ output: Output) -> Outcome<Command> {
        guard output == tested else { return .ignored("the output is not tested") }
        guard !hasFailed else { return .ignored("the output is known to fail") }
        hasFailed = true
        return .handled(.reportTestFailed(output))
    }

    /// An output that was cut has failed its test; if it is tested alone, the test ends.
    private mutating func cut(_ output: Output) -> Outcome<Command> {
        guard output == tested else { return .ignored("the output is not tested") }
        var commands: Commands<Command> = hasFailed ? [] : [.reportTestFailed(output)]
        hasFailed = !testsOne
        if testsOne {
            state = .on
            commands.append(.reportTestAborted)
        }
        return .handled(commands)
    }
}

extension ServiceMode: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "service" }
    /// Service mode of a gate without outputs, off.
    public static var blank: ServiceMode { ServiceMode(policy: .blank, equipment: .blank) }

    /// The state and the holder; the key's hold time is the policy's, the outputs the equipment's.
    public func visit(_ fields: inout some FieldVisitor) -> ServiceMode {
        var service = self
        service.state = fields.inline(state, as: .phase)
        service.hasFailed = fields.field(.hasFailed, hasFailed)
        service.testsOne = fields.field(.testsOne, testsOne)
        service.requester = fields.optional(.serviceRequester, requester)
        if let tested = service.tested, !outputs[tested] { fields.reject(.output) }
        let hasHolder = service.isOn || service.isAwaited
        if hasHolder != (service.requester != nil) { fields.reject(.serviceRequester) }
        return service
    }
}
