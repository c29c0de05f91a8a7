import StateMachines
import Turnstile

/// A turnstile in a world of its own, whose clock ticks: what the explorer explores.
///
/// All durations of its policy are whole ticks and every event comes on a tick, so that time has
/// few values; after each event all instants are moved so that it is 0 o'clock again, so that the
/// same situation later is the same situation. What the turnstile must not get wrong, the world
/// counts for itself, in the plainest way.
struct Situation: StateMachine {
    private(set) var turnstile: Turnstile
    private(set) var world: World
    /// What the scene is about; it does not change.
    let scene: Scene

    init(_ scene: Scene) {
        self.scene = scene
        turnstile = scene.turnstile(
            scene.policy, ledger: scene.ledger.map { .open($0) } ?? .none)
        world = World(scene)
    }

    /// What the lines carry.
    var inputs: InputLevels { turnstile.inputs }

    /// What a gate that starts by this happening knows of the one before; nil for all that is no
    /// start.
    func past(of happening: Happening) -> Past? {
        switch happening {
        case .started: Past(recovery: .known(RetainedState()), balances: scene.ledger)
        case .restarted(let memory, let pages): past(memory, pages)
        case _: nil
        }
    }

    private func past(_ memory: Happening.Memory, _ pages: Happening.Pages) -> Past {
        let recovery: Recovery =
            switch memory {
            case .latest: .known(remembered(after: .zero))
            case .deaf: .known(remembered(after: scene.policy.passWait, losingEdges: true))
            case .older: .known(world.olderState)
            case .none: .unknown
            }
        let balances = world.notebook.map {
            pages == .all && $0.closed == nil ? $0.all : $0.durable
        }
        return Past(recovery: recovery, balances: balances)
    }

    /// What a process finds that starts after so much time.
    private func remembered(
        after absence: Duration, losingEdges isDeaf: Bool = false
    ) -> RetainedState {
        var state = turnstile.retained
        state.absence = absence
        for acceptor in Acceptor.allCases where isDeaf { state.loseEdges(of: acceptor) }
        return state
    }

    mutating func handle(_ happening: Happening) -> Outcome<Command> {
        let offer = World.Offer(turnstile)
        let past = past(of: happening)
        let outcome = happen(happening)
        if case .restarted = happening, let past { world.restart(past, scene.mayLosePower) }
        world.advance(happening, inputs, offer)
        for command in outcome.commands { world.observe(command) }
        world.look(at: turnstile)
        if scene.lockTicks != nil {
            world.watchLocks(of: turnstile, hasTicked: happening == .ticked)
        }
        if happening == .ticked, scene.mayLosePower { world.writeDown(turnstile.retained) }
        return outcome
    }

    private mutating func happen(_ happening: Happening) -> Outcome<Command> {
        switch happening {
        case .started(let levels): return send(.started(levels))
        case .restarted: return restart(past(of: happening))
        case .ledgerOpened:
            guard let balances = world.notebook?.closed else { return .unhandled }
            return send(.ledgerOpened(balances))
        case .changed(let change):
            let (input, isActive) = change.applied(to: inputs, of: scene.equipment)
            return send(.changed(input, isActive: isActive))
        case .pressed(let key):
            let outcome = send(.changed(key, isActive: true))
            return outcome.joined(with: send(.changed(key, isActive: false)))
        case .edgesLost(let meanwhile):
            var now = inputs
            for change in meanwhile {
                let (input, isActive) = change.applied(to: now, of: scene.equipment)
                now[input] = isActive
            }
            return send(.edgesLost(now))
        case .lineFailed(let line): return send(.lineFailed(line, .unreadable))
        case .lineRecovered(let line): return send(.lineRecovered(line))
        case .cutAhead(let output): return send(.onTimeWarning(output))
        case .outputCut(let output): return send(.outputCut(output))
        case .asked(let request, let requester):
            return send(.requested(request, by: requester))
        case .policyChanged: return send(.requested(.adopt(scene.otherPolicy), by: .settings))
        case .clockRead(let time): return send(.clockRead(time))
        case .clockStepped: return send(.clockStepped(by: scene.tick))
        case .durable: return send(.durable)
        case .storageFailed: return send(.storageFailed)
        case .ticked:
            turnstile.shiftInstants(by: .zero - scene.tick)
            return cutLocks(send(.timePassed))
        }
    }

    /// Does what the shell does to a lock that was on for as long as it may be.
    private mutating func cutLocks(_ outcome: Outcome<Command>) -> Outcome<Command> {
        guard let most = scene.lockTicks else { return outcome }
        var outcome = outcome
        for direction in Direction.allCases
        where world.lockTicks[direction] >= most && turnstile.isOn(direction.lock) {
            outcome = outcome.joined(with: send(.outputCut(direction.lock)))
        }
        return outcome
    }

    /// The process ends as a crash ends it, and a new one starts at once, before it could open its
    /// ledger.
    private mutating func restart(_ past: Past?) -> Outcome<Command> {
        guard let past else { return .unhandled }
        let levels = inputs
        turnstile = scene.turnstile(
            turnstile.gate.policy, ledger: past.balances == nil ? .none : .awaited,
            recovery: past.recovery)
        return send(.started(levels))
    }

    private mutating func send(_ kind: Turnstile.Event.Kind) -> Outcome<Command> {
        turnstile.handle(Turnstile.Event(kind, at: .zero))
    }
}

extension Situation: Hashable {
    static func == (a: Situation, b: Situation) -> Bool {
        a.world == b.world && a.turnstile == b.turnstile
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(turnstile)
        hasher.combine(world)
    }
}

/// What a gate that starts knows of the one before it.
struct Past {
    var recovery: Recovery
    /// What the ledger holds that it will open; nil without one.
    var balances: Balances?
}

/// What may happen to a turnstile in the world.
enum Happening: Hashable {
    case started(InputLevels)
    /// The process died, and the next one finds this of the state, and this of the ledger.
    case restarted(Memory, Pages)
    /// The ledger that a new process has waited for is open.
    case ledgerOpened
    case changed(Change)
    /// A key was turned, a contact closed, and let go.
    case pressed(Input)
    /// These changes went unnoticed.
    case edgesLost([Change])
    case lineFailed(Line)
    case lineRecovered(Line)
    /// The output is cut soon.
    case cutAhead(Output)
    case outputCut(Output)
    case policyChanged
    /// Somebody asked for this from afar.
    case asked(Request, by: Requester)
    case clockRead(WeekTime)
    case clockStepped
    /// The ledger did what it was asked for, or could not.
    case durable, storageFailed
    case ticked

    /// What was kept of the state.
    enum Memory: Hashable {
        /// All, as after a crash.
        case latest
        /// All, but nobody heard of the lines for as long as people wait.
        case deaf
        /// What the disk had a while ago, as after a loss of power.
        case older
        /// Nothing.
        case none
    }

    /// What was kept of the records.
    enum Pages: Hashable {
        /// All of them.
        case all
        /// Those that the ledger has said are stored.
        case durable
    }

    /// One edge.
    enum Change: Hashable {
        /// The line became active when it was not, inactive when it was.
        case toggled(Input)
        /// The rotor went on by a quarter.
        case turned(Direction)

        /// The input that changes, and what it is then.
        func applied(
            to levels: InputLevels, of equipment: Equipment
        ) -> (Input, isActive: Bool) {
            switch self {
            case .toggled(let input): return (input, !levels[input])
            case .turned(let direction):
                let (a, b): (Input, Input) =
                    equipment.inputs[.beamA] ? (.beamA, .beamB) : (.rotorA, .rotorB)
                // In quadrature the sensors take turns; which one's it is depends on the way.
                let isFirst = (levels[a] == levels[b]) == (direction == .entry)
                return isFirst ? (a, !levels[a]) : (b, !levels[b])
            }
        }
    }
}

extension Turnstile {
    /// Whether the output does what it is for.
    func isOn(_ output: Output) -> Bool { gate.drive?[output] ?? false }
}

extension InputLevels {
    /// Whether the rotor's sensors show that nobody is in it.
    var isRotorHome: Bool {
        !self[.rotorA] && !self[.rotorB] && !self[.beamA] && !self[.beamB]
    }
}
