import Charts
import StateMachines

/// Says a written chart in the words of the kit.
struct ChartRendering {
    typealias Words = RandomWords
    let written: WrittenChart

    static func build(_ written: WrittenChart) throws(ChartError) -> Chart<Words> {
        let rendering = ChartRendering(written: written)
        return try Chart<Words>(tolerating: .everything, stepLimit: written.stepLimit) {
            rendering.parts(of: 0)
        }
    }

    private func parts(of node: Int) -> [ChartPart<Words>] {
        let it = written.nodes[node]
        var parts: [ChartPart<Words>] = []
        if let initial = it.initial { parts += Self.part(self.initial(initial)) }
        for depth in [ChartHistory.shallow, .deep] {
            if let history = it.histories[depth] {
                parts += Self.part(self.history(depth, history))
            }
        }
        for deeds in it.onEntry { parts += Self.part(deeds.reduce(Words.onEntry(), Self.add)) }
        for deeds in it.onExit { parts += Self.part(deeds.reduce(Words.onExit(), Self.add)) }
        for row in it.rows { parts += Self.part(self.row(row)) }
        return parts + written.children(of: node).map(part)
    }

    private func part(_ node: Int) -> ChartPart<Words> {
        let place = self.place(node)
        let parts = parts(of: node)
        switch written.nodes[node].kind {
        case .state: return parts.isEmpty ? Words.state(place) : Words.state(place) { parts }
        case .parallel: return Words.parallel(place) { parts }
        case .final: return parts.isEmpty ? Words.final(place) : Words.final(place) { parts }
        }
    }

    private func place(_ node: Int) -> Place {
        guard let place = written.nodes[node].state else { fatalError("the chart is no target") }
        return place
    }

    // MARK: - Handlers

    private func initial(_ it: WrittenChart.Default) -> ChartHandler<Words> {
        let first = it.targets[0]
        let place = self.place(first.node)
        let handler =
            if let depth = first.history {
                Words.initial(history: place, depth)
            } else if it.targets.count > 1 {
                Words.initial(place, self.place(it.targets[1].node))
            } else { Words.initial(place) }
        return it.deeds.reduce(handler, Self.add)
    }

    private func history(
        _ depth: ChartHistory, _ it: WrittenChart.Default
    ) -> ChartHandler<Words> {
        let place = self.place(it.targets[0].node)
        let handler =
            it.targets.count > 1
            ? Words.history(depth, initially: place, self.place(it.targets[1].node))
            : Words.history(depth, initially: place)
        return it.deeds.reduce(handler, Self.add)
    }

    private static func add(
        _ handler: ChartHandler<Words>, _ deed: WrittenChart.Deed
    ) -> ChartHandler<Words> {
        switch deed {
        case .say(let number): handler.commands(.say(number))
        case .look(let place): handler.commands { look($0, at: place) }
        case .raise(let kind): handler.raise { Happening(kind: kind, instant: $0.now) }
        case .echo: handler.raise { $0.event }
        case .add(let number): handler.update { context, _ in context += number }
        case .addEvent: handler.update { $0 += $1.map { $0.kind.ordinal + 1 } ?? 0 }
        }
    }

    private static func look(
        _ situation: Situation<Words>, at place: Place
    ) -> Commands<Words.Command> {
        [
            .saw(
                situation.isIn(place), context: situation.context, event: situation.event,
                now: situation.now)
        ]
    }

    // MARK: - Rows

    private func row(_ it: WrittenChart.Row) -> ChartRow<Words> {
        var row = start(it.trigger)
        for condition in it.conditions {
            row = row.condition { situation in
                condition.holds(
                    isIn: situation.isIn, context: situation.context, event: situation.event,
                    now: situation.now)
            }
        }
        if let reason = it.reason { return row.ignored(reason) }
        for target in it.targets {
            let place = self.place(target.node)
            row = target.history.map { row.then(history: place, $0) } ?? row.then(place)
        }
        if it.isInternal { row = row.internally() }
        return it.deeds.reduce(row, Self.add)
    }

    private func start(_ trigger: WrittenChart.Trigger) -> ChartRow<Words> {
        switch trigger {
        case .events(let kinds):
            kinds.count > 1 ? Words.when(kinds[0], or: kinds[1]) : Words.when(kinds[0])
        case .any: Words.whenAny()
        case .done(let node): Words.when(done: place(node))
        case .always: Words.always()
        case .after(let delay, false): Words.after(.milliseconds(delay))
        case .after(let delay, true): Words.after { .milliseconds(delay + $0.context) }
        }
    }

    private static func add(
        _ row: ChartRow<Words>, _ deed: WrittenChart.Deed
    ) -> ChartRow<Words> {
        switch deed {
        case .say(let number): row.commands(.say(number))
        case .look(let place): row.commands { look($0, at: place) }
        case .raise(let kind): row.raise { Happening(kind: kind, instant: $0.now) }
        case .echo: row.raise { $0.event }
        case .add(let number): row.update { context, _ in context += number }
        case .addEvent: row.update { $0 += $1.map { $0.kind.ordinal + 1 } ?? 0 }
        }
    }

    private static func part(_ row: ChartRow<Words>) -> [ChartPart<Words>] {
        ChartBuilder<Words>.buildExpression(row)
    }

    private static func part(_ handler: ChartHandler<Words>) -> [ChartPart<Words>] {
        ChartBuilder<Words>.buildExpression(handler)
    }
}
