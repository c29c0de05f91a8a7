public import StateMachines

/// Service mode and its tests, by the mechanic's key or from afar.
///
/// The key is held for ``Policy/serviceHold``, or an operator asks, and the gate is idle: they have
/// the gate. For the mechanic at the key the outputs are tested one after the other, each alone and
/// for a second, unless the rotor moves; an operator asks for tests, of one output for any time
/// that it may be on. Another turn of the key gives the gate back as soon as nobody is in the lane,
/// and so does the operator who has it.
///
/// Where states and commands speak of the mechanic, they mean whoever has the gate: see
/// ``requester``.
public struct ServiceMode: StateMachine, Hashable, Sendable {
    /// What may happen to service mode.
    public enum Event: Hashable, Sendable {
        /// The key was turned, while nobody has the gate or waits for it.
        case keyTurned(at: Instant)
        /// The key was turned back.
        case keyReleased
        /// Somebody asks for service mode from afar.
        case requested(by: Requester)
        /// Somebody gives the gate back, or no longer waits for it.
        case givenBack
        /// This output, or all for nil, is to be tested, for so long or as long as each by default.
        case testRequested(Output?, for: Duration?, at: Instant)
        /// The gate is idle.
        case idled(at: Instant)
        /// The rotor moved.
        case rotorMoved
        /// Nobody is in the lane.
        case laneCleared
        /// The stop contact or an emergency keeps the gate: nobody waits for it any more, and
        /// service mode is over as soon as nobody is in the lane.
        case blocked
        /// An emergency took the gate away.
        case ended
        /// The output does not follow.
        case failed(Output)
        /// The output was on for as long as it may be, and is off until the repair.
        case cut(Output)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What service mode says.
    public enum Command: Hashable, Sendable {
        /// The key was held for long enough: the mechanic asks for service mode.
        case request
        /// The mechanic has the gate, or whoever else asked for it.
        case start(by: Requester)
        /// The gate is everybody's again.
        case end
        /// The output that was tested does not follow.
        case reportTestFailed(Output)
        /// Every output was tested.
        case reportTestFinished
        /// The test is over before its end.
        case reportTestAborted
    }

    /// Who has the gate.
    public enum State: Hashable, Sendable {
        /// Everybody. A turn of the key follows, or a request from afar.
        case off
        /// Everybody; the key is held. It is turned back, or service mode is asked for then.
        case turned(until: Instant)
        /// Everybody; the mechanic waits. The gate is idle, or it is given back: another turn of
        /// the key cancels.
        case awaitingIdle
        /// The mechanic; this output is tested. The next one follows, or the test is over.
        case testing(Output, until: Instant)
        /// The mechanic. It is given back, or another test follows.
        case on
        /// The mechanic, until the lane is clear.
        case leaving
    }

    /// Who has the gate.
    public private(set) var state = State.off
    /// Whether it was said that the output under test does not follow.
    private var hasFailed = false
    /// Whether one output is tested and no other.
    private var testsOne = false
    /// Who has the gate, or waits for it; nil when nobody does.
    public private(set) var requester: Requester?
    private var hold: Duration
    private let outputs: OutputSet

    /// How long each output is tested, unless somebody asks for another time.
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

    /// The output that is tested, on alone while all others are off; nil when none is.
    public var tested: Output? {
        switch state {
        case .testing(let output, _): output
        case .off, .turned, .awaitingIdle, .on, .leaving: nil
        }
    }

    /// When the key was held for long enough, or the next output is tested.
    public var deadline: Instant? {
        switch state {
        case .turned(let until), .testing(_, let until): until
        case .off, .awaitingIdle, .on, .leaving: nil
        }
    }

    /// Takes the times of a new policy, for the next turn of the key.
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
            return .ignored("somebody has the gate, or waits for it")
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
    /// Who asks from afar does not see what is driven: the test begins when they ask for it.
    private mutating func request(by requester: Requester) -> Outcome<Command> {
        switch state {
        case .off:
            state = .awaitingIdle
            self.requester = requester
            return .handled
        case .turned: return .ignored("somebody at the gate turns the key")
        case .awaitingIdle, .testing, .on, .leaving:
            return .ignored("somebody has the gate, or waits for it")
        }
    }

    private mutating func enter(at time: Instant) -> Outcome<Command> {
        switch state {
        case .awaitingIdle:
            guard let requester else { preconditionFailure("somebody waits for service mode") }
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

    /// The mechanic is done, once nobody is in the lane; a test that goes on is not.
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

    /// An output that was cut has failed its test: where it is tested alone, that is all.
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
    /// What it is called.
    public static var title: String { "service" }
    /// Service mode of a gate without outputs, off.
    public static var blank: ServiceMode { ServiceMode(policy: .blank, equipment: .blank) }

    /// Who has the gate, and what they test; how long the key is held is the policy's, and which
    /// outputs there are the equipment's.
    public func visit(_ fields: inout some FieldVisitor) -> ServiceMode {
        var service = self
        service.state = fields.inline(state, as: .phase)
        service.hasFailed = fields.field(.hasFailed, hasFailed)
        service.testsOne = fields.field(.testsOne, testsOne)
        service.requester = fields.optional(.serviceRequester, requester)
        if let tested = service.tested, !outputs[tested] { fields.reject(.output) }
        let isAnybodys = service.isOn || service.isAwaited
        if isAnybodys != (service.requester != nil) { fields.reject(.serviceRequester) }
        return service
    }
}
