import Settings
public import SimulatedHardware
public import Turnstile

/// The actions on a simulated gate, by their words: `coin 50`, `push entry`.
///
/// The words are published: scenarios are written in them, and operators type them.
public enum Move: String, CaseIterable, Sendable {
    case coin, fish, strike
    case push, force, tailgate
    case letGo = "let-go"
    case stand
    case backOut = "back-out"
    case raiseArm = "raise-arm"
    case fire, contact, press, disturb
    case fault, repair, lose, miss

    /// The syntax: capitals are replaced, brackets are optional.
    public var usage: String {
        switch self {
        case .coin: "coin AMOUNT [ACCEPTOR]"
        case .fish: "fish PULSES [ACCEPTOR]"
        case .strike: "strike [ACCEPTOR]"
        case .push, .force, .tailgate: "\(rawValue) entry|exit"
        case .letGo, .stand, .backOut, .raiseArm: rawValue
        case .fire: "fire open|closed"
        case .contact: "contact INPUT on|off"
        case .press: "press INPUT [DURATION]"
        case .disturb: "disturb on|off DURATION"
        case .fault:
            "fault INPUT dead|stuck|unreadable, OUTPUT stuck|undrivable, "
                + "LOCK jammed, PULSE_LINE jammed, or arm bent"
        case .repair: "repair [DEFECT]"
        case .lose: "lose EDGES"
        case .miss: "miss INPUT"
        }
    }

    public var summary: String {
        switch self {
        case .coin: "a coin of this value, in minor units of the currency, is inserted"
        case .fish: "a coin on a string is moved: so many pulses, and no coin in the vault"
        case .strike: "a blow to the acceptor: coins fall past its gate"
        case .push: "a person walks into the arm"
        case .force: "a person breaks through, whatever the bolt does"
        case .tailgate: "a second person squeezes in behind the passenger"
        case .letGo: "the person at the arm lets it go"
        case .stand: "the passenger stands still"
        case .backOut: "the passenger steps back"
        case .raiseArm: "the dropped arm is raised by hand"
        case .fire: "the emergency loop opens, or is closed again"
        case .contact: "a contact becomes active, or inactive, and stays so"
        case .press: "a button is pressed or a key turned, for 300ms by default"
        case .disturb: "both rotor sensors show this for so long, whatever they see"
        case .fault: "something breaks"
        case .repair: "the defect is repaired; without a name, all defects"
        case .lose: "so many of the next edges are lost, and the loss is noticed"
        case .miss: "the next edge of the line is lost, unnoticed"
        }
    }
}

extension Move {
    /// Throws a mistake in the words, with its column on line 1.
    public static func event(
        _ words: String, wired equipment: Equipment
    ) throws(WordError) -> World.Event {
        var reader = WordReader(words, line: 1)
        let event = try event(&reader)
        try reader.expectEnd()
        if let line = event.line, !equipment.has(line) {
            throw WordError(
                "no \(line) is wired at this gate, which has \(equipment.names(like: line))")
        }
        return event
    }

    /// The action of the next words.
    package static func event(_ reader: inout WordReader) throws(WordError) -> World.Event {
        let word = try reader.take("a move", of: allCases.map(\.rawValue))
        guard let move = Move(rawValue: word) else { preconditionFailure("it is one of them") }
        switch move {
        case .coin:
            let value = try reader.takeNumber("an amount", in: 1...100_000) { word in
                minorUnits(of: word).map { ", in minor units of the currency: write \($0)" } ?? ""
            }
            return .coinInserted(value: value, into: try reader.takeAcceptor())
        case .fish:
            let pulses = try reader.takeNumber("a number of pulses", in: 1...1_000)
            return .coinFished(pulses: pulses, in: try reader.takeAcceptor())
        case .strike: return .acceptorStruck(try reader.takeAcceptor())
        case .push: return .armPushed(try reader.take(Direction.self))
        case .force: return .armForced(try reader.take(Direction.self))
        case .tailgate: return .tailgated(try reader.take(Direction.self))
        case .letGo: return .armLetGo
        case .stand: return .stoodStill
        case .backOut: return .steppedBack()
        case .raiseArm: return .armRaised
        case .fire: return .contactMoved(.fire, isActive: try reader.takeSwitch("open", "closed"))
        case .contact:
            let input = try reader.take(Input.self)
            return .contactMoved(input, isActive: try reader.takeSwitch("on", "off"))
        case .press:
            let input = try reader.take(Input.self)
            guard !reader.isAtEnd else { return .contactPressed(input) }
            return .contactPressed(input, for: try reader.takeDuration(in: Self.lengths))
        case .disturb:
            let isActive = try reader.takeSwitch("on", "off")
            return .sensorsDisturbed(
                isActive: isActive, for: try reader.takeDuration(in: Self.lengths))
        case .fault: return .defectAppeared(try reader.takeDefect())
        case .repair:
            return reader.isAtEnd ? .everythingRepaired : .defectRepaired(try reader.takeDefect())
        case .lose: return .queueOverflowed(edges: try reader.takeNumber("edges", in: 1...1_000))
        case .miss: return .edgeMissed(try reader.take(Input.self))
        }
    }

    /// How long something may be done.
    private static let lengths: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3_600)
}

extension WordReader {
    /// An acceptor by its number, or the first.
    fileprivate mutating func takeAcceptor() throws(WordError) -> Acceptor {
        guard !isAtEnd else { return .first }
        let numbers = 1...Acceptor.allCases.count
        return Acceptor.allCases[try takeNumber("an acceptor", in: numbers) - 1]
    }

    fileprivate mutating func takeSwitch(
        _ active: String, _ inactive: String
    ) throws(WordError) -> Bool {
        try take("'\(active)' or '\(inactive)'", of: [active, inactive]) == active
    }

    fileprivate mutating func takeDefect() throws(WordError) -> Defect {
        let parts = Input.allCases.map(\.name) + Output.allCases.map(\.name) + ["arm"]
        let part = try take("what breaks", of: parts)
        let defects = Defect.all.filter { $0.words.part == part }
        let kind = try take("how it breaks", of: defects.map(\.words.kind))
        guard let defect = defects.first(where: { $0.words.kind == kind }) else {
            preconditionFailure("it is one of them")
        }
        return defect
    }
}

extension Defect {
    /// The words for the defect: its part and its kind.
    var words: (part: String, kind: String) {
        switch self {
        case .brokenWire(let input): (input.name, "dead")
        case .stuckActive(let input): (input.name, "stuck")
        case .unreadable(let input): (input.name, "unreadable")
        case .jammedAcceptor(let acceptor): (acceptor.line.name, "jammed")
        case .stuckOutput(let output): (output.name, "stuck")
        case .undrivable(let output): (output.name, "undrivable")
        case .jammedBolt(let direction): (direction.lock.name, "jammed")
        case .bentArm: ("arm", "bent")
        }
    }
}
