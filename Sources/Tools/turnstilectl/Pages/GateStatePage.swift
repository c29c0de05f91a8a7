import Console
import StateMachines
import System
import Trace
import Turnstile

/// The state of a gate at a moment, region by region.
struct GateStatePage {
    private let turnstile: Turnstile
    private let levels: InputLevels
    private let outputs: OutputSet
    private let energised: OutputSet
    private let clock: ClockOffset
    private let appearance: Appearance

    init(_ step: ReplayedStep, _ appearance: Appearance) {
        turnstile = step.turnstile
        levels = step.levels
        outputs = step.outputs
        energised = step.energised
        clock = step.clock
        self.appearance = appearance
    }

    /// The page of a gate's present state, with its debounced levels.
    init(
        _ turnstile: Turnstile, energised: OutputSet, _ clock: ClockOffset,
        _ appearance: Appearance
    ) {
        self.turnstile = turnstile
        levels = turnstile.inputs
        outputs = turnstile.gate.drive ?? []
        self.energised = energised
        self.clock = clock
        self.appearance = appearance
    }

    var lines: [[Span]] { Table(rows).lines }

    private var rows: [(String, [Span])] {
        let report = turnstile.report(outputs: { outputs[$0] })
        let (words, style) = report.status.caption
        var rows: [(String, [Span])] = [("state", [Span(words, style)])]
        for region in Gate.Region.allCases {
            guard let state = turnstile.gate.stateName(of: region) else { continue }
            rows.append((region.name, [Span(state)]))
        }
        rows.append(("credit", [Span("\(report.credit), a passage costs \(report.price)")]))
        rows.append(("faults", list(report.faults.map { $0.value.identifier }, .red)))
        rows.append(("alarms", list(report.alarms.map { $0.value.code }, .yellow)))
        rows.append(("active", list(names(levels, where: report.equipment.inputs), .bold)))
        rows.append(
            (
                "counted as active",
                list(names(turnstile.inputs, where: report.equipment.inputs), .bold)
            ))
        rows.append(
            ("energised", list(report.outputs.filter { energised[$0.output] }, .bold)))
        rows.append(("released", list(report.outputs.filter { $0.isReleased == true }, .bold)))
        for due in report.due.prefix(3) {
            let time = timeOfDay(due.time - .zero + clock.utc, clock.local)
            rows.append(("due", [Span("\(time)  \(due.reason.caption)")]))
        }
        return rows
    }

    private func names(_ levels: InputLevels, where wired: InputLevels) -> [String] {
        Input.allCases.filter { levels[$0] && wired[$0] }.map { $0.name }
    }

    private func list(_ outputs: [StatusReport.OutputReport], _ style: Style) -> [Span] {
        list(outputs.map { $0.output.name }, style)
    }

    private func list(_ names: [String], _ style: Style) -> [Span] {
        names.isEmpty
            ? [Span("none", .faint)]
            : [Span(appearance.printable(names.joined(separator: ", ")), style)]
    }
}
