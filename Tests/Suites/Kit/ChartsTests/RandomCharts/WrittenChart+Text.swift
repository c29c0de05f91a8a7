import Charts
import StateMachines

// The chart in a few lines, for the one who looks for a disagreement.
extension WrittenChart: CustomStringConvertible {
    var description: String { "limit \(stepLimit)\n" + text(of: 0, indent: "") }

    private func text(of node: Int, indent: String) -> String {
        let it = nodes[node]
        var lines = ["\(it.kind) \(it.state.map { "\($0)" } ?? "chart")"]
        func add(_ line: String, _ deeds: [Deed]) {
            lines.append("  \(line)" + (deeds.isEmpty ? "" : " do \(deeds)"))
        }
        if let initial = it.initial { add("initial \(text(initial.targets))", initial.deeds) }
        for (depth, history) in it.histories {
            add("history \(depth) \(text(history.targets))", history.deeds)
        }
        for deeds in it.onEntry { add("entry", deeds) }
        for deeds in it.onExit { add("exit", deeds) }
        for row in it.rows { add(text(row), row.deeds) }
        return lines.map { indent + $0 + "\n" }.joined()
            + children(of: node).map { text(of: $0, indent: indent + "    ") }.joined()
    }

    private func text(_ row: Row) -> String {
        let trigger =
            if case .done(let node) = row.trigger {
                "done \(text([Target(node: node)]))"
            } else { "\(row.trigger)" }
        return trigger + (row.conditions.isEmpty ? "" : " if \(row.conditions)")
            + (row.targets.isEmpty ? "" : " -> \(text(row.targets))")
            + (row.isInternal ? " internally" : "") + (row.reason.map { " ignored \($0)" } ?? "")
    }

    private func text(_ targets: [Target]) -> String {
        targets.map { target in
            (target.history.map { "\($0) " } ?? "")
                + (nodes[target.node].state.map { "\($0)" } ?? "")
        }.joined(separator: ", ")
    }
}
