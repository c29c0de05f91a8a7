import Seeds
import StateMachines
import Testing

@Suite struct HierarchyTests {
    /// Five coins of ten open; a passage closes; a second one sounds the alarm.
    static let story: [(TurnstileEvent, Outcome<TurnstileCommand>)] = [
        (.coinInserted(value: 10), .handled), (.coinInserted(value: 10), .handled),
        (.coinInserted(value: 10), .handled), (.coinInserted(value: 10), .handled),
        (.coinInserted(value: 10), .handled(.openDoors)), (.personPassed, .handled(.closeDoors)),
        (.personPassed, .handled(.soundAlarm)), (.coinInserted(value: 20), .handled),
        (.machineFailed, .handled), (.coinInserted(value: 10), .unhandled),
        (.repairCompleted, .handled),
    ]

    @Test func `the flat turnstile tells the story and is locked anew after repair`() {
        var turnstile = FlatTurnstile()
        for (event, outcome) in Self.story { #expect(turnstile.handle(event) == outcome) }
        #expect(turnstile.state == .locked(credit: 0))
    }

    @Test func `the hierarchical turnstile is a drop-in that resumes the old state`() {
        var turnstile = HierarchicalTurnstile.functioning(.locked(credit: 0))
        for (event, outcome) in Self.story { #expect(turnstile.handle(event) == outcome) }
        #expect(turnstile == .functioning(.locked(credit: 20)))
    }

    @Test func `what each state makes of each event`() {
        typealias State = FlatTurnstile.State
        let locked = State.locked(credit: 30)
        let rows: [(State, TurnstileEvent, State, Outcome<TurnstileCommand>)] = [
            (locked, .coinInserted(value: 19), .locked(credit: 49), .handled),
            (locked, .coinInserted(value: 20), .unlocked, .handled(.openDoors)),
            (locked, .personPassed, locked, .handled(.soundAlarm)),
            (locked, .machineFailed, .broken(was: locked), .handled),
            (locked, .repairCompleted, locked, .unhandled),
            (.unlocked, .coinInserted(value: 10), .unlocked, .ignored("paid already")),
            (.unlocked, .personPassed, .locked(credit: 0), .handled(.closeDoors)),
            (.unlocked, .machineFailed, .broken(was: .unlocked), .handled),
            (.unlocked, .repairCompleted, .unlocked, .unhandled),
            (.broken(was: locked), .coinInserted(value: 10), .broken(was: locked), .unhandled),
            (.broken(was: locked), .personPassed, .broken(was: locked), .unhandled),
            (.broken(was: locked), .machineFailed, .broken(was: locked), .unhandled),
            (.broken(was: locked), .repairCompleted, .locked(credit: 0), .handled),
        ]
        for (before, event, after, outcome) in rows {
            var turnstile = FlatTurnstile(state: before)
            let step = turnstile.step(event)
            #expect(step.after.state == after && step.outcome == outcome, "\(step)")
        }
        var resuming = FlatTurnstile(state: .broken(was: .unlocked), repairResumes: true)
        #expect(resuming.step(.repairCompleted).after.state == .unlocked)
    }

    /// Runs commands as a shell does, and knows of no state.
    struct Shell<Machine: StateMachine<TurnstileEvent, TurnstileCommand>> {
        var machine: Machine
        var doors: [String] = []
        var alarms = 0

        mutating func tell(_ event: TurnstileEvent) {
            for command in machine.handle(event).commands {
                switch command {
                case .openDoors: doors.append("open")
                case .closeDoors: doors.append("close")
                case .soundAlarm: alarms += 1
                }
            }
        }
    }

    @Test func `one shell serves the flat turnstile and the hierarchical one`() {
        var flat = Shell(machine: FlatTurnstile())
        var nested = Shell(machine: HierarchicalTurnstile.functioning(.locked(credit: 0)))
        for (event, _) in Self.story {
            flat.tell(event)
            nested.tell(event)
        }
        #expect(flat.doors == ["open", "close"] && flat.alarms == 1)
        #expect(nested.doors == flat.doors && nested.alarms == flat.alarms)
    }

    @Test func `flat and hierarchical agree on random events`() {
        var random = SeededGenerator()
        var flat = FlatTurnstile(repairResumes: true)
        var nested = HierarchicalTurnstile.functioning(.locked(credit: 0))
        for _ in 0..<10_000 {
            let event = random.turnstileEvent()
            #expect(flat.handle(event) == nested.handle(event), "\(random)")
        }
    }

    @Test func `asking does not make the move`() {
        let turnstile = FlatTurnstile(state: .unlocked)
        #expect(turnstile.permits(.personPassed))
        #expect(!turnstile.permits(.coinInserted(value: 10)))
        #expect(turnstile.outcome(of: .coinInserted(value: 10)) == .ignored("paid already"))
        #expect(turnstile.state == .unlocked)
    }

    @Test func `a step tells state and event of what nobody handled`() {
        var inner = FunctioningTurnstile.locked(credit: 0)
        #expect(
            "\(inner.step(.personPassed))"
                == "locked(credit: 0), personPassed: locked(credit: 0) [soundAlarm]")
        var outer = HierarchicalTurnstile.broken(was: inner)
        let step = outer.step(.personPassed)
        #expect(step.outcome == .unhandled)
        #expect(step.event == .personPassed)
        #expect("\(step)".hasSuffix("personPassed: unhandled"))
    }

    @Test func `the coin acceptor is switched by what the state listens to`() {
        var turnstile = HierarchicalTurnstile.functioning(.locked(credit: 40))
        let before = turnstile.listens
        #expect(before.contains(.coinInserted))
        #expect(turnstile.handle(.coinInserted(value: 10)) == .handled(.openDoors))
        #expect(before.subtracting(turnstile.listens).kinds == [.coinInserted])
        #expect(turnstile.listens.description == "[personPassed, machineFailed]")
    }
}

/// A gate whose states have commands of their own, with a machine inside one of them.
enum Gate: Statechart, TimedMachine, Hashable {
    case closed(Panel)
    case open
    case faulty(was: Panel)

    enum Event: CaseIterable { case pushed, pulled, pressed, failed, repaired }
    enum Command: Hashable { case lock, release, light, darken, dim, callMechanic, clear, count }
    enum Kind: UInt8, Enumerated { case closed, open, faulty }

    enum Panel: Statechart, Hashable, Kinded {
        case dark, bright
        enum Kind: UInt8, Enumerated { case dark, bright }
        var kind: Kind { self == .dark ? .dark : .bright }
        var entryCommands: Commands<Command> { self == .dark ? [] : [.light] }
        var exitCommands: Commands<Command> { self == .dark ? [] : [.darken] }
        mutating func react(to event: Event) -> Transition<Command> {
            guard case .pressed = event else { return .unhandled }
            return enter(self == .dark ? .bright : .dark, doing: [.dim])
        }
    }

    var deadline: Instant? { nil }
    var position: Kind {
        switch self {
        case .closed: .closed
        case .open: .open
        case .faulty: .faulty
        }
    }
    var entryCommands: Commands<Command> {
        switch self {
        case .closed(let panel): [.lock] + panel.entryCommands
        case .open: [.release]
        case .faulty: [.callMechanic]
        }
    }
    var exitCommands: Commands<Command> {
        switch self {
        case .closed(let panel): panel.exitCommands
        case .open: []
        case .faulty: [.clear]
        }
    }
    mutating func react(to event: Event) -> Transition<Command> {
        switch (self, event) {
        case (.closed, .pulled): enter(.open, doing: [.count])
        case (.open, .pushed): enter(.closed(.dark))
        case (.closed(let panel), .failed): enter(.faulty(was: panel))
        case (.faulty(let panel), .repaired): enter(.closed(panel))
        case (.closed(let panel), _): forward(event, to: panel, in: Self.closed)
        case (.open, _), (.faulty, _): .unhandled
        }
    }
}

@Suite struct StatechartTests {
    @Test func `exit comes first, then the transition, then entry, the inner state's inmost`() {
        var gate = Gate.closed(.dark)
        #expect(gate.handle(.pressed) == .handled([.dim, .light]))
        #expect(gate.handle(.failed) == .handled([.darken, .callMechanic]))
        #expect(gate.handle(.repaired) == .handled([.clear, .lock, .light]))
        #expect(gate == .closed(.bright))
        #expect(gate.handle(.pulled) == .handled([.darken, .count, .release]))
        #expect(gate.handle(.pushed) == .handled([.lock]))
    }

    @Test func `what is not handled runs neither exit nor entry`() {
        var gate = Gate.open
        #expect(gate.handle(.repaired) == .unhandled)
        #expect(gate == .open)
    }
}
