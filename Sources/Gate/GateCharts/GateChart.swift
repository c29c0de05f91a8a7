public import Exploration
import StateMachines
public import Turnstile

/// The gate's regions as drawings of states and arrows, as their machines are found to behave when
/// every event is tried in every state. The states have the names that ``Turnstile/Gate`` has for
/// them, with blanks: see ``stateName(_:)``.
public enum GateChart {
    /// The regions that can be drawn: those whose states have names.
    public static let regions = Gate.Region.allCases.filter { diagram(of: $0) != nil }

    /// A region drawn; nil for one that is a set, an amount or a wait.
    public static func diagram(of region: Gate.Region) -> Diagram? {
        switch region {
        case .lane: lane
        case .emergency: emergency
        case .service: service
        case .commitBarrier: commitBarrier
        case .beams: beams
        case .arm: arm
        case .entryLock: lock(.entry)
        case .exitLock: lock(.exit)
        case .loiterer: loiterer
        case .faults, .alarms, .creditAccount, .timetable, .heldContacts, .duties, .outage,
            .lateCoins, .earlyCoins, .payer, .counters:
            nil
        }
    }

    /// A state's name in the drawings: `awaiting reset` for `awaiting_reset`.
    public static func stateName(_ name: String) -> String {
        String(name.map { $0 == "_" ? " " : $0 })
    }

    /// A policy that keeps the drawings small: their pages state the omissions.
    static let policy: Policy = {
        var policy = Policy(price: 100, coinUnit: 100)
        policy.tailgatingWindow = .zero
        policy.serviceHold = .zero
        return policy
    }()

    /// The name of a case without fields, as a person would write it: `reach middle`.
    static func words(_ value: some Hashable) -> String {
        "\(value)".reduce(into: "") { text, character in
            text += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
    }
}

// The drawings. The clock stands still but for the deadlines.
extension GateChart {
    /// The lane of a gate with both ways controlled, for a person who comes in.
    private static var lane: Diagram {
        let graph = StateGraph(from: Lane(policy: policy)) { lane in
            [
                .authorised(Lane.Grant(.entry, by: .contact), at: .zero), .suspended,
                .resumed(at: .zero), .closed, .lockCut(.entry),
                .found(RetainedState.Passage(.entry, .paid)),
                .timePassed(lane.deadline ?? .zero),
            ] + movements(in: lane.state).map { .moved($0, at: .zero) }
        }
        return graph.diagram(
            state: { stateName($0.state.name) }, event: { $0.caption }, command: { $0.caption })
    }

    /// The events of a rotor that is not forced: a drawing of all would be unreadable.
    private static func movements(in state: Lane.State) -> [RotorDecoder.Command] {
        switch state {
        case .locked, .suspended: []
        case .released(_, until: nil): [.backOut(.exit), .loseTrack]
        case .released: [.begin(.entry), .begin(.exit), .loseTrack]
        case .passing: [.complete(.entry), .backOut(.entry), .findHome]
        case .recovering: [.findHome]
        }
    }

    /// The emergency with the key that a policy asks for unless it says otherwise.
    private static var emergency: Diagram {
        StateGraph(from: Emergency(policy: policy)).diagram(
            state: { stateName($0.state.name) }, event: { words($0) }, command: { words($0) })
    }

    /// Service mode of a gate with one lock and a siren.
    private static var service: Diagram {
        let equipment = Equipment(inputs: [.serviceKey], outputs: [.lockEntry, .alarm])
        let graph = StateGraph(from: ServiceMode(policy: policy, equipment: equipment)) { service in
            [
                .keyTurned(at: .zero), .keyReleased, .givenBack, .idled(at: .zero),
                .rotorMoved, .laneCleared, .blocked, .ended,
                .timePassed(service.deadline ?? .zero),
            ] + asked
        }
        return graph.diagram(
            state: { stateName($0.state.name) }, event: { $0.caption }, command: { $0.caption })
    }

    /// An operator's requests for service mode.
    private static var asked: [ServiceMode.Event] {
        [Operator(number: 0, name: "root")].compactMap { $0 }.map { .requested(by: .person($0)) }
            + [.testRequested(nil, for: nil, at: .zero)]
    }

    private static var commitBarrier: Diagram {
        StateGraph(from: CommitBarrier()).diagram(
            state: { stateName($0.state.name) }, event: { words($0) }, command: { words($0) })
    }

    private static var beams: Diagram {
        let graph = StateGraph(from: BeamWatch(policy: policy)) { watch in
            [
                .changed(isBroken: true, at: .zero), .changed(isBroken: false, at: .zero),
                .timePassed(watch.deadline ?? .zero),
            ]
        }
        return graph.diagram(
            state: { stateName($0.stateName) }, event: { $0.caption }, command: { words($0) })
    }

    private static var arm: Diagram {
        let graph = StateGraph(from: ArmWatch(policy: policy)) { watch in
            [
                .changed(isHome: true, sensorsAtRest: true, at: .zero),
                .changed(isHome: false, sensorsAtRest: true, at: .zero),
                .changed(isHome: true, sensorsAtRest: false, at: .zero),
                .changed(isHome: false, sensorsAtRest: false, at: .zero),
                .suspended, .timePassed(watch.deadline ?? .zero),
            ]
        }
        return graph.diagram(
            state: { stateName($0.stateName) }, event: { $0.caption }, command: { words($0) })
    }

    private static func lock(_ direction: Direction) -> Diagram {
        let graph = StateGraph(from: LockWatch(direction, policy: policy)) { watch in
            [
                .changed(isCommanded: true, isReleased: false, canEngage: true, at: .zero),
                .changed(isCommanded: true, isReleased: true, canEngage: true, at: .zero),
                .timePassed(watch.deadline ?? .zero),
            ]
        }
        return graph.diagram(
            state: { stateName($0.stateName) }, event: { $0.caption }, command: { $0.caption })
    }

    private static var loiterer: Diagram {
        let graph = StateGraph(from: OnDelay(delay: policy.passDelayAlarm)) { watch in
            [.appeared(at: .zero), .vanished, .timePassed(watch.deadline ?? .zero)]
        }
        return graph.diagram(
            state: { stateName($0.state.name) }, event: { $0.caption }, command: { words($0) })
    }
}
