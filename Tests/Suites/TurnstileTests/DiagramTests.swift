import Foundation
import StateMachines
import Testing

@testable import Turnstile

/// The drawings in docs/gate.md are what exploring the machines finds.
@Suite struct DiagramTests {
    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/gate.md")

    /// `UPDATE_GENERATED=1 swift test --filter DiagramTests` draws them anew.
    @Test func `the drawings of the gate are what its machines do`() throws {
        let document = try String(contentsOf: Self.file, encoding: .utf8)
        var drawn = try document.replacing(block: "Lane", with: Self.lane)
        drawn = try drawn.replacing(block: "Emergency", with: Self.emergency)
        drawn = try drawn.replacing(block: "ServiceMode", with: Self.service)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try drawn.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(document == drawn)
        }
    }

    /// The emergency with the key that a policy asks for unless it says otherwise.
    static var emergency: String {
        StateGraph(from: Emergency(policy: Story.policy()))
            .diagram(state: { words($0.state) }, event: { words($0) }, command: { words($0) })
            .mermaid
    }

    /// Service mode of a gate with one lock and a siren, while the clock stands still but for the
    /// deadlines.
    static var service: String {
        let equipment = Equipment(inputs: [.serviceKey], outputs: [.lockEntry, .alarm])
        let start = ServiceMode(
            policy: Story.policy { $0.serviceHold = .zero }, equipment: equipment)
        let graph = StateGraph(from: start) { service in
            [
                .keyTurned(at: .zero), .keyReleased, .givenBack, .idled(at: .zero),
                .rotorMoved, .laneCleared, .blocked, .ended,
                .timePassed(service.deadline ?? .zero),
            ]
        }
        return graph.diagram(state: name, event: name, command: name).mermaid
    }

    /// The lane of a gate with both ways controlled, while the clock stands still but for the
    /// deadlines.
    static var lane: String {
        let start = Lane(policy: Story.policy { $0.tailgatingWindow = .zero })
        let graph = StateGraph(from: start) { lane in
            [
                .authorised(Lane.Grant(.entry, by: .contact), at: .zero), .suspended,
                .resumed(at: .zero), .closed, .lockCut(.entry),
                .found(RetainedState.Passage(.entry, .paid)),
                .timePassed(lane.deadline ?? .zero),
            ] + movements(in: lane.state).map { .moved($0, at: .zero) }
        }
        return graph.diagram(state: name, event: name, command: name).mermaid
    }

    /// What a rotor that nobody forces can report: a drawing of all the rest could not be read.
    static func movements(in state: Lane.State) -> [RotorDecoder.Command] {
        switch state {
        case .locked, .suspended: []
        case .released(_, until: nil): [.backOut(.exit), .loseTrack]
        case .released: [.begin(.entry), .begin(.exit), .loseTrack]
        case .passing: [.complete(.entry), .backOut(.entry), .findHome]
        case .recovering: [.findHome]
        }
    }

    static func name(_ lane: Lane) -> String {
        switch lane.state {
        case .locked: "locked"
        case .released(_, until: nil): "released, somebody comes the wrong way"
        case .released: "released"
        case .suspended: "suspended"
        case .passing: "passing"
        case .recovering: "recovering"
        }
    }

    static func name(_ service: ServiceMode) -> String {
        switch service.state {
        case .off: "off"
        case .turned: "key turned"
        case .awaitingIdle: "awaiting an idle gate"
        case .testing(let output, _): "testing \(output.name)"
        case .on: "on"
        case .leaving: "awaiting a clear lane"
        }
    }

    static func name(_ event: ServiceMode.Event) -> String {
        switch event {
        case .keyTurned: "key turned"
        case .idled: "gate idle"
        case .timePassed: "time passed"
        case .blocked: "stopped"
        case .ended: "emergency"
        case .failed: "output fails"
        case .cut: "output cut"
        case .requested: "requested"
        case .givenBack: "given back"
        case .testRequested: "test requested"
        case .keyReleased, .rotorMoved, .laneCleared: words(event)
        }
    }

    static func name(_ command: ServiceMode.Command) -> String {
        if case .start = command { "start" } else { words(command) }
    }

    static func name(_ event: Lane.Event) -> String {
        switch event {
        case .authorised: "authorised"
        case .moved(let movement, _): "\(words(movement)) (rotor)"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .closed: "closed"
        case .lockCut: "lock cut"
        case .found: "found in the rotor at the start"
        case .timePassed: "time passed"
        }
    }

    static func name(_ command: Lane.Command) -> String {
        switch command {
        case .expire: "expire"
        case .giveBack: "give back"
        case .complete(let grant): "complete, \(grant.direction)"
        case .loseTrack(let grant): "lose track, \(grant.direction)"
        case .backOut(let direction, _): "back out, \(direction)"
        case .recover(let passage): "recover, \(passage.direction)"
        case .start, .reportIntruder, .completeUnauthorised:
            words(command)
        }
    }

    /// A value as a person would write it: `reachMiddle(Direction.entry)` is `reach middle, entry`.
    static func words(_ value: some Hashable) -> String {
        "\(value)".replacing(/[A-Z]\w*\./, with: "").replacing("(", with: ", ")
            .replacing(")", with: "").replacing(/[A-Z]/) { " " + $0.output.lowercased() }
    }
}

extension String {
    /// There is no such block.
    struct MissingBlock: Error {
        let name: String
    }

    /// The text with another drawing between the line `<!-- drawing: name -->` and the next
    /// `<!-- end -->`.
    func replacing(block name: String, with drawing: String) throws -> String {
        guard let start = range(of: "<!-- drawing: \(name) -->\n"),
            let end = self[start.upperBound...].range(of: "<!-- end -->")
        else { throw MissingBlock(name: name) }
        return replacingCharacters(
            in: start.upperBound..<end.lowerBound, with: "```mermaid\n\(drawing)```\n")
    }
}
