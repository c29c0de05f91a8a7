import Console
import StateMachines
import System
import Trace
import Turnstile

struct DifferencePage {
    let difference: Replay.Difference
    let recording: Recording
    let appearance: Appearance

    var lines: [[Span]] {
        let page = recording.pages[difference.place.page]
        guard let event = difference.event else {
            let time = localTime(page.utc(at: page.time), page.clock.local)
            return [[Span("\(time): the state differs from the recorded one", .red)]]
        }
        let kind = event.kind
        let time = localTime(
            difference.clock.utc(at: event.time), difference.clock.local)
        var lines: [[Span]] = [
            [Span("\(time): the first difference", .red)],
            [Span(appearance.printable("event     \(kind.name) \(kind.fields)"))],
        ]
        lines += answer("recorded  ", difference.recorded)
        lines += answer("replayed  ", difference.replayed)
        lines += [[], [Span("the gate before it:", .bold)]]
        if let before = stateBefore {
            lines += GateStatePage(before, appearance).lines
        } else if let turnstile = recording.turnstile(at: page) {
            lines +=
                GateStatePage(
                    turnstile, energised: recording.energised(at: page), page.clock, appearance
                ).lines
        }
        return lines
    }

    private func answer(_ heading: String, _ answer: Replay.Answer) -> [[Span]] {
        var texts = answer.commands.map { "\($0.name) \($0.fields)" }
        texts += answer.records.map { "\($0.name) \($0.fields)" }
        if case .ignored(let reason) = answer.verdict { texts.append("ignored: \(reason)") }
        if texts.isEmpty { texts = ["nothing"] }
        return texts.enumerated().map { index, text in
            let head = index == 0 ? heading : String(repeating: " ", count: heading.count)
            return [Span(head, .faint), Span(appearance.printable(text))]
        }
    }

    /// The step before the difference; nil where it is the first of its page.
    private var stateBefore: ReplayedStep? {
        let place = difference.place
        var before: ReplayedStep?
        _ = Replay.steps(of: recording, pages: place.page..<place.page + 1) { step in
            guard step.place < place else { return false }
            before = step.replayed
            return true
        }
        return before
    }
}
