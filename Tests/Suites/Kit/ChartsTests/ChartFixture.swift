import Charts
import StateMachines

/// Words for small charts: states by letters, commands as texts.
enum Letters: ChartSyntax {
    enum State: UInt8, Enumerated { case a, a1, a2, b, b1, b2, c, c1, c2, d, p, q }
    enum Event: UInt8, Enumerated { case go, back, on, off }
    typealias Command = String
    typealias Context = Int

    static func command(for loss: ChartLoss<Event>) -> String? { "\(loss)" }

    /// A machine of a sketch of a chart.
    static func started(
        limit: Int = 100, @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) throws -> (machine: ChartMachine<Self>, commands: Commands<String>) {
        try Chart(tolerating: .everything, stepLimit: limit, parts).start(context: 0)
    }

    /// The mistakes of a chart that may leave this open.
    static func mistakes(
        tolerating tolerance: ChartTolerance = .everything,
        @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) -> [ChartProblem] {
        do throws(ChartError) {
            _ = try Chart(tolerating: tolerance, parts)
            return []
        } catch {
            return error.problems
        }
    }

    /// A state that says what is done to it.
    static func told(
        _ name: State, @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>] = { [] }
    ) -> ChartPart<Self> {
        let inner = parts()
        return state(name) {
            onEntry("+\(name)")
            onExit("-\(name)")
            inner
        }
    }
}

extension [ChartProblem] {
    var kinds: [ChartProblem.Kind] { map(\.kind) }
    var lines: [[UInt]] { map { $0.locations.map(\.line) } }
}
