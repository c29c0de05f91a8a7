import Console
import Controller
import Keeping
import StateMachines
import System
import Trace
import Turnstile

/// A trace as lines on one axis of time.
struct TraceLines {
    let appearance: Appearance
    let showsShell: Bool
    private var before: Turnstile?
    /// The current page, and the header that was last printed.
    private var page: Recording.Page?
    private var header: TraceHeader?
    /// Whether the end of the service's start was shown.
    private var isEndTold = true

    init(_ appearance: Appearance, showsShell: Bool) {
        self.appearance = appearance
        self.showsShell = showsShell
    }

    /// The lines of the next item, preceded by its page's heading if that is new; empty if the
    /// item's wall-clock time is not wanted.
    mutating func lines(
        of news: Replay.News, in recording: Recording, isWanted: (Duration) -> Bool
    ) -> [[Span]] {
        switch news {
        case .page(let index):
            let next = recording.pages[index]
            // The previous process's state is not this one's.
            let isNewStart = page.map { !$0.isOfSameStart(as: next) } ?? true
            if isNewStart { before = nil }
            page = next
            defer { if isNewStart { isEndTold = false } }
            guard isNewStart, !isEndTold, isWanted(next.utc(at: next.time)) else { return [] }
            return [[Span("── no stop was recorded: the last events may be missing", .yellow)]]
        case .item(let item, let moment):
            if case .lost = item { before = nil }
            if case .unknown(_, isEvent: true) = item { isEndTold = true }
            guard isWanted(moment.utc), let line = line(of: item, moment) else { return [] }
            return heading() + [line]
        case .step(let step):
            if case .stopped = step.event.kind { isEndTold = true }
            guard isWanted(step.utc) else {
                before = step.replayed?.turnstile
                return []
            }
            return heading() + lines(of: step)
        }
    }

    private mutating func lines(of step: RecordedStep) -> [[Span]] {
        var lines = [eventLine(step)]
        lines += transitions(to: step.replayed?.turnstile)
        let commands = step.recorded.commands.map { $0.caption }
        if !commands.isEmpty {
            lines.append(said(.command, commands.joined(separator: ", "), .bold))
        }
        for record in step.recorded.records {
            let (kind, sentence) = record.entry
            lines.append(said(.record, sentence, kind.priority.style))
        }
        return lines
    }

    /// The heading of a new page.
    private mutating func heading() -> [[Span]] {
        guard let page, page.header != header else { return [] }
        let isNewStart = header?.isOfSameStart(as: page.header) != true
        let header = page.header
        self.header = header
        let time = localTime(page.utc(at: page.time), page.clock.local)
        let what =
            isNewStart
            ? "turnstiled \(header.serviceVersion), gate '\(header.gate)'"
                + (header.isSimulated ? ", simulated" : "") + ", boot \(header.bootID)"
            : "other settings"
        return [[Span(appearance.printable("── \(time): \(what)"), .bold)]]
    }

    private func eventLine(_ step: RecordedStep) -> [Span] {
        let kind = step.event.kind
        var line = [
            Span(timeOfDay(step.utc, step.clock.local) + "  ", .faint),
            Span(appearance.printable(words(kind.name, news(in: kind.fields)))),
        ]
        switch step.recorded.verdict {
        case .handled: break
        case .ignored(let reason): line.append(Span(" (ignored: \(reason))", .faint))
        case .unhandled: line.append(Span(" (unexpected)", .red))
        }
        return line
    }

    /// The line of an item between two events; nil if it is not shown.
    private func line(of item: TraceItem, _ moment: Replay.Moment) -> [Span]? {
        switch item {
        case .event, .command, .record: return nil
        case .postponed(let duration):
            return said(.gap, "all deadlines are postponed by \(duration.text)", .plain)
        case .lost(0): return said(.gap, "something is missing here", .yellow)
        case .lost(let count): return said(.gap, "\(counted(count, "step")) missing", .red)
        case .unknown(let name, _): return said(.gap, name, .yellow)
        case .shell(let event, at: _):
            guard showsShell else { return nil }
            return [
                Span(timeOfDay(moment.utc, moment.clock.local) + "  ", .faint),
                Span(appearance.printable(words(event.name, event.fields)), .faint),
            ]
        case .shellCommand(let command):
            return showsShell ? said(.command, words(command.name, command.fields), .faint) : nil
        }
    }

    private mutating func transitions(to turnstile: Turnstile?) -> [[Span]] {
        defer { before = turnstile }
        guard let before, let turnstile else { return [] }
        return Gate.Region.allCases.compactMap { region in
            let (was, now) = (
                before.gate.stateName(of: region), turnstile.gate.stateName(of: region)
            )
            guard was != now, let was, let now else { return nil }
            return said(.transition, "\(region.name): \(was) → \(now)", .plain)
        }
    }

    /// The mark before a line of an event.
    private enum Mark {
        case transition, command, record, gap

        func text(isUnicode: Bool) -> String {
            switch self {
            case .transition: isUnicode ? "↪" : "~"
            case .command: isUnicode ? "→" : ">"
            case .record: isUnicode ? "•" : "*"
            case .gap: "!"
            }
        }
    }

    private func said(_ mark: Mark, _ text: String, _ style: Style) -> [Span] {
        let line = text.split(separator: "\n").joined(separator: "; ")
        let shown = mark.text(isUnicode: appearance.isUnicode)
        return [.blank(17), Span("\(shown) ", .faint), Span(appearance.printable(line), style)]
    }

    /// The fields of an event; of a policy only its changes, if known.
    private func news(in fields: Fields) -> Fields {
        guard fields[.policy] != nil, let inForce = before?.gate.policy.fields else {
            return fields
        }
        return Fields(
            fields.all.map { field in
                guard field.name == .policy, case .fields(let policy) = field.value else {
                    return field
                }
                let changes = policy.all.filter { $0.value != inForce[$0.name] }
                return Fields.Field(.policy, .fields(Fields(changes)))
            })
    }

    private func words(_ name: String, _ fields: Fields) -> String {
        ([name] + fields.all.map { "\($0.name.rawValue)=\($0.value.line ?? "\($0.value)")" })
            .joined(separator: " ")
    }
}

extension Command {
    /// The command in a word; an answer with its result.
    var caption: String {
        switch self {
        case .answer(let answer):
            "answer \(answer.request.rawValue) \(answer.result.name)"
        case .set, .record, .store, .unused: name
        }
    }
}

/// The time of day, with microseconds: `06:10:00.123456`.
func timeOfDay(_ utc: Duration, _ offset: Int) -> String {
    let microseconds = (utc + .seconds(offset)).wholeMicroseconds
    let day: Int64 = 86_400_000_000
    let part = Int(((microseconds % day) + day) % day)
    let rest = "\(part % 1_000_000)".zeroPadded(to: 6)
    return "\(timeText(ofSecond: part / 1_000_000)).\(rest)"
}

/// Day and time: `2026-11-25 06:10:00.123456`.
func localTime(_ utc: Duration, _ offset: Int) -> String {
    let seconds = Int((utc + .seconds(offset)).components.seconds)
    return "\(CalendarDay.split(second: seconds).day) \(timeOfDay(utc, offset))"
}
