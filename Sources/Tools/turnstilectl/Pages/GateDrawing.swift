import Drawing
import Exploration
import GateCharts
import GateClient
import StateMachines
import System
import Turnstile

struct GateDrawing {
    private var regions: [(region: Gate.Region, diagram: Diagram)]
    private var gate: String?

    /// These regions, without a present state.
    init(_ regions: [Gate.Region]) {
        self.regions = regions.compactMap { region in
            GateChart.diagram(of: region).map { (region, $0) }
        }
    }

    /// The same with the states marked that a gate is in, and why that may not be all of it.
    func marking(_ state: GateState) -> (drawing: GateDrawing, doubts: [String]) {
        var drawing = self
        drawing.gate = state.gate
        var doubts: [String] = []
        if state.version != programVersion {
            doubts.append(
                "the gate's service is of version \(state.version), and this drawing is of "
                    + "\(programVersion): they may differ")
        }
        for place in regions.indices {
            let region = regions[place].region.name
            guard let name = state.states[region] else {
                doubts.append("the gate does not report the state of \(region)")
                continue
            }
            let present = GateChart.stateName(name)
            if regions[place].diagram.names.contains(present) {
                drawing.regions[place].diagram.present = present
            } else {
                doubts.append("\(region) is '\(name)', which this program does not know")
            }
        }
        return (drawing, doubts)
    }

    func text(in format: Draw.Format) -> String {
        let named = regions.map { (name: GateChart.stateName($0.region.name), diagram: $0.diagram) }
        switch format {
        case .mermaid:
            return named.count == 1 ? named[0].diagram.mermaid : Diagram.mermaid(of: named)
        case .dot: return named.count == 1 ? named[0].diagram.dot : Diagram.dot(of: named)
        case .svg:
            let title = gate.map { "The states of \($0)" } ?? "The states of the gate"
            let charts = named.map { Picture.Chart(name: $0.name, diagram: $0.diagram) }
            return Picture(title: title, of: charts).svg
        }
    }
}

extension Diagram {
    fileprivate var names: Set<String> { Set(nodes.map(\.name)) }
}
