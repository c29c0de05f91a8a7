import Controller
import SecondOpinion
import Simulation
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// Where something is missing in a page, or has no meaning here, nobody makes anything up.
@Suite struct GapTests {
    /// A calm day in one file of several pages, in one of which each time that was over has a name
    /// that no vocabulary has.
    private struct StrangeDay {
        let recording: Recording
        let policy: Policy
        /// The page with the unknown events.
        let page: Int

        /// Recorded once.
        static let recorded = Result { try StrangeDay() }

        private init() throws {
            let files = try DayRecorder.files(seed: 3, deeds: 700, day: .calm)
            let file = try #require(files.max { $0.count < $1.count })
            // The one in which most happens.
            let pages = Recording(files: [file]).pages
            page = try #require(
                pages.indices.dropFirst().dropLast().max {
                    pages[$0].index.steps.count < pages[$1].index.steps.count
                })
            let strange = try Self.renaming("time_passed", "time_danced", in: page, of: file)
            recording = Recording(files: [strange])
            try #require(recording.pages.count > 3)
            policy = try #require(recording.pages.first?.beginning?.policy)
        }

        /// The bytes with another name, of the same length, in one page.
        static func renaming(
            _ name: String, _ other: String, in page: Int, of bytes: [UInt8]
        ) throws -> [UInt8] {
            var (written, index) = (TraceFormat.firstLine, -1)
            var offset = written.count
            while offset < bytes.count {
                let frame = try Frame(in: bytes, at: offset)
                var content = Array(bytes[frame.content])
                if frame.kind == .state { index += 1 }
                if frame.kind == .steps, index == page {
                    content.replace(Array(name.utf8), with: Array(other.utf8))
                }
                written += Frame.bytes(try #require(frame.kind), content)
                offset = frame.range.upperBound
            }
            return written
        }
    }

    @Test func `behind an unknown event the gate is known from the next state on`() throws {
        let day = try StrangeDay.recorded.get()
        let result = Replay.run(day.recording)
        #expect(result.unknown == ["time_danced"])
        #expect(result.difference == nil && !result.isWhole)
        #expect(result.eventsWithoutState > 0)
        var strange: Set<Int> = []
        _ = Replay.steps(of: day.recording) { step in
            if step.replayed == nil { strange.insert(step.place.page) }
            return true
        }
        #expect(strange == [day.page])
    }

    @Test func `what is cut behind an unknown event is as known as it was`() throws {
        let day = try StrangeDay.recorded.get()
        let all = day.recording.pages.indices
        let cut = try #require(TraceCutting.cut(of: day.recording, pages: all) { _ in true })
        #expect(cut.replay.unknown == ["time_danced"])
        let (whole, again) = (Replay.run(day.recording), Replay.run(Recording(files: [cut.bytes])))
        #expect(again.difference == nil, "\(again.difference as Any)")
        #expect(again.events == whole.events && again.passages == whole.passages)
        #expect(again.eventsWithoutState == whole.eventsWithoutState)
        #expect(again.gaps > 0 && !again.isWhole)
    }

    @Test func `another policy is not asked about what is not known`() throws {
        let day = try StrangeDay.recorded.get()
        let outcome = WhatIf.run(
            day.recording, pages: day.recording.pages.indices, policy: day.policy
        ) { _ in true }
        #expect(outcome.recorded.count > 100)
        #expect(outcome.replayed == outcome.recorded)
        #expect(!outcome.replay.isWhole)
    }

    @Test func `damage behind a checksum that is right costs the rest of its page`() throws {
        var files = try DayRecorder.files(seed: 3, deeds: 200, day: .calm)
        let place = try #require(files.indices.max { files[$0].count < files[$1].count })
        let bytes = files[place]
        // A frame that means nothing stands before the third page.
        let page = Recording(files: [bytes]).pages[2]
        var offset = TraceFormat.firstLine.count
        while try Frame(in: bytes, at: offset).content != page.index.state {
            offset = try Frame(in: bytes, at: offset).range.upperBound
        }
        let frame = Frame.bytes(.steps, [0, 0, 7])
        files[place] = Array(bytes[..<offset]) + frame + bytes[offset...]
        let recording = Recording(files: [files[place]])
        let result = Replay.run(recording) { _ in true }
        #expect(result.difference == nil)
        #expect(result.endings.map(\.flaw) == [.malformed("an unknown kind of step")])
        #expect(result.endings.allSatisfy { (offset..<offset + frame.count).contains($0.offset) })
        let cut = try #require(
            TraceCutting.cut(of: recording, pages: recording.pages.indices) { _ in true })
        let again = Replay.run(Recording(files: [cut.bytes]))
        #expect(again.difference == nil, "\(again.difference as Any)")
        #expect(again.events == result.events)
        #expect(again.gaps == 1)
        let policy = try #require(recording.pages.first?.beginning?.policy)
        let outcome = WhatIf.run(recording, pages: recording.pages.indices, policy: policy) { _ in
            true
        }
        #expect(outcome.replayed == outcome.recorded)
    }

    @Test func `what follows an unknown record about the same event is about it as well`() throws {
        // Somebody has paid, and is let in.
        let tracks = (13..<200).lazy.flatMap { Walk(seed: $0, episodes: 40).lives }
            .map { Track($0).steps }
        let steps = try #require(
            tracks.first { steps in
                steps.indices.dropLast().contains { index in
                    guard case .record(.creditUsed) = steps[index],
                        case .record = steps[index + 1]
                    else { return false }
                    return true
                }
            })
        let bytes = try StrangeDay.renaming(
            "credit_used", "credit_lent", in: 0, of: ReplayTests.bytes(of: steps))
        let recording = Recording(files: [bytes])
        var said: [Record] = []
        var told: [TraceItem] = []
        let result = Replay.run(recording) { news in
            if case .step(let step) = news { said += step.recorded.records }
            if case .item(let item, at: _) = news { told.append(item) }
            return true
        }
        let records = steps.compactMap { step -> Record? in
            guard case .record(let record) = step else { return nil }
            if case .creditUsed = record { return nil }
            return record
        }
        #expect(said == records)
        #expect(result.unknown == ["credit_lent"])
        #expect(told.contains(.unknown("credit_lent", isEvent: false)))
        #expect(result.eventsWithoutState == 0)
    }

    @Test func `a start without a stop may have done more than it tells`() throws {
        let lives = Walk(seed: 18, episodes: 60).lives.prefix(3)
        try #require(lives.count == 3)
        func bytes(_ life: Life, _ start: Int, stops: Bool) throws -> [UInt8] {
            let disk = DiskInMemory()
            var writer = TraceWriter(
                in: disk, TraceLimits(), .ofTests(start: .zero + .seconds(start)), clock: .ofTests)
            var life = life
            life.events.removeAll { if case .stopped = $0.kind { true } else { false } }
            if stops {
                let end = life.events.last?.time ?? .zero
                life.events.append(Event(.stopped, at: end + .seconds(1)))
            }
            writer.write(Track(life).steps)
            return disk.ordered.flatMap { $0 }
        }
        for stops in [[true, true], [true, false], [false, false]] {
            let files = try zip(lives, stops + [false]).enumerated().map { index, start in
                try bytes(start.0, index, stops: start.1)
            }
            let result = Replay.run(Recording(files: files))
            #expect(result.unfinished == stops.count { !$0 })
            #expect(result.isWhole && result.difference == nil)
            // A loss of power takes the end of a file.
            let torn = Replay.run(
                Recording(files: [Array(files[0].dropLast(2))] + files.dropFirst()))
            #expect(torn.isWhole && torn.gaps == 0)
            #expect(torn.unfinished >= 1)
        }
    }

    /// A start whose pages are a file each, of which one is missing.
    private func torn() throws -> Recording {
        let life = try #require(
            Walk(seed: 15, episodes: 40).lives.max { $0.events.count < $1.events.count })
        let steps = Track(life, stateEvery: life.events.count / 4).steps
        let places = steps.indices.filter { steps[$0].isState } + [steps.count]
        var recording = Recording()
        for (index, (place, next)) in zip(places, places.dropFirst()).enumerated()
        where index != 1 {
            recording.add(
                ReplayTests.bytes(of: Array(steps[place..<next])), from: "\(index)",
                followsGap: index == 2)
        }
        return recording
    }

    @Test func `a file that is missing is told where it was`() throws {
        let recording = try torn()
        var told: [Int] = []
        _ = Replay.run(recording) { news in
            if case .item(.lost(0), at: let moment) = news {
                told.append(recording.pages.firstIndex { $0.time == moment.time } ?? -1)
            }
            return true
        }
        #expect(told == [1])
        let cut = try #require(
            TraceCutting.cut(of: recording, pages: recording.pages.indices) { _ in true })
        let items = try Recording(files: [cut.bytes]).items()
        #expect(items.count { $0 == .lost(0) } == 1)
        #expect(cut.replay.gaps == 1 && Replay.run(Recording(files: [cut.bytes])).gaps == 1)
    }

    @Test func `what is missing at the edge of a part is missing in it`() throws {
        let recording = try torn()
        let (before, behind) = (recording.pages[0], recording.pages[1])
        let (end, start) = (before.utc(at: before.lastTime), behind.utc(at: behind.time))
        #expect(Replay.run(recording, pages: 0..<1, counting: { $0 <= end }).gaps == 1)
        #expect(Replay.run(recording, pages: 0..<1, counting: { $0 < end }).gaps == 0)
        #expect(Replay.run(recording, pages: 1..<2, counting: { $0 >= start }).gaps == 1)
        #expect(Replay.run(recording, pages: 1..<2, counting: { $0 > start }).gaps == 0)
    }

    @Test func `a clock that nobody has is damage`() throws {
        let state = PageState(
            time: .zero, clock: ClockOffset(utc: .zero, local: 100_000), version: 0,
            machine: Fields(), shell: Fields())
        var writer = PageWriter()
        let bytes =
            TraceFormat.firstLine + Frame.bytes(.header, TraceHeader.ofTests().fields)
            + Frame.bytes(.state, writer.state(state))
        let recording = Recording(files: [bytes])
        #expect(recording.pages.isEmpty)
        #expect(
            recording.endings.map(\.flaw)
                == [.malformed("a local time that is too far from UTC")])
    }

    @Test func `a part counts for itself`() throws {
        let recording = try DayRecorder.recording(seed: 3, deeds: 100, day: .calm)
        let first = recording.pages[0]
        let (start, end) = (first.utc(at: first.time), first.utc(at: first.lastTime))
        let middle = start + (end - start) / 2
        let whole = Replay.run(recording, pages: 0..<1)
        let parts = [
            Replay.run(recording, pages: 0..<1, counting: { $0 < middle }),
            Replay.run(recording, pages: 0..<1, counting: { $0 >= middle }),
        ]
        #expect(parts.allSatisfy { $0.events > 0 })
        #expect(parts.reduce(0) { $0 + $1.events } == whole.events)
        #expect(parts.reduce(0) { $0 + $1.passages } == whole.passages)
    }
}
