import Controller
import SecondOpinion
import Seeds
import Simulation
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// A part of a trace is a trace, and another policy has other ends.
@Suite struct CutTests {
    @Test func `some minutes of a day replay by themselves`() throws {
        let recording = try DayRecorder.recording(seed: 21, deeds: 400)
        let (first, last) = (
            try #require(recording.pages.first), try #require(recording.pages.last)
        )
        let (start, end) = (first.utc(at: first.time), last.utc(at: last.lastTime))
        var random = SeededGenerator.announced()
        for _ in 0..<12 {
            let from =
                start
                + .milliseconds(
                    Int.random(in: 0...Int((end - start) / .milliseconds(1)), using: &random))
            let to = from + .seconds(Int.random(in: 5...600, using: &random))
            var wanted: [Event] = []
            let isWanted = { (utc: Duration) -> Bool in utc >= from && utc < to }
            _ = Replay.run(recording) { step in
                if isWanted(step.utc) { wanted.append(step.event) }
                return true
            }
            let cut = TraceCutting.bytes(
                of: recording, pages: recording.pages.indices, isWanted: isWanted)
            guard let cut else {
                #expect(wanted.isEmpty, "\(random)")
                continue
            }
            let part = Recording(files: [cut])
            var heard: [Event] = []
            let result = Replay.run(part) { step in
                heard.append(step.event)
                return true
            }
            #expect(heard == wanted, "\(random)")
            #expect(result.difference == nil, "\(random) \(result.difference as Any)")
            #expect(result.eventsWithoutState == 0)
            #expect(
                part.pages.first?.header == recording.pages.first?.header || !part.pages.isEmpty)
        }
    }

    @Test func `nothing wanted is no trace`() throws {
        let life = try #require(Walk(seed: 16, episodes: 5).lives.first)
        let recording = Recording(files: [FormatTests.bytes(of: Track(life))])
        #expect(TraceCutting.bytes(of: recording, pages: 0..<1) { _ in false } == nil)
    }

    @Test func `the same policy would have recorded the same`() throws {
        let recording = try DayRecorder.recording(seed: 3, deeds: 200, day: .calm)
        let policy = try #require(recording.pages.first?.beginning?.policy)
        let outcome = WhatIf.run(recording, pages: recording.pages.indices, policy: policy) { _ in
            true
        }
        #expect(outcome.recorded.count > 500)
        let adopted = outcome.replayed.filter { $0.record != .policyChanged(by: .settings) }
        #expect(adopted.map(\.record) == outcome.recorded.map(\.record))
    }

    @Test func `at a higher price the coins do not suffice`() throws {
        let recording = try DayRecorder.recording(seed: 3, deeds: 200, day: .calm)
        var policy = try #require(recording.pages.first?.beginning?.policy)
        policy.price *= 3
        let outcome = WhatIf.run(recording, pages: recording.pages.indices, policy: policy) { _ in
            true
        }
        func paid(_ entries: [WhatIf.Entry]) -> Int {
            entries.count { if case .creditUsed = $0.record { true } else { false } }
        }
        #expect(paid(outcome.replayed) < paid(outcome.recorded))
        #expect(paid(outcome.recorded) > 0)
    }
}
