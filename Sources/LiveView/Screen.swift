internal import Console
internal import Turnstile

/// The picture: a moment of a gate, laid out for a terminal of some size.
///
/// On 80 columns and 24 rows a gate that has everything has its place, one that has little on 60 by
/// 16. On a smaller screen lines are cut off at the right, the log goes first and the help next.
struct Screen: Hashable, Sendable {
    /// The width of the terminal in characters.
    var columns: Int
    /// The height of the terminal in lines.
    var rows: Int
    /// What the terminal can show.
    var appearance: Appearance
    /// What the gate has, which alone is shown.
    var equipment: Equipment

    /// The picture of `model`, line by line, with `help` about the keys below.
    func lines(_ model: ViewModel, help: [Binding]) -> [[Span]] {
        let rule = [Span(String(repeating: appearance.rule, count: columns), .faint)]
        let head = [title(model), state(model), rule] + lamps(model) + [rule]
        let foot = [rule] + helpLines(help)
        let room = max(0, rows - head.count - foot.count)
        let entries = model.entries.suffix(room).map(entry)
        let empty = Array(repeating: [Span](), count: room - entries.count)
        return (head + entries + empty + foot).prefix(rows).map { $0.cut(at: columns, appearance) }
    }

    private func title(_ model: ViewModel) -> [Span] {
        spread(
            [Span(" " + appearance.printable(model.gate), .bold), Span(" (simulation)", .faint)],
            [Span(model.report.caption + " ")])
    }

    private func state(_ model: ViewModel) -> [Span] {
        let status = model.report.status
        let (words, style) = status.state.caption
        let alarm = status.soundsAlarm ? [Span(", alarm", .red)] : []
        let waiting = status.stored > 0 ? "\(status.stored) waiting, " : ""
        return spread(
            [Span(" \(appearance.lamp(isLit: true)) ", style), Span(words, style)] + alarm,
            [Span("\(waiting)credit "), Span("\(status.credit) ", .bold)])
    }

    /// One lamp for each line that is wired: inputs in columns, then outputs, four to a column or
    /// as many more as it takes for all columns to fit.
    private func lamps(_ model: ViewModel) -> [[Span]] {
        let inputs = Input.allCases.filter { equipment.inputs[$0] }.map { input in
            lamp(input.name, lit: model.levels[input] ? input.litStyle : nil)
        }
        let outputs = model.report.outputs.map { told in
            let output = told.output
            // A lock that opens without power is energised while it is locked.
            let meaning = output.isWay ? output.meaning(isOn: told.isOn) : nil
            let name = output.name + (meaning.map { " \($0)" } ?? "")
            return lamp(name, lit: model.energised[output] ? output.litStyle : nil)
        }
        let most = max(4, inputs.count, outputs.count)
        let tables = (4...most).lazy.map { rows in
            table(inputs.columns(of: rows) + outputs.columns(of: rows), rows: rows)
        }
        return tables.first { $0.allSatisfy { $0.trimmed.width <= columns } } ?? table([], rows: 0)
    }

    /// The columns side by side.
    private func table(_ groups: [[[Span]]], rows: Int) -> [[Span]] {
        (0..<rows).map { row in
            [Span(" ")]
                + groups.flatMap { group -> [Span] in
                    let width = group.map(\.width).max() ?? 0
                    guard row < group.count else { return [.blank(width + 2)] }
                    return group[row] + [.blank(width + 2 - group[row].width)]
                }
        }
    }

    private func lamp(_ name: String, lit: Style?) -> [Span] {
        [Span(appearance.lamp(isLit: lit != nil) + " ", lit ?? .faint), Span(name)]
    }

    private func entry(_ entry: ViewModel.Entry) -> [Span] {
        let style: Style =
            switch entry.weight {
            case .normal: .plain
            case .warning: .yellow
            case .severe: .red
            }
        return [
            Span(" \(appearance.printable(entry.time)) ", .faint),
            Span(appearance.printable(entry.text), style),
        ]
    }

    /// The keys, as many to a line as there is room for.
    private func helpLines(_ help: [Binding]) -> [[Span]] {
        let items = help.map { (keys: $0.keys.map { "\($0)" }.joined(separator: " "), $0.meaning) }
        var lines: [[Span]] = []
        for (keys, meaning) in items + [("q", "quit")] {
            let spans = [Span(keys, .bold), Span(" \(meaning)  ")]
            if let last = lines.last, (last + spans).trimmed.width <= columns {
                lines[lines.count - 1] += spans
            } else {
                lines.append([Span(" ")] + spans)
            }
        }
        return lines
    }

    /// A line with something at either end.
    private func spread(_ left: [Span], _ right: [Span]) -> [Span] {
        left + [.blank(max(1, columns - left.width - right.width))] + right
    }
}

extension Array {
    /// The elements in pieces of `size`, the last one perhaps shorter.
    fileprivate func columns(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension StatusReport {
    /// Who may pass, in a few words.
    fileprivate var caption: String {
        let way = equipment.outputs[.lockExit] ? ", out \(exit.mode.value.rawValue)" : ""
        return "in \(entry.mode.value.rawValue)\(way), \(enforcement.value.rawValue)"
    }
}

extension Input {
    /// The colour of the input's lamp while it is active.
    fileprivate var litStyle: Style {
        switch self {
        case .fire, .externalFault, .coinJam, .stop, .powerLow, .cabinetTamper, .vaultDoor,
            .vaultFull:
            .red
        case .home, .vaultPresent: .green
        case .coinPulse, .coinPulse2, .coinPulse3, .rotorA, .rotorB, .beamA, .beamB, .releaseEntry,
            .releaseExit, .emergencyResetKey, .serviceKey, .lockFeedback, .lockFeedbackExit:
            .yellow
        }
    }
}

extension Output {
    /// The colour of the output's lamp while it is energised.
    fileprivate var litStyle: Style {
        switch self {
        case .alarm, .buzzer, .lampStop: .red
        case .coinEnable, .lampGo, .ready: .green
        // Locked or released, as the lock is made.
        case .lockEntry, .lockExit, .dropArm, .lockEntryHold, .lockExitHold: .yellow
        case .coinReject, .countPulse, .coinMeter: .yellow
        }
    }
}
