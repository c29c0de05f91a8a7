import Controller
import Foundation
import SecondOpinion
import StateMachines
import Synchronization
import System
import Testing
import Turnstile

@testable import Trace

/// The recorder on a real folder, with its thread.
@Suite struct RecorderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "trace-\(UUID().uuidString)")

    private var path: String { folder.appending(path: "trace").path }

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    @Test func `what was left is in the file when it is closed, for the group to read`() throws {
        try withFolder {
            let track = Track(try #require(Walk(seed: 17, episodes: 20).lives.first))
            let recorder = try Recorder(path: path, limits: TraceLimits(), header: .ofTests())
            #expect(recorder.wantsState)
            var steps = track.steps
            recorder.take(&steps)
            #expect(steps.isEmpty)
            recorder.close(within: .seconds(20))
            #expect(recorder.takeFailure() == nil)
            let recording = try Recording(path: path)
            #expect(try recording.items() == track.items)
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(path)/00000001.trace")
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test func `a file of a number that nobody counts to is none of the ring`() throws {
        try withFolder {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            for name in ["999999999999", "18446744073709551615", "7", "+0000001"] {
                try Data([1, 2, 3]).write(to: URL(filePath: "\(path)/\(name).trace"))
            }
            let recorder = try Recorder(path: path, limits: TraceLimits(), header: .ofTests())
            var steps = Track(try #require(Walk(seed: 17, episodes: 1).lives.first)).steps
            recorder.take(&steps)
            recorder.close(within: .seconds(20))
            #expect(try SystemTraceFolder(path: path).numbers() == [1])
            #expect(try Recording(path: path).pages.count == 1)
        }
    }

    @Test func `the next one goes on in a file of its own, and both are one recording`() throws {
        try withFolder {
            let lives = Walk(seed: 18, episodes: 60).lives
            for (index, life) in lives.enumerated() {
                let start = Instant.zero + .seconds(index)
                let recorder = try Recorder(
                    path: path, limits: TraceLimits(), header: .ofTests(start: start))
                var steps = Track(life).steps
                recorder.take(&steps)
                recorder.close(within: .seconds(20))
            }
            let recording = try Recording(path: path)
            #expect(recording.pages.count == lives.count)
            let result = Replay.run(recording)
            #expect(result.difference == nil)
            #expect(result.events == lives.reduce(0) { $0 + $1.events.count })
        }
    }

    @Test func `a file that is gone from between two others is a gap`() throws {
        try withFolder {
            let life = try #require(Walk(seed: 18, episodes: 60).lives.last)
            let track = Track(life, stateEvery: life.events.count / 3)
            let places = track.steps.indices.filter { track.steps[$0].isState }
            for (place, next) in zip(places, places.dropFirst() + [track.steps.count]) {
                let recorder = try Recorder(path: path, limits: TraceLimits(), header: .ofTests())
                var steps = Array(track.steps[place..<next])
                recorder.take(&steps)
                recorder.close(within: .seconds(20))
            }
            #expect(places.count >= 3)
            let whole = Replay.run(try Recording(path: path))
            #expect(whole.isWhole && whole.events == life.events.count)
            try FileManager.default.removeItem(atPath: "\(path)/00000002.trace")
            let rest = Replay.run(try Recording(path: path))
            #expect(rest.difference == nil && rest.gaps == 1)
        }
    }

    @Test func `where there is no folder to be had it says so, once, and the loop goes on`() throws
    {
        let recorder = try Recorder(
            path: "/proc/version/trace", limits: TraceLimits(), header: .ofTests())
        let track = Track(try #require(Walk(seed: 17, episodes: 3).lives.first))
        var steps = track.steps
        recorder.take(&steps)
        recorder.close(within: .seconds(20))
        #expect(try #require(recorder.takeFailure()).contains("Not a directory"))
        #expect(recorder.takeFailure() == nil)
    }

    @Test func `a page has the settings and the clock of its state`() throws {
        let queue = try StepQueue()
        let track = Track(try #require(Walk(seed: 17, episodes: 1).lives.first))
        queue.adopt(settings: "gate: {name: south}\n")
        var steps = track.steps
        queue.append(&steps)
        queue.close()
        let disk = DiskInMemory()
        let longAgo = ClockOffset(utc: .zero, local: 0)
        var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: longAgo)
        queue.drain(into: &writer)
        let page = try #require(Recording(files: disk.ordered).pages.first)
        #expect(page.header.settings == "gate: {name: south}\n")
        // Some time in this century.
        #expect(page.clock.utc > .seconds(1_000_000_000))
    }

    @Test func `other settings begin a page before anything happens under them`() throws {
        let queue = try StepQueue()
        let disk = DiskInMemory()
        var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: .ofTests)
        let track = Track(try #require(Walk(seed: 17, episodes: 1).lives.first))
        var before = Array(track.steps.prefix(3))
        queue.append(&before)
        let isWanted = { queue.wantsState.load(ordering: .relaxed) }
        #expect(!isWanted())
        queue.adopt(settings: "gate: {name: south}\n")
        #expect(isWanted())
        var behind = [TraceStep.state(track.turnstile, .blank, at: .zero + .seconds(1_000))]
        let event = Event(.timePassed, at: .zero + .seconds(1_001))
        behind.append(.event(event, .handled))
        queue.append(&behind)
        queue.close()
        queue.drain(into: &writer)
        let pages = Recording(files: disk.ordered).pages
        #expect(pages.last?.header.settings == "gate: {name: south}\n")
        #expect(pages.last?.time == .zero + .seconds(1_000))
        // What was left before is of the settings before.
        #expect(pages.count == 2 && pages[0].header == .ofTests())
    }

    @Test func `after a failure it tries again, though nothing happens`() throws {
        let queue = try StepQueue()
        let thread = try WorkerThread {
            var writer = TraceWriter(
                in: SystemTraceFolder(path: "/proc/version/trace"), TraceLimits(), .ofTests(),
                clock: .ofTests)
            queue.drain(into: &writer, retryPause: .milliseconds(1))
        }
        let track = Track(try #require(Walk(seed: 17, episodes: 1).lives.first))
        for _ in 0..<3 {
            // Asked for, and answered by nothing but the state.
            while !queue.wantsState.load(ordering: .relaxed) { sched_yield() }
            var steps = track.steps.filter(\.isState)
            queue.append(&steps)
        }
        while queue.failure == nil { sched_yield() }
        queue.close()
        #expect(thread.join(within: .seconds(60)))
    }

    @Test func `what nobody takes is bounded, and what came too fast is counted`() throws {
        let queue = try StepQueue()
        let track = Track(try #require(Walk(seed: 19, episodes: 100).lives.first))
        var left = 0
        while left < 3 * StepQueue.stepsAtMost {
            var steps = track.steps
            left += steps.count
            queue.append(&steps)
        }
        queue.close()
        let disk = DiskInMemory()
        var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: .ofTests)
        queue.drain(into: &writer)
        #expect(writer.wantsState)
        // The next state begins with what is missing.
        var rest = track.steps
        writer.write(Array(rest.prefix(20)))
        rest.removeAll()
        let recording = Recording(files: disk.ordered)
        let lost = try recording.items().reduce(0) { sum, item in
            if case .lost(let count) = item { sum + count } else { sum }
        }
        #expect(lost > StepQueue.stepsAtMost)
        #expect(recording.pages.count >= 1)
    }
}
