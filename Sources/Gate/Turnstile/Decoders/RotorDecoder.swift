public import StateMachines

/// Follows the rotor by its two sensors and reports the movements of the person in it.
///
/// The sensors stand in quadrature. On the way in the rotor shows neither, A, both, B, neither; on
/// the way out the same backwards. A person who returns to where they began has backed out. The
/// states and their order are those of ST's UM2600.
public struct RotorDecoder: StateMachine, Hashable, Sendable {
    /// The events of the sensors.
    public enum Event: Hashable, Sendable {
        /// The sensors now show this.
        case changed(Sensors)
        /// The sensors skipped a state, and now show this.
        case skipped(Sensors)
        /// Edges are missing; the sensors now show this.
        case edgesLost(Sensors)
    }

    /// The movements of the person in the rotor.
    public enum Command: Hashable, Sendable {
        /// A person began to turn the rotor.
        case begin(Direction)
        /// Half the way is done.
        case reachMiddle(Direction)
        /// They went back from the second half to the first.
        case leaveMiddle(Direction)
        /// They are through, and the rotor is home.
        case complete(Direction)
        /// They had begun to go this way and went back, and the rotor is home.
        case backOut(Direction)
        /// The sensors skipped a state: one of them does not work.
        case reportIllegalTransition
        /// Edges are missing, and the outcome of a passage is unknown.
        case loseTrack
        /// The rotor is home again after its track was lost.
        case findHome
    }

    /// Which of the two sensors are active.
    public struct Sensors: Hashable, Sendable {
        /// The first sensor on the way in.
        public var a: Bool
        /// The second one.
        public var b: Bool

        /// Sensors that show this.
        public init(a: Bool, b: Bool) {
            self.a = a
            self.b = b
        }

        /// Neither: the rotor is at rest.
        public static var home: Sensors { Sensors(a: false, b: false) }

        /// How many states after home this one is on the way in, 0–3.
        var quarter: Int {
            switch (a, b) {
            case (false, false): 0
            case (true, false): 1
            case (true, true): 2
            case (false, true): 3
            }
        }
    }

    /// Where the rotor is.
    public enum State: Hashable, Sendable {
        /// At rest. A turn in either direction follows.
        case home
        /// On its way: it has made `quarters` of a passage, counted from home in that direction,
        /// 1–3. Home follows, by completion or by backing out.
        case turning(Direction, quarters: Int)
        /// Somewhere: the sensors or the queue failed. Home follows.
        case lost
    }

    /// Where the rotor is.
    public private(set) var state: State
    private var sensors: Sensors

    /// A decoder of a rotor whose sensors show this at the start.
    public init(sensors: Sensors = .home) {
        self.sensors = sensors
        state = sensors == .home ? .home : .lost
    }

    /// Compares the sensors' states with the previous ones.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .edgesLost(let shown):
            sensors = shown
            return lostEdges()
        case .skipped(let shown):
            sensors = shown
            return skipped()
        case .changed(let shown):
            guard shown != sensors else { return .ignored("the rotor has not moved") }
            let step = (shown.quarter - sensors.quarter + 4) % 4
            sensors = shown
            // Once the track is lost nothing can be skipped.
            return step == 2 && state != .lost ? skipped() : stepped(step == 1 ? .entry : .exit)
        }
    }

    private mutating func stepped(_ direction: Direction) -> Outcome<Command> {
        switch state {
        case .home:
            state = .turning(direction, quarters: 1)
            return .handled(.begin(direction))
        case .turning(let began, let quarters) where began == direction:
            return advanced(began, to: quarters + 1)
        case .turning(let began, let quarters):
            guard quarters > 1 else {
                state = .home
                return .handled(.backOut(began))
            }
            state = .turning(began, quarters: quarters - 1)
            return quarters == 2 ? .handled(.leaveMiddle(began)) : .handled
        case .lost:
            return foundHome()
        }
    }

    private mutating func advanced(_ direction: Direction, to quarters: Int) -> Outcome<Command> {
        guard quarters < 4 else {
            state = .home
            return .handled(.complete(direction))
        }
        state = .turning(direction, quarters: quarters)
        return quarters == 2 ? .handled(.reachMiddle(direction)) : .handled
    }

    private mutating func skipped() -> Outcome<Command> {
        var commands: Commands<Command> = [.reportIllegalTransition]
        state = .lost
        commands.append(contentsOf: foundHome().commands)
        return .handled(commands)
    }

    private mutating func lostEdges() -> Outcome<Command> {
        if state == .home && sensors == .home { return .ignored("the rotor is at home") }
        state = .lost
        return sensors == .home ? foundHome() : .handled(.loseTrack)
    }

    private mutating func foundHome() -> Outcome<Command> {
        guard sensors == .home else { return .handled }
        state = .home
        return .handled(.findHome)
    }
}

extension RotorDecoder: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "rotor_decoder" }
    /// One of a rotor at home.
    public static var blank: RotorDecoder { RotorDecoder() }

    /// The rotor's position, and the last states of its sensors.
    public func visit(_ fields: inout some FieldVisitor) -> RotorDecoder {
        var decoder = self
        decoder.state = fields.inline(state, as: .phase)
        decoder.sensors = fields.field(.sensors, sensors)
        return decoder
    }
}
