public import StateMachines
import System
public import Trace
public import Turnstile

/// Writes steps as trace events, in the JSON of Chrome's tracing, which Perfetto opens.
///
/// Each line has a track with a slice while it is active, or energised; each way one with a slice
/// while it is released; each region one with a slice for each state. Records are instants,
/// passages slices, and the credit is a counter. Times are in µs since the beginning, in order.
public struct PerfettoWriter: StepExport {
    private var sink: TextSink
    private let gate: String
    private let equipment: Equipment
    private var timeline = Timeline()
    private var passages = PassageWatch()
    private var shown: StepSnapshot?
    private var isFirst = true

    public init(gate: String, equipment: Equipment, write: @escaping (String) -> Void) {
        self.gate = gate
        self.equipment = equipment
        sink = TextSink(write)
    }

    public mutating func begin(at time: Instant, after step: ReplayedStep) {
        timeline.begin(at: time, after: step)
        writeHead(of: step, at: time)
    }

    public mutating func add(_ step: ReplayedStep) {
        let place = timeline.place(step)
        if shown == nil { writeHead(of: step, at: step.event.time) }
        let now = StepSnapshot(after: step)
        change(from: shown, to: now, at: place)
        shown = now
        if step.isStart, let news = passages.forget(at: place) { write(news, at: place) }
        for record in step.records {
            let arguments: [(String, JSON?)] = [
                ("sentence", .text(record.entry.sentence)), ("fields", .fields(record.fields)),
            ]
            write("i", record.name, Track(.gate, 2), place, arguments, scope: "t")
            if let news = passages.follow(record, at: place) { write(news, at: place) }
        }
    }

    public mutating func setOutputs(at moment: Replay.Moment) {
        guard let before = shown, before.energised != moment.energised else { return }
        shown?.energised = moment.energised
        change(from: before, to: shown, at: timeline.place(moment))
    }

    public mutating func finish() {
        let place = timeline.position
        if let shown { change(from: shown, to: nil, at: place) }
        if let news = passages.forget(at: place) { write(news, at: place) }
        if isFirst { sink.print("{\"traceEvents\": [") }
        sink.print("\n]}\n")
        sink.flush()
    }
}

/// A line of the drawing: a thread of a process, in the words of the format.
private struct Track {
    /// The groups of tracks.
    enum Group: Int, CaseIterable {
        case gate = 1
        case regions, released, energised, debounced, raw

        var name: String {
            switch self {
            case .gate: "gate"
            case .regions: "regions"
            case .released: "outputs, released"
            case .energised: "outputs, energised"
            case .debounced: "inputs, debounced"
            case .raw: "inputs, raw"
            }
        }
    }

    var group: Group
    var number: Int

    init(_ group: Group, _ number: Int) { (self.group, self.number) = (group, number) }

    /// The fields that name the track.
    var fields: String { "\"pid\": \(group.rawValue), \"tid\": \(number)" }
}

// Changes.
extension PerfettoWriter {
    /// Writes the end of the previous slice and the beginning of the next; nil for none.
    private mutating func change(
        from before: StepSnapshot?, to now: StepSnapshot?, at place: Int64
    ) {
        for input in equipment.wiredInputs {
            slice(
                before?.raw[input], now?.raw[input], input.name, Track(.raw, input.index), place)
            slice(
                before?.debounced[input], now?.debounced[input], input.name,
                Track(.debounced, input.index), place)
        }
        for output in equipment.wiredOutputs {
            slice(
                before?.energised[output], now?.energised[output], output.name,
                Track(.energised, output.index), place)
        }
        for way in equipment.wiredWays {
            slice(
                before?.released[way], now?.released[way], way.name, Track(.released, way.index),
                place)
        }
        slice(before?.status, now?.status, Track(.gate, 0), place)
        for index in StepSnapshot.regions.indices {
            slice(before?.states[index], now?.states[index], Track(.regions, index), place)
        }
        if let now, now.credit != before?.credit {
            let credit = JSON.number(Int64(now.credit))
            write("C", "credit", Track(.gate, 0), place, [("credit", credit)])
        }
    }

    private mutating func slice(
        _ before: Bool?, _ now: Bool?, _ name: String, _ track: Track, _ place: Int64
    ) {
        slice(before == true ? name : nil, now == true ? name : nil, track, place)
    }

    private mutating func slice(_ before: String?, _ now: String?, _ track: Track, _ place: Int64) {
        guard before != now else { return }
        if let before { write("E", before, track, place) }
        if let now { write("B", now, track, place) }
    }

    private mutating func write(_ news: PassageWatch.News, at place: Int64) {
        let track = Track(.gate, 1)
        switch news {
        case .began(let direction): write("B", direction.rawValue, track, place)
        case .ended(let passage):
            let name = passage.direction.rawValue
            if passage.began == passage.ended { write("B", name, track, place) }
            write("E", name, track, place, [("outcome", .text(passage.outcome))])
        }
    }

    private mutating func write(
        _ phase: String, _ name: String, _ track: Track, _ place: Int64,
        _ arguments: [(String, JSON?)]? = nil, scope: String? = nil
    ) {
        let (whole, rest) = place.quotientAndRemainder(dividingBy: 1000)
        let digits = "\(rest + 1000)".dropFirst()
        let scope = scope.map { ", \"s\": \"\($0)\"" } ?? ""
        let arguments = arguments.map { ", \"args\": \(JSON.object($0))" } ?? ""
        event(
            "{\"ph\": \"\(phase)\", \"name\": \(name.inJSON), \"ts\": \(whole).\(digits), "
                + "\(track.fields)\(scope)\(arguments)}")
    }

    private mutating func event(_ text: String) {
        sink.print(isFirst ? "\n" : ",\n")
        isFirst = false
        sink.print(text)
    }
}

// The head of the file.
extension PerfettoWriter {
    private mutating func writeHead(of step: ReplayedStep, at time: Instant) {
        let about = JSON.object([
            ("gate", .text(gate)), ("program", .text("turnstiled \(programVersion)")),
            ("began", .text(step.clock.utc(at: time).iso8601)),
            ("began_monotonic_ns", .number(time.nanoseconds)),
        ])
        sink.print("{\"displayTimeUnit\": \"ms\", \"otherData\": \(about), \"traceEvents\": [")
        for group in Track.Group.allCases {
            describe("process_name", "name", group.name.inJSON, Track(group, 0))
            describe("process_sort_index", "sort_index", "\(group.rawValue)", Track(group, 0))
        }
        for (number, name) in ["status", "passages", "records"].enumerated() {
            describe(Track(.gate, number), name)
        }
        for (number, region) in StepSnapshot.regions.enumerated() {
            describe(Track(.regions, number), region.name)
        }
        for output in equipment.wiredOutputs {
            describe(Track(.energised, output.index), output.name)
        }
        for way in equipment.wiredWays { describe(Track(.released, way.index), way.name) }
        for input in equipment.wiredInputs {
            describe(Track(.debounced, input.index), input.name)
            describe(Track(.raw, input.index), input.name)
        }
        let snapshot = StepSnapshot(after: step)
        change(from: nil, to: snapshot, at: 0)
        shown = snapshot
    }

    private mutating func describe(_ track: Track, _ name: String) {
        describe("thread_name", "name", name.inJSON, track)
        describe("thread_sort_index", "sort_index", "\(track.number)", track)
    }

    private mutating func describe(
        _ kind: String, _ argument: String, _ value: String, _ track: Track
    ) {
        event(
            "{\"ph\": \"M\", \"name\": \"\(kind)\", \(track.fields), "
                + "\"args\": {\"\(argument)\": \(value)}}")
    }
}
