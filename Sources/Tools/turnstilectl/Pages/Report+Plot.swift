import Audit
import Drawing
import Keeping
import System
import Turnstile

extension Report {
    /// The report as a picture: passages and takings, hour by hour or day by day.
    func plot(_ clock: LocalClock) -> BarPlot {
        let shown = rows.filter { $0.doubt == nil }
        let unit = grouping == .day ? "day" : "hour"
        let begin = from.map { clock.text(of: $0) } ?? "the beginning"
        let end = to.map { clock.text(of: $0) } ?? "now"
        let names = shown.map { row in
            let text = clock.text(of: row.from)
            return grouping == .day ? String(text.prefix(10)) : text
        }
        let passages = Direction.allCases.map { direction in
            BarPlot.Series(
                name: direction.rawValue, values: shown.map { $0.registers.passages(direction) })
        }
        let takings = BarPlot.Series(
            name: "takings", values: shown.map { $0.registers.valueInVault })
        return BarPlot(
            title: "\(gate), \(begin) to \(end)", bars: names,
            ticks: BarPlot.Tick.ticks(for: shown, isByDay: grouping == .day, clock),
            panels: [
                BarPlot.Panel(title: "passages per \(unit)", series: passages),
                BarPlot.Panel(
                    title: "takings per \(unit), minor units of the currency", series: [takings]),
            ], remarks: plotRemarks)
    }

    /// Remarks that the bars do not show.
    private var plotRemarks: [String] {
        let hidden = rows.filter { $0.doubt != nil }
        var remarks = isTrial ? [Report.trialRemark] : []
        if !hidden.isEmpty {
            let passages = hidden.reduce(Int64(0)) { $0 &+ $1.registers.passagesMade }
            let takings = hidden.reduce(Int64(0)) { $0 &+ $1.registers.valueInVault }
            remarks.append(
                "not shown, since the hour is unknown: \(passages) passages, \(takings) of "
                    + "takings")
        }
        return remarks + reconciliations.filter { $0.difference != 0 }.map(\.words)
    }
}

extension BarPlot.Tick {
    /// How many marks an axis has room for.
    private static let most = 14

    /// The marks for these rows: at hours or days that are round.
    fileprivate static func ticks(
        for rows: [Report.Row], isByDay: Bool, _ clock: LocalClock
    ) -> [BarPlot.Tick] {
        let steps = isByDay ? [1, 2, 7, 14, 28, 91, 182, 365] : [1, 2, 3, 6, 12, 24, 48, 168]
        let step = steps.first { rows.count <= $0 * most } ?? max(1, rows.count / most)
        return rows.enumerated().compactMap { index, row in
            let text = clock.text(of: row.from)
            let (day, time) = (text.prefix(10), text.dropFirst(11).prefix(5))
            let number = clock.day(at: row.from).number
            let hour = Int(time.prefix(2)) ?? 0
            let isMarked =
                isByDay
                ? number % step == 0
                : step <= 24 ? hour % step == 0 : hour == 0 && number % (step / 24) == 0
            guard isMarked, isByDay || time.hasSuffix("00") else { return nil }
            let isMidnight = hour == 0 && rows.count > 25
            return BarPlot.Tick(
                bar: index, at: isByDay ? .middle : .beginning,
                text: String(isByDay || isMidnight ? day.dropFirst(5) : time))
        }
    }
}
