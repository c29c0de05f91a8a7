import Console
import GateClient
import StateMachines
import System
import Turnstile

struct StatusPage {
    let state: GateState
    let appearance: Appearance
    /// How many coins the vault holds; nil where that is not known.
    var vaultCapacity: Int?

    private var report: StatusReport { state.report }

    /// The page at this moment of the gate's time, which is not before it was asked.
    func lines(at now: Instant) -> [[Span]] {
        Table(rows(at: now)).lines
    }

    var summary: String {
        let up = report.faults.map(\.value.code) + report.alarms.map(\.value.code)
        let parts =
            [report.status.caption.words]
            + (report.status.soundsAlarm ? ["the alarm sounds"] : [])
            + (report.credit > 0 ? ["credit \(report.credit)"] : [])
            + (report.status.stored > 0 ? ["\(report.status.stored) waiting"] : [])
            + (up.isEmpty ? [] : [up.joined(separator: " ")])
        return appearance.printable(parts.joined(separator: ", "))
    }

    private func rows(at now: Instant) -> [(String, [Span])] {
        var rows: [(String, [Span])] = [
            (
                "gate",
                [Span(state.gate, .bold), Span(state.isSimulated ? " (simulated)" : "", .faint)]
            ),
            ("state", headline),
        ]
        for direction in [Direction.entry, .exit] where isTold(direction) {
            rows.append((direction.rawValue, way(direction, at: now)))
        }
        rows.append(
            ("enforcement", inForce(report.enforcement, at: now) { $0.rawValue }))
        if report.price > 0 || report.credit > 0 {
            rows.append(("credit", [Span("\(report.credit), a passage costs \(report.price)")]))
        }
        if let refusal = report.coinRefusal {
            let sentence = Record.coinsRefused(refusal).entry.sentence
            rows.append(("coins", [Span(String(sentence.trimmingPrefix("coins are ")), .yellow)]))
        }
        if report.equipment.inputs[.coinPulse] { rows.append(("vault", [Span(vault)])) }
        if let requester = report.serviceRequester {
            rows.append(("service", [Span("asked for by \(requester.text)", .yellow)]))
        }
        if let requester = report.policyRequester {
            rows.append(("policy", [Span("a new one by \(requester.text) is pending", .yellow)]))
        }
        rows.append(("faults", list(report.faults.map { $0.value.caption }, .red)))
        rows.append(("alarms", list(report.alarms.map { $0.value.caption }, .yellow)))
        rows += lines("inputs", inputs) + lines("outputs", outputs)
        if let due = report.due.first(where: { $0.time > now }) {
            rows.append(("next", [Span("\(due.reason.caption) in \((due.time - now).rounded)")]))
        }
        rows.append(
            ("program", [Span("turnstiled \(state.version), \(state.settingsPath)", .faint)]))
        return rows
    }

    /// The number of coins in the vault. Their value is for the collector to count.
    private var vault: String {
        let count = VaultContents(state.registers).count
        let awaited = report.isCountAwaited ? "; the collection before is not counted yet" : ""
        guard let vaultCapacity else { return counted(count, "coin") + awaited }
        let percent = (Double(count) / Double(vaultCapacity) * 100).rounded(.down)
        return "\(count) of \(counted(vaultCapacity, "coin")) "
            + "(\(Int(exactly: percent) ?? 0) %)\(awaited)"
    }

    private var headline: [Span] {
        let (words, style) = report.status.caption
        let alarm = report.status.soundsAlarm ? [Span(", the alarm sounds", .red)] : []
        return [Span("\(appearance.lamp(isLit: true)) \(words)", style)] + alarm
    }

    /// Whether a way is shown: it has a lock, or a request.
    private func isTold(_ direction: Direction) -> Bool {
        guard direction == .exit, !report.equipment.outputs[.lockExit] else { return true }
        let way = report.exit
        return way.mode.term != nil || way.mode.next != nil || way.grant != nil || way.isPassing
            || way.waitingByContact > 0 || way.waitingByPerson > 0
    }

    private func way(_ direction: Direction, at now: Instant) -> [Span] {
        let way = report[direction]
        var spans = inForce(way.mode, at: now) { $0.rawValue }
        if way.isReleased { spans.append(Span(", released", .green)) }
        if let grant = way.grant {
            let sentence = Record.released(direction, by: grant).entry.sentence
            let reason = sentence.split(separator: ", ").last.map(String.init) ?? ""
            spans.append(Span(" for one person \(reason)"))
        }
        if way.isPassing { spans.append(Span(", somebody passes", .green)) }
        let (waiting, isTooMany) = way.waitingByContact.addingReportingOverflow(way.waitingByPerson)
        if waiting > 0, !isTooMany { spans.append(Span(", \(waiting) waiting", .yellow)) }
        return spans
    }

    private func inForce<Value>(
        _ inForce: StatusReport.InForce<Value>, at now: Instant, _ name: (Value) -> String
    ) -> [Span] {
        var spans = [Span(name(inForce.value))]
        if let term = inForce.term {
            let what =
                term.isAwaited ? ", \(term.value.map(name) ?? "ordinary") to come" : ""
            let until = term.until.map { " for another \(($0 - now).rounded)" } ?? ""
            spans.append(Span("\(what)\(until), as \(term.requester.text) asked"))
        } else if let next = inForce.next {
            spans.append(Span(", \(name(next)) to come"))
        }
        return spans
    }

    /// The active inputs, each with its meaning.
    private var inputs: [[String]] {
        state.levels.filter(\.isActive).compactMap { level in
            Input.allCases.first { $0.name == level.line }.map { input in
                [level.line, "active", input.entry.words.besideName(true).map { "(\($0))" } ?? ""]
            }
        }
    }

    /// The outputs that are energised, and those that let people through: a lock that opens without
    /// power is energised while it is locked.
    private var outputs: [[String]] {
        state.levels.compactMap { level in
            guard let output = Output.allCases.first(where: { $0.name == level.line }),
                level.isActive || output.isWay
            else { return nil }
            let told = report.outputs.first { $0.output == output }
            let meaning = told.flatMap { output.entry.words.besideName($0.isOn) }
            return [
                level.line, level.isActive ? "energised" : "de-energised",
                meaning.map { "(\($0))" } ?? "",
            ]
        }
    }

    /// A row for each line, in columns; the first has the name.
    private func lines(_ name: String, _ cells: [[String]]) -> [(String, [Span])] {
        guard !cells.isEmpty else { return [(name, list([], .plain))] }
        var table = Table(columns: [.left, .left, .left])
        table.rows = cells.map { $0.map { [Span($0)] } }
        return table.lines.enumerated().map { ($0 == 0 ? name : "", $1) }
    }

    private func list(_ names: [String], _ style: Style) -> [Span] {
        names.isEmpty ? [Span("none", .faint)] : [Span(names.joined(separator: "; "), style)]
    }
}
