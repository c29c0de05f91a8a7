import GateClient
import Measuring
import Turnstile

final class LineRecorder {
    let source: any EdgeSource
    private(set) var lost: UInt64 = 0
    private var traces: [Input: LineTrace] = [:]
    private let inputs: [Input]
    private var edgesTold = 0

    init(_ source: any EdgeSource, _ inputs: [Input]) {
        self.source = source
        self.inputs = inputs
    }

    /// Takes the edges since the last call; with `last`, all up to now.
    func takeEdges(last: Bool = false) throws {
        if last { try source.takeLast(keep) } else { try source.take(keep) }
    }

    private func keep(_ news: LineNews) {
        switch news {
        case .edge(.input(let input), let isActive, let time):
            guard inputs.contains(input) else { return }
            // The level before follows from the first edge, however late the levels were read.
            if traces[input] == nil { traces[input] = trace(wasActive: !isActive, of: input) }
            traces[input]?.take(.init(isActive, at: time))
        case .edge(.output, _, _): return
        case .lost(let count): lost += count
        }
    }

    /// The number of edges so far, if it has grown since the last report.
    func takeNews() -> String? {
        let edges = traces.values.map(\.edges.count).reduce(0, +)
        guard edges > edgesTold else { return nil }
        edgesTold = edges
        return "\(edges) edges"
    }

    subscript(input: Input) -> LineTrace {
        traces[input] ?? trace(wasActive: source.levels.contains(.input(input)), of: input)
    }

    private func trace(wasActive: Bool, of input: Input) -> LineTrace {
        LineTrace(wasActive: wasActive, isDebounced: source.isDebounced(input))
    }
}
