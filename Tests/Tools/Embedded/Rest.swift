// The rest of the kit, for the same check: products, raised events, routes, snapshots, a table in
// all its words, a chart, and what explores and draws.
import Charts
import Exploration
import Holding
import Routing
import StateMachines

/// A switch that alternates.
enum Toggle: SelectiveMachine, Hashable {
    case off, on

    enum Kind: UInt8, Enumerated { case turnOn, turnOff }

    mutating func handle(_ event: Kind) -> Outcome<UInt8> {
        switch (self, event) {
        case (.off, .turnOn):
            self = .on
            return .handled(1)
        case (.on, .turnOff):
            self = .off
            return .handled([1, 2, 3])
        case (.off, .turnOff), (.on, .turnOn): return .unhandled
        }
    }

    var listens: KindSet<Kind> { self == .off ? [.turnOn] : [.turnOff] }
}

/// Counts down by raising events for itself.
struct Countdown: StateMachine, Hashable {
    typealias Command = Effect<UInt8, UInt8>

    mutating func handle(_ event: UInt8) -> Outcome<Command> {
        event == 0 ? .handled : .handled([.raise(event - 1), .perform(event)])
    }
}

/// Two switches under one name.
struct Switches: Adapter, Hashable {
    var base = Product(Toggle.off, Toggle.on)

    static func route(_ event: Bool) -> Routed<Toggle.Kind, Toggle.Kind>? {
        event ? .both(.turnOn, .turnOff) : .first(.turnOff)
    }

    static func translate(_ command: Either<UInt8, UInt8>) -> UInt8 {
        switch command {
        case .first(let command), .second(let command): command
        }
    }
}

/// Remembers when something is due.
struct Reminder: TimedMachine, Restorable {
    var due: Instant?

    mutating func handle(_ event: Instant) -> Outcome<UInt8> {
        due = event
        return .handled
    }

    var deadline: Instant? { due }
    static var snapshotVersion: Int { 1 }
    mutating func shiftInstants(by duration: Duration) { due = due.map { $0 + duration } }
}

/// A switch that must be opened to be used, as a table with a word of every kind.
enum Box: TableSyntax {
    enum State: UInt8, Enumerated { case shut, open, on }
    enum Event: UInt8, Enumerated { case opened, pressed, closed }
    typealias Command = UInt8

    static func table() throws(TableError) -> Table<Self> {
        try Table(initial: .shut, entryAndExit: .always) {
            let closable = superState(onExit: [1]) { when(.closed).then(.shut) }
            define(.shut) {
                then(.open) { when(.opened).commands(2) }
                commands(3) { condition { _, event in event != .opened }.when(.pressed).then() }
                when(.closed).ignored("shut already")
            }
            define(.open, adopts: closable) {
                When(.pressed).then(.on, or: .open) { state, _ in state == .open ? .on : .open }
                when(.opened).then().commands { _, _ in [4] }
            }
            define(.on, adopts: superState(adopts: closable)) {
                Override { when(.closed).ignored("it is on") }
                condition({ state, _ in state == .on }) { when(.pressed, or: .opened).then(.open) }
            }
        }
    }
}

/// Two lamps side by side that blink until both are broken.
enum Lamps: ChartSyntax {
    enum State: UInt8, Enumerated { case both, left, dark, lit, right, broken, end }
    struct Event: TimedEvent {
        enum Kind: UInt8, Enumerated { case hit, timePassed }
        let kind: Kind
        let instant: Instant
        static var timePassed: Kind { .timePassed }
    }
    typealias Command = UInt8
    typealias Context = Int

    static func command(for loss: ChartLoss<Event>) -> UInt8? { 9 }

    static func chart() throws(ChartError) -> Chart<Self> {
        try Chart(tolerating: .undecidedPairs) {
            initial(.both)
            parallel(.both) {
                state(.left) {
                    initial(.dark)
                    state(.dark) { after(.seconds(1)).then(.lit).commands(1) }
                    state(.lit) {
                        onExit(2)
                        when(.hit).then(.end).raise { $0.event }
                        after { .seconds($0.context) }.then(history: .left)
                    }
                }
                state(.right) {
                    when(.hit).update { hits, _ in hits += 1 }
                    always().condition { $0.context > 3 }.then(.broken).internally()
                    state(.broken)
                }
            }
            final(.end) { onEntry(3) }
        }
    }
}

/// Lets the lamps blink, and breaks them.
func commandsOfLamps() -> Int {
    guard let chart = try? Lamps.chart() else { return -1 }
    var (machine, commands) = chart.start(context: 1, at: .zero)
    for second in 1...5 {
        let now = Instant.zero + .seconds(second)
        commands.append(
            contentsOf: machine.handle(Lamps.Event(kind: .timePassed, instant: now)).commands)
        commands.append(contentsOf: machine.handle(Lamps.Event(kind: .hit, instant: now)).commands)
    }
    return commands.count + (machine.deadline == nil ? 0 : 1) + machine.exitCommands.count
}

/// Adds up what was told to it.
struct Tally: StateMachine, Sendable {
    var sum = 0

    mutating func handle(_ event: Int) -> Outcome<UInt8> {
        sum += event
        return .handled
    }
}

/// Holds a machine of routes, and observes it.
func sumOfRoutes() -> Int {
    let tally = Holder(Tally())
    var routes = Routes<Toggle, UInt8, UInt8>()
    let away = routes.add(from: [.off], to: .any)
    do throws(RouteError) {
        try routes.addChain(on: 1, .off, .on)
        try routes.addFallback(on: .any, from: .any)
    } catch {
        return -1
    }
    let holder = Holder(RouteMachine(state: Toggle.off, routes: routes)) { _, _ in
        tally.handle(1)
    }
    holder.observe { step, _ in tally.handle(step.outcome.commands.count) }
    holder.observe(route: away) { _, holder in holder.handle(.event(2)) }
    holder.observe(RouteChain(.off, .on), when: .complete) { _, _ in tally.handle(1) }
    holder.handle(.state(.on))
    holder.change { $0.routes.remove(away) }
    return tally.machine.sum
}

/// Uses all of it, and adds up what comes of it.
@_cdecl("run_rest")
public func runRest() -> Int {
    var switches = Switches()
    var sum = switches.handle(true).commands.count
    var countdown = RunToCompletion(Countdown())
    sum += countdown.handle(3).commands.count

    sum += sumOfRoutes()
    sum += commandsOfLamps()

    let snapshot = Snapshot(of: Reminder(due: .zero), at: .zero)
    sum += snapshot.restored(at: .zero + .seconds(1)).deadline == nil ? 0 : 1

    if let table = try? Box.table() {
        var box = TableMachine(table)
        for event in Box.Event.allCases { sum += box.handle(event).commands.count }
    }

    let search = StateSearch(from: Toggle.off, events: { _ in [.turnOn, .turnOff] }) { step in
        step.after != .on
    }
    sum += search.violation?.count ?? 0
    let graph = StateGraph(from: Regions(Toggle.off, Toggle.on), events: [.turnOn, .turnOff])
    let diagram = graph.diagram(
        state: { $0.first == .off ? "off" : "on" }, event: { $0 == .turnOn ? "on" : "off" },
        command: { $0 == 1 ? "1" : "more" })
    let drawn = diagram.mermaid + diagram.dot + ((try? diagram.scxml) ?? "")
    return sum + graph.transitionCover().count + drawn.utf8.count
}
