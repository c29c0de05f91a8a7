import Charts
import StateMachines

// From one event to the next: what the recommendation leaves to the platform, as the kit says it.
extension PlainChart {
    /// Enters the chart.
    init(_ written: WrittenChart, context: Int, at now: Instant) {
        self.written = written
        children = written.nodes.indices.map(written.children)
        ancestors = written.nodes.indices.map(written.ancestors)
        self.context = context
        self.now = now
        stepsLeft = written.stepLimit
        let start = initial(of: 0)
        run(start.deeds)
        arm(0)
        enterStates([(start.targets, 0)])
        runToCompletion()
        event = nil
    }

    /// Handles an event from outside.
    mutating func handle(_ happening: Happening) -> Verdict {
        commands = []
        isEndless = false
        hasFired = false
        if hasEnded { return .ignored("the chart has ended") }
        stepsLeft = written.stepLimit
        fireTimers(upTo: happening.instant)
        defer { event = nil }
        if happening.kind == .timePassed {
            return hasFired ? .handled : .ignored("no timeout is due")
        }
        if hasEnded {
            commands.append(.dropped(happening.kind))
            return .handled
        }
        now = happening.instant
        // An event that changes nothing changes nothing: rows without an event are not looked at.
        let verdict = take(.event(happening))
        if verdict == .handled { runToCompletion() }
        if !hasFired { return verdict }
        if verdict == .unhandled { commands.append(.unhandled(happening.kind)) }
        return .handled
    }

    /// Whether one step more may be made.
    private mutating func step() -> Bool {
        if stepsLeft == 0 {
            if !isEndless { commands.append(.endless) }
            isEndless = true
            return false
        }
        stepsLeft -= 1
        return true
    }

    /// Eventless rows first, then what was raised, until there is neither.
    private mutating func runToCompletion() {
        while !hasEnded {
            let eventless = selected { row($0).trigger == .always }
            if eventless.isEmpty, raised.isEmpty { return }
            guard step() else { break }
            if !eventless.isEmpty {
                microstep(eventless)
                continue
            }
            let signal = raised.removeFirst()
            if take(signal) == .unhandled, case .event(let event) = signal {
                commands.append(.unhandled(event.kind))
            }
        }
        for case .event(let event) in raised { commands.append(.dropped(event.kind)) }
        raised = []
    }

    /// Takes the rows that a signal selects.
    private mutating func take(_ signal: Signal) -> Verdict {
        event = if case .event(let event) = signal { event } else { nil }
        let chosen = selected { isMeant($0, by: signal) }
        microstep(chosen)
        let reasons = chosen.compactMap { row($0).reason }
        if let reason = reasons.first, reasons.count == chosen.count { return .ignored(reason) }
        return chosen.isEmpty ? .unhandled : .handled
    }

    private func isMeant(_ transition: Transition, by signal: Signal) -> Bool {
        switch (row(transition).trigger, signal) {
        case (.events(let kinds), .event(let event)): kinds.contains(event.kind)
        case (.any, .event), (.any, .done): true
        case (.done(let node), .done(let other)): node == other
        case (.after, .timeout(let timer)):
            timer.node == transition.source
                && row(transition).trigger == written.nodes[timer.node].rows[timer.row].trigger
        case (.events, _), (.any, _), (.done, _), (.after, _), (.always, _): false
        }
    }

    // MARK: - What a machine round it asks

    /// The kinds of event that some active node has a row for, and that of time where it waits.
    var listens: KindSet<Happening.Kind> {
        if hasEnded { return [] }
        var kinds: KindSet<Happening.Kind> = timers.isEmpty ? [] : [.timePassed]
        for row in configuration.union([0]).flatMap({ written.nodes[$0].rows }) {
            switch row.trigger {
            case .events(let named): kinds = kinds.union(KindSet(named))
            case .any: return .all
            case .done, .always, .after: break
            }
        }
        return kinds
    }

    /// What is done to enter the active nodes, and to leave them, when nothing happens.
    var entryAndExit: (entry: [Command], exit: [Command]) {
        var entering = self
        entering.now = .zero
        entering.commands = []
        var leaving = entering
        entering.configuration = []
        for node in configuration.sorted() {
            entering.configuration.insert(node)
            written.nodes[node].onEntry.forEach { entering.run($0) }
        }
        for node in configuration.sorted(by: >) {
            written.nodes[node].onExit.forEach { leaving.run($0) }
            leaving.configuration.remove(node)
        }
        return (entering.commands, leaving.commands)
    }

    // MARK: - Time

    /// Sets the timers of a node that is entered, one for each delay.
    mutating func arm(_ node: Int) {
        var known: [WrittenChart.Trigger] = []
        for (place, row) in written.nodes[node].rows.enumerated() {
            guard case .after(let delay, let isWorkedOut) = row.trigger,
                !known.contains(row.trigger)
            else { continue }
            known.append(row.trigger)
            let whole = delay + (isWorkedOut ? context : 0)
            timers.append(Timer(node: node, row: place, due: now + .milliseconds(whole)))
        }
    }

    /// When the chart next wants to hear of the time.
    var deadline: Instant? { hasEnded ? nil : timers.map(\.due).min() }

    /// Fires what is due, the earliest first, and of those the first in document order.
    private mutating func fireTimers(upTo instant: Instant) {
        while !hasEnded {
            let due = timers.filter { $0.due <= instant }
            guard let timer = due.min(by: { ($0.due, $0.node, $0.row) < ($1.due, $1.node, $1.row) })
            else { break }
            guard step() else { break }
            timers.removeAll { $0 == timer }
            now = timer.due
            hasFired = true
            _ = take(.timeout(timer))
            runToCompletion()
        }
    }
}
