public import StateMachines

extension ChartMachine: Restorable where Syntax.State: Restorable, Syntax.Context: Restorable {
    /// The version of the states, which stands for that of the chart and of what is remembered.
    public static var snapshotVersion: Int { Syntax.State.snapshotVersion }

    /// Moves the times of timeouts, and the instants that are remembered.
    public mutating func shiftInstants(by duration: Duration) {
        for timer in due.indices { due[timer] = due[timer].map { $0 + duration } }
        context.shiftInstants(by: duration)
    }
}

#if !hasFeature(Embedded)
    private enum ChartMachineKeys: CodingKey { case active, histories, due, context }

    extension ChartMachine: Encodable
    where Syntax: SharedChart, Syntax.State: Encodable, Syntax.Context: Encodable {
        /// Writes states, histories, timeouts and what is remembered.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ChartMachineKeys.self)
            try container.encode(active.kinds, forKey: .active)
            try container.encode(histories.map { chart.states(at: $0).kinds }, forKey: .histories)
            try container.encode(due, forKey: .due)
            try container.encode(context, forKey: .context)
        }
    }

    extension ChartMachine: Decodable
    where Syntax: SharedChart, Syntax.State: Decodable, Syntax.Context: Decodable {
        /// Reads them; the chart is the one that all share. States that cannot be active together
        /// are an error.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: ChartMachineKeys.self)
            let chart = Syntax.chart
            self.init(chart, try container.decode(Syntax.Context.self, forKey: .context))
            func read(_ key: ChartMachineKeys, _ states: [Syntax.State]) throws -> ChartPlaces {
                try states.reduce(0) {
                    guard chart.places[$1.ordinal] > 0 else {
                        throw DecodingError.dataCorruptedError(
                            forKey: key, in: container, debugDescription: "no such state: \($1)")
                    }
                    return $0 | .bit(chart.places[$1.ordinal])
                }
            }
            configuration =
                try read(.active, container.decode([Syntax.State].self, forKey: .active)) | .bit(0)
            let histories = try container.decode([[Syntax.State]].self, forKey: .histories)
                .map { try read(.histories, $0) }
            let due = try container.decode([Instant?].self, forKey: .due)
            guard chart.canBeActive(configuration), chart.canRemember(histories),
                due.count == self.due.count
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: .active, in: container,
                    debugDescription: "the states cannot be those of this chart")
            }
            self.histories = histories
            self.due = due
        }
    }

    extension Chart {
        /// Whether these states are all that is active in a machine.
        fileprivate func canBeActive(_ configuration: ChartPlaces) -> Bool {
            areWhole(configuration, below: -1)
        }

        /// Whether these are all that is active at `top` and inside, at each place as many as may.
        private func areWhole(_ configuration: ChartPlaces, below top: Int) -> Bool {
            var rest = configuration
            while let place = rest.removeFirstPlace() {
                let node = tree.nodes[place]
                let children = node.children & configuration
                let isRight =
                    switch node.shape {
                    case .composite: children.nonzeroBitCount == 1
                    case .parallel: children == node.children
                    case .leaf, .final: true
                    }
                let isInside =
                    place == top || node.parent < 0 || configuration.contains(node.parent)
                if !isRight || !isInside { return false }
            }
            return true
        }

        /// These places and those round them, out to `top`.
        private func withPlaces(round places: ChartPlaces, from top: Int) -> ChartPlaces {
            var all = places | .bit(top)
            var rest = places
            while var place = rest.removeFirstPlace() {
                while place != top {
                    all |= .bit(place)
                    place = tree.nodes[place].parent
                }
            }
            return all
        }

        /// Whether histories can remember these states.
        fileprivate func canRemember(_ histories: [ChartPlaces]) -> Bool {
            histories.count == tree.histories.count
                && zip(histories, tree.histories).allSatisfy { remembered, history in
                    let node = tree.nodes[history.node]
                    if remembered == 0 { return true }
                    switch history.depth {
                    case .shallow:
                        return remembered.isWithin(node.children)
                            && (node.shape == .parallel || remembered.nonzeroBitCount == 1)
                    case .deep:
                        guard remembered.isWithin(node.below & tree.leaves) else { return false }
                        return areWhole(
                            withPlaces(round: remembered, from: history.node), below: history.node)
                    }
                }
        }
    }
#endif
