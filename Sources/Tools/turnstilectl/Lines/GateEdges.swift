import GateClient
import StateMachines
import System
import Turnstile

/// Edges from the service, which holds the lines.
final class GateEdges: EdgeSource {
    let origin = "edges as the service reports them"
    let lines: [Line]
    private(set) var levels: Set<Line> = []
    /// Whether each way is energised to let people through, and not to keep them out.
    private var opensByPower: [Output: Bool] = [:]
    let settingsPath: String
    private let connection: GateConnection
    private let debounce: [String: Duration]
    private let kernelDebounces: Bool
    /// Whether to follow a restarted service.
    private let goesOn: Bool
    /// When to renew the lease; nil while no service runs.
    private var renewal: Instant?

    /// For how long is asked, and after which time again.
    private let lease, pause: Duration

    init(
        _ connection: GateConnection, of lines: [Line], goesOn: Bool,
        lease: Duration = .seconds(60)
    ) throws(GateError) {
        self.connection = connection
        self.goesOn = goesOn
        (self.lease, pause) = (lease, lease / 3)
        try connection.listen()
        try connection.followEdges(for: lease)
        renewal = MonotonicTimer.now + pause
        let state = try connection.state()
        let wired = state.isActive
        if let line = lines.first(where: { wired[$0.name] == nil }) {
            throw .refusedArguments("\(line) is not wired")
        }
        self.lines = lines.isEmpty ? Line.words.filter { wired[$0.name] != nil } : lines
        settingsPath = state.settingsPath
        debounce = state.debounce
        kernelDebounces = state.kernelDebounces
        take(state)
    }

    /// Takes the levels of all lines, and their relation to the states of ways.
    private func take(_ state: GateState) {
        let isActive = state.isActive
        levels = Set(Line.words.filter { isActive[$0.name] == true })
        for told in state.report.outputs {
            opensByPower[told.output] = told.isReleased.map { $0 == isEnergised(told.output) }
        }
    }

    /// Whether a coil of this way carries "energised".
    private func isEnergised(_ way: Output) -> Bool {
        [way, way.way?.holdingCoil].contains { coil in
            coil.map { levels.contains(.output($0)) } ?? false
        }
    }

    func isReleased(by output: Output) -> Bool? {
        let way = output.way?.lock ?? output
        return opensByPower[way].map { $0 == isEnergised(way) }
    }

    func debounce(of input: Input) -> Duration { debounce[input.name] ?? .zero }

    func isDebounced(_ input: Input) -> Bool {
        kernelDebounces && !input.entry.needsEveryEdge && debounce(of: input) > .zero
    }

    func take(_ body: (LineNews) -> Void) throws {
        try receive(body)
        if let renewal, renewal <= MonotonicTimer.now { try renew() }
    }

    func takeLast(_ body: (LineNews) -> Void) throws {
        // Edges up to the answer come before it.
        _ = try connection.state()
        try receive(body)
    }

    /// Asks to hear of edges for longer, or again. A service that goes away just then may come
    /// back.
    private func renew() throws(GateError) {
        renewal = MonotonicTimer.now + pause
        do throws(GateError) {
            try connection.followEdges(for: lease)
            if opensByPower.isEmpty { take(try connection.state()) }
        } catch {
            guard goesOn, [.noGate, .lost, .noAnswer].contains(error) else { throw error }
        }
    }

    private func receive(_ body: (LineNews) -> Void) throws(GateError) {
        while let event = try connection.next() {
            switch event {
            case .line(let news):
                switch news {
                case .edge(let line, isOn: true, _): levels.insert(line)
                case .edge(let line, isOn: false, _): levels.remove(line)
                case .lost: take(try connection.state())
                }
                body(news)
            case .ownerChanged(isThere: false):
                guard goesOn else { throw .lost }
                // The next one may be wired otherwise.
                (renewal, opensByPower) = (nil, [:])
                complain("the gate's service has ended; waiting for it")
                body(.lost(0))
            case .ownerChanged(isThere: true): try renew()
            case .recorded, .recordsLost, .changed: continue
            }
        }
    }

    func wait(until end: Instant?, or others: [CInt]) {
        connection.wait(until: .earliest(end, renewal), or: others)
    }
}
