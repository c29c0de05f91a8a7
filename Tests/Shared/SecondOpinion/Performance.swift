import Seeds
import StateMachines
import Turnstile

/// A script, performed: what follows from what the gate does, and what the lines carry.
///
/// Locks move when they are driven, but for some; a shell that is late does not come when something
/// is due; processes end. All of it follows from the second opinion, so that the walk is the same
/// whatever the turnstile does.
struct Performance {
    /// All that happens, in its order, from the start on.
    private(set) var steps: [Step] = []
    private let equipment: Equipment
    private let debounce: [Input: Duration]
    private let maximumOnTimes: [Output: Duration]
    private var chance: SeededGenerator
    private var disk: Disk
    private var crashes: Crashes
    private let hasLedger: Bool
    private let isPunctual: Bool
    private let isObedient: Bool
    private var waiting: ArraySlice<Event>
    /// What the gate leads to, earliest first.
    private var moves: [Event] = []
    private var levels: InputLevels
    private var last = Instant.zero + .seconds(9)
    private var opinion: PlainGate
    private var remains: Remains

    init(_ script: Script, _ walk: Walk, _ disk: Disk) {
        equipment = walk.equipment
        debounce = walk.debounce
        chance = script.chance
        self.disk = disk
        crashes = Crashes(seed: walk.seed)
        hasLedger = walk.ledger != nil
        remains = Remains(walk.policy, ledger: walk.ledger)
        maximumOnTimes = walk.maximumOnTimes
        opinion = PlainGate(
            policy: walk.policy, equipment: equipment, debounce: debounce,
            maximumOnTimes: maximumOnTimes)
        levels = [.init(.home), .init(.vaultPresent)]
        if chance.oneIn(8) { levels[Input.allCases.one(&chance)].toggle() }
        levels = levels.intersection(equipment.inputs)
        isPunctual = !chance.oneIn(3)
        isObedient = !chance.oneIn(4)
        waiting =
            script.entries.enumerated()
            .sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.element)[...]
        let clock = WeekTime.random(&chance)
        let isReadFirst = !chance.oneIn(3)
        start(Restart(time: last, levels: levels, clock: isReadFirst ? clock : nil))
        if !isReadFirst { happen(Event(.clockRead(clock), at: last)) }
        while let following = waiting.first {
            advance(until: following)
            react()
            if crashes.strike() { crash() }
        }
    }

    /// The next thing happens: `following`, or what comes before it.
    private mutating func advance(until following: Event) {
        let due = isPunctual ? opinion.nextTime : nil
        if let due, due <= min(following.time, moves.first?.time ?? following.time) {
            return happen(Event(.timePassed, at: max(due, last)))
        }
        var event = takeNext(following)
        if case .edgesLost = event.kind {
            for _ in 0...Int.random(in: 0...1, using: &chance) {
                levels[Input.allCases.one(&chance)].toggle()
            }
            levels = levels.intersection(equipment.inputs)
            event.kind = .edgesLost(levels)
        }
        happen(event)
    }

    private mutating func takeNext(_ following: Event) -> Event {
        var event = following
        if let move = moves.first, move.time <= following.time {
            event = moves.removeFirst()
        } else {
            waiting.removeFirst()
        }
        if case .changed(let input, let isActive) = event.kind { levels[input] = isActive }
        return event
    }

    private mutating func happen(_ event: Event) {
        guard remains.admits(event) else { return }
        if case .ledgerOpened = event.kind {
            guard let opening = remains.opening(at: event.time) else { return }
            steps.append(.opening(at: event.time))
            handle(opening)
        } else {
            steps.append(.event(event))
            handle(event)
        }
    }

    private mutating func handle(_ event: Event) {
        last = event.time
        opinion.happen(event)
        remains.follow(
            event, opinion.records, asksToStore: opinion.asksToStore, opinion.retained)
    }

    /// The disk answers, and locks follow.
    private mutating func react() {
        if hasLedger {
            let answers = disk.answers(isAsked: opinion.asksToStore, at: last)
            // An answer is to the last that was asked for.
            if !answers.isEmpty { moves.removeAll { $0.isOfStorage } }
            plan(answers)
        }
        guard isObedient else { return }
        for direction in Direction.allCases where equipment.inputs[direction.lockFeedback] {
            let isReleased = opinion.on[direction.lock]
            let isMoving = moves.contains { $0.input == direction.lockFeedback }
            guard levels[direction.lockFeedback] != isReleased, !isMoving else { continue }
            let kind = Event.Kind.changed(direction.lockFeedback, isActive: isReleased)
            plan([Event(kind, at: last + .microseconds(20_007))])
        }
    }

    private mutating func plan(_ events: [Event]) {
        moves = (moves + events).sorted { $0.time < $1.time }
    }

    // MARK: Restarts

    /// The process ends; what happens before the next one starts shows in the lines alone.
    private mutating func crash() {
        let time = last + crashes.pause()
        var hasGap = false
        while let next = waiting.first, next.time <= time {
            hasGap = takeNext(next).isOfCoins || hasGap
        }
        while let move = moves.first, move.time <= time { _ = takeNext(move) }
        moves.removeAll { $0.isOfStorage || $0.isOpening }
        start(crashes.restart(at: time, levels, hasGap: hasGap))
        if remains.isLedgerAwaited { plan(crashes.openings(after: time)) }
        react()
    }

    private mutating func start(_ restart: Restart) {
        let (ledger, recovery) = remains.restart(restart)
        opinion = PlainGate(
            policy: remains.policy, equipment: equipment, debounce: debounce,
            maximumOnTimes: maximumOnTimes, ledger: ledger, recovery: recovery)
        steps.append(.restart(restart))
        for event in restart.events { handle(event) }
    }
}

extension Event {
    /// Whether the ledger's storage tells of itself.
    fileprivate var isOfStorage: Bool { kind == .durable || kind == .storageFailed }

    fileprivate var isOpening: Bool { if case .ledgerOpened = kind { true } else { false } }

    /// Whether it is an edge of a coin line.
    fileprivate var isOfCoins: Bool {
        Acceptor.allCases.contains { $0.line == input }
    }

    fileprivate var input: Input? {
        if case .changed(let input, _) = kind { input } else { nil }
    }
}

extension [Input] {
    fileprivate func one(_ chance: inout SeededGenerator) -> Input {
        self[Int.random(in: indices, using: &chance)]
    }
}
