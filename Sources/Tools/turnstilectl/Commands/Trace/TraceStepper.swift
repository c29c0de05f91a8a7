import LiveView
import StateMachines
import System
import Trace
import Turnstile

/// Goes through a recording event by event, forwards and backwards, with the gate as it was.
struct TraceStepper {
    private let recording: Recording
    private let part: TracePart
    private let view: LiveView
    /// The current page, its steps, and the current one.
    private var page: Int
    private var steps: [RecordedStep] = []
    private var index = 0
    /// How many steps of a page are gone through at most: each holds the gate.
    static let mostSteps = 50_000
    /// Whether a page has more.
    private(set) var leavesOut = false

    init(_ recording: Recording, _ part: TracePart, _ view: LiveView) {
        self.recording = recording
        self.part = part
        self.view = view
        page = part.pages.lowerBound
        _ = turn(to: page, atEnd: false)
    }

    var isEmpty: Bool { steps.isEmpty }

    mutating func run() {
        show()
        while true {
            _ = waitForInput(view.descriptors)
            for action in view.takeActions() {
                switch action {
                case .step(let stride): go(stride)
                case .simulate: break
                case .quit: return
                }
            }
        }
    }

    private mutating func go(_ stride: Stride) {
        let (distance, isToRecord) =
            switch stride {
            case .nextEvent: (1, false)
            case .previousEvent: (-1, false)
            case .nextRecord: (1, true)
            case .previousRecord: (-1, true)
            }
        var hasMoved: Bool
        repeat {
            hasMoved = move(by: distance)
        } while hasMoved && isToRecord && steps[index].recorded.records.isEmpty
        show()
        if !hasMoved {
            view.say(distance < 0 ? "this is the first event" : "this is the last event")
        }
    }

    private mutating func move(by distance: Int) -> Bool {
        if steps.indices.contains(index + distance) {
            index += distance
            return true
        }
        return turn(to: page + distance, atEnd: distance < 0)
    }

    /// Turns to the next page with steps on that side; false if there is no further one.
    private mutating func turn(to next: Int, atEnd: Bool) -> Bool {
        let part = part
        var next = next
        while part.pages.contains(next) {
            var (found, isCut): ([RecordedStep], Bool) = ([], false)
            _ = Replay.steps(of: recording, pages: next..<next + 1) { step in
                guard part.contains(step.utc) else { return true }
                isCut = found.count == Self.mostSteps
                if !isCut { found.append(step) }
                return !isCut
            }
            leavesOut = leavesOut || isCut
            if !found.isEmpty {
                (page, steps, index) = (next, found, atEnd ? found.count - 1 : 0)
                return true
            }
            next += atEnd ? -1 : 1
        }
        return false
    }

    private mutating func show() {
        guard steps.indices.contains(index) else { return }
        let step = steps[index]
        view.forget()
        var (onsets, registers) = (Onsets(), RegisterValues())
        for step in steps[...index] {
            for record in step.recorded.records {
                let (kind, sentence) = record.entry
                onsets.count(record, at: step.event.time)
                registers.count(record)
                view.count(record)
                view.log(
                    .init(
                        sentence, at: String(timeOfDay(step.utc, step.clock.local).prefix(12)),
                        weight: .init(kind.priority)))
            }
        }
        let kind = step.event.kind
        let words = ([kind.name] + kind.fields.all.compactMap { $0.value.line })
            .joined(separator: " ")
        view.log(
            .init(
                "event: \(words)", at: String(timeOfDay(step.utc, step.clock.local).prefix(12))))
        guard let replayed = step.replayed else {
            return view.say("the gate's state is not known here: see 'trace replay'")
        }
        let place = "replay, event \(index + 1) of \(steps.count), page \(page + 1)"
        view.show(
            ViewModel(
                gate: recording.pages[page].header.gate, simulation: nil, replayed: place,
                report: replayed.turnstile.report(
                    onsets, outputs: { replayed.outputs[$0] }, energised: replayed.energised),
                levels: replayed.levels, energised: replayed.energised,
                tallies: ViewModel.Tallies(registers.totals.map { ($0.total.name, $0.value) }),
                clockOffset: step.clock.utc))
    }
}
