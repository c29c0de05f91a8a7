internal import Console
internal import Turnstile

/// A moment of a gate, laid out for a terminal of some size.
///
/// From the top: the gate and its modes, its state and credit, faults and alarms, the drawing with
/// the lamps beside it, the counts, the log, the keys. Truncated lines end with a mark.
struct Screen: Hashable, Sendable {
    var columns: Int
    var rows: Int
    var appearance: Appearance

    /// The picture for a viewer: as many lines as there are rows, none wider than the window.
    func lines(_ viewer: Viewer) -> [[Span]] {
        let keyboard = viewer.model.flatMap { Keyboard($0) }
        let help = Help(keyboard, isReplayed: viewer.model?.replayed != nil, appearance)
        let foot = help.line(note(viewer), columns: columns)
        var lines = viewer.model.map { head($0) } ?? [[Span(" " + LiveView.absence, .yellow)]]
        if viewer.isHelping {
            lines = Array(lines.prefix(1)) + help.lines(columns: columns, rows: rows - 2)
        } else {
            lines += body(viewer, below: lines.count) + log(viewer)
        }
        lines = Array(lines.prefix(max(0, rows - 1)))
        lines += Array(repeating: [], count: max(0, rows - 1 - lines.count)) + [foot]
        return lines.suffix(max(0, rows)).map { $0.cut(at: columns, appearance) }
    }

    /// How many rows a viewer's log has.
    func logRows(_ viewer: Viewer) -> Int {
        let head = viewer.model.map { self.head($0).count } ?? 1
        return max(0, rows - head - body(viewer, below: head).count - 2)
    }

    /// The note in place of the keys.
    private func note(_ viewer: Viewer) -> Span? {
        if viewer.log.isTyping {
            return Span("/\(appearance.printable(viewer.log.filter))_  Enter, Esc", .bold)
        }
        return viewer.note.map { Span(appearance.printable($0), .yellow) }
    }

    // MARK: The gate

    private func head(_ model: ViewModel) -> [[Span]] {
        let report = model.report
        let words = model.replayed ?? model.simulation.map { _ in "simulation" }
        let kind = words.map { [Span(" (\(appearance.printable($0)))", .faint)] } ?? []
        let (caption, style) = report.status.caption
        let alarm = report.status.soundsAlarm ? [Span(", alarm", .red)] : []
        let waiting = report.status.stored > 0 ? "\(report.status.stored) waiting, " : ""
        let title = spread(
            [Span(" " + appearance.printable(model.gate), .bold)] + kind,
            [Span(report.caption + " ")])
        let state = spread(
            [Span(" \(appearance.lamp(isLit: true)) ", style), Span(caption, style)] + alarm,
            [Span("\(waiting)credit "), Span("\(report.status.credit) ", .bold)])
        return [title, state] + troubles(model)
    }

    /// Faults, alarms, and why coins are refused.
    private func troubles(_ model: ViewModel) -> [[Span]] {
        let items =
            model.report.faults.map { Span($0.value.caption, .red) }
            + model.report.alarms.map { Span($0.value.caption, .yellow) }
            + (model.coinObjection.map { [Span($0, .yellow)] } ?? [])
        guard !items.isEmpty else { return [] }
        return [[Span(" ")] + items.flatMap { [$0, Span("; ")] }.dropLast()]
    }

    /// The drawing and the lamps, in the rows that the log leaves.
    private func body(_ viewer: Viewer, below head: Int) -> [[Span]] {
        guard let model = viewer.model else { return [] }
        let lamps = Lamps(model, appearance)
        // Without the rule above the log, and the line of keys.
        let room = rows - head - 2
        let least = max(5, rows / 3)
        switch viewer.panel {
        case .log: return []
        case .lamps:
            let lines = lamps.lines(columns: columns - 1, rows: max(0, room - 1))
            return lines.map { [Span(" ")] + $0 }
        case .gate:
            let width = columns - GatePicture.columns - 3
            guard room - least >= GatePicture.rows, width > 15 else {
                let lines = lamps.lines(columns: columns - 1, rows: max(1, room - least))
                return lines.map { [Span(" ")] + $0 }
            }
            let wanted = max(GatePicture.rows, lamps.rows(columns: width))
            let height = min(wanted, room - least)
            let drawing = picture(viewer, model)
            let beside = lamps.lines(columns: width, rows: height)
            return (0..<height).map { row in
                let left = row < drawing.count ? drawing[row] : [.blank(GatePicture.columns)]
                return [Span(" ")] + left + [Span("  ")] + (row < beside.count ? beside[row] : [])
            }
        }
    }

    private func picture(_ viewer: Viewer, _ model: ViewModel) -> [[Span]] {
        let last = viewer.chronicle.lastCoin
        let scene = GateScene(model, last)
        let price = "a passage costs \(model.report.price)"
        let caption = scene.hasSlot ? last?.caption ?? price : ""
        return GatePicture(scene, caption: caption, appearance).lines
    }

    // MARK: The log

    private func log(_ viewer: Viewer) -> [[Span]] {
        let room = logRows(viewer)
        let shown = viewer.log.page(rows: room)
        return [rule(viewer, rows: room)] + shown.map(entry)
    }

    /// The line above the log: counts, filter and scroll position.
    private func rule(_ viewer: Viewer, rows: Int) -> [Span] {
        let log = viewer.log
        var left: [String] = []
        if let tallies = viewer.model?.tallies {
            left.append("in \(tallies.entries), out \(tallies.exits)")
            if tallies.coins > 0 { left.append("coins \(tallies.coins), \(tallies.value)") }
        }
        var right: [String] = []
        if !log.filter.isEmpty { right.append("/" + appearance.printable(log.filter)) }
        switch log.least {
        case .normal: break
        case .warning: right.append("warnings")
        case .severe: right.append("errors")
        }
        let all = log.matching.count
        if log.newer > 0 {
            right.append("\(log.newer) newer")
        } else if all > rows {
            right.append("\(all - rows) older")
        }
        let line = appearance.rule
        func group(_ words: [String]) -> String {
            words.map { "\(line) \($0) " }.joined()
        }
        let ends = [Span(group(left), .faint), Span(group(right), .faint)]
        let fill = String(repeating: line, count: max(0, columns - ends.width))
        return [ends[0], Span(fill, .faint), ends[1]]
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

    /// A line with one part at each end.
    private func spread(_ left: [Span], _ right: [Span]) -> [Span] {
        left + [.blank(max(1, columns - left.width - right.width))] + right
    }
}

extension StatusReport {
    /// The modes and the enforcement, in a few words.
    fileprivate var caption: String {
        let way = equipment.outputs[.lockExit] ? ", out \(exit.mode.value.rawValue)" : ""
        return "in \(entry.mode.value.rawValue)\(way), \(enforcement.value.rawValue)"
    }
}
