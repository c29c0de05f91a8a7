import Foundation
import StateMachines
import Testing
import Trace
import TraceExport
import Turnstile

/// Trace events are as "Trace Event Format" says that they are, and show what the steps had.
@Suite struct PerfettoTests {
    private let steps = Recording.story.steps
    private let events: [[String: Any]]
    private let file: [String: Any]

    init() throws {
        let text = Recording.text(.perfetto, of: steps)
        file = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        events = try #require(file["traceEvents"] as? [[String: Any]])
    }

    private func events(_ phase: String) -> [[String: Any]] {
        events.filter { $0["ph"] as? String == phase }
    }

    /// A track of an event, as one number.
    private func track(_ event: [String: Any]) throws -> Int {
        try #require(event["pid"] as? Int) * 1000 + #require(event["tid"] as? Int)
    }

    private func time(_ event: [String: Any]) throws -> Double {
        try #require(event["ts"] as? Double)
    }

    @Test func `each phase has what it must have`() throws {
        for event in events {
            let phase = try #require(event["ph"] as? String)
            #expect(event["name"] is String && event["pid"] is Int && event["tid"] is Int)
            switch phase {
            case "B", "E": #expect(try time(event) >= 0)
            case "i": #expect(try time(event) >= 0 && event["s"] as? String == "t")
            case "C":
                #expect(try time(event) >= 0)
                let values = try #require(event["args"] as? [String: Any])
                #expect(!values.isEmpty && values.values.allSatisfy { $0 is Int })
            case "M":
                let arguments = try #require(event["args"] as? [String: Any])
                switch event["name"] as? String {
                case "process_name", "thread_name": #expect(arguments["name"] is String)
                case "process_sort_index", "thread_sort_index":
                    #expect(arguments["sort_index"] is Int)
                default: Issue.record("\(event) describes nothing")
                }
            default: Issue.record("\(event) has a phase that nobody wrote")
            }
        }
        #expect(Set(events.compactMap { $0["ph"] as? String }) == ["M", "B", "E", "i", "C"])
    }

    @Test func `times stand in order`() throws {
        let times = try events.filter { $0["ts"] != nil }.map(time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
        let length = steps[steps.count - 1].event.time - steps[0].event.time
        #expect(times.last == Double(length.wholeNanoseconds) / 1000)
    }

    @Test func `what begins on a track ends there, before the next begins`() throws {
        var open: [Int: String] = [:]
        for event in events {
            let name = try #require(event["name"] as? String)
            let track = try track(event)
            switch event["ph"] as? String {
            case "B":
                #expect(open[track] == nil, "\(name)")
                open[track] = name
            case "E":
                #expect(open[track] == name)
                open[track] = nil
            default: break
            }
        }
        #expect(open.isEmpty)
    }

    @Test func `every track has a name, and no two of a process the same`() throws {
        let named = events("M").filter { $0["name"] as? String == "thread_name" }
        let tracks = try named.map { try track($0) }
        #expect(Set(tracks).count == tracks.count)
        for event in events where event["ph"] as? String != "M" {
            #expect(try tracks.contains(track(event)))
        }
        let processes = events("M").filter { $0["name"] as? String == "process_name" }
            .compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
        #expect(
            processes == [
                "gate", "regions", "outputs, released", "outputs, energised",
                "inputs, debounced", "inputs, raw",
            ])
    }

    @Test func `a line has a slice for as long as it is active`() throws {
        let begins = events("B").filter {
            $0["name"] as? String == "coin_pulse" && $0["pid"] as? Int == 6
        }
        let pulses = steps.filter {
            if case .changed(.coinPulse, isActive: true) = $0.event.kind { true } else { false }
        }
        #expect(begins.count == pulses.count && begins.count == 7)
        let first = steps[0].event.time
        #expect(
            try begins.map(time)
                == pulses.map { Double(($0.event.time - first).wholeNanoseconds) / 1000 })
    }

    @Test func `records are instants, passages slices, and the credit counts`() throws {
        let told = steps.flatMap(\.records)
        let instants = events("i")
        #expect(instants.map { $0["name"] as? String } == told.map(\.name))
        let sentences = instants.compactMap {
            ($0["args"] as? [String: Any])?["sentence"] as? String
        }
        let hostile = try #require(Recording.hostile)
        #expect(sentences.contains("grant by \(hostile.name) (1000): done"))
        let outcomes = events("E").compactMap {
            ($0["args"] as? [String: Any])?["outcome"] as? String
        }
        #expect(outcomes.starts(with: ["paid", "free", "free", "emergency"]))
        let credits = events("C").compactMap { ($0["args"] as? [String: Any])?["credit"] as? Int }
        #expect(credits.first == 0 && credits.contains(100))
    }

    @Test func `whoever is on the way when the gate crashes is so until it starts again`() throws {
        var story = Recording()
        story.payAndStepIn()
        #expect(story.records.contains(.passageStarted(.entry)))
        let start = story.now + .seconds(10)
        var (next, later) = (Recording().steps[0], Recording().steps[0])
        next.event.time = start
        (later.event.time, later.event.kind, later.records) = (
            start + .seconds(60), .timePassed, []
        )
        let text = Recording.text(.perfetto, of: story.steps + [next, later])
        let file = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let ends = try #require(file?["traceEvents"] as? [[String: Any]]).filter {
            ($0["args"] as? [String: Any])?["outcome"] as? String == "unknown"
        }
        #expect(
            try ends.map(time)
                == [Double((start - story.steps[0].event.time).wholeNanoseconds) / 1000])
    }

    @Test func `nothing is a file without events`() throws {
        let text = Recording.text(.perfetto, of: [])
        let file = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect((file?["traceEvents"] as? [Any])?.isEmpty == true)
    }
}
