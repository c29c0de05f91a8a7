import Controller
import SecondOpinion
import Seeds
import Simulation
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// What was recorded can be replayed, and whatever is otherwise is found.
@Suite struct ReplayTests {
    @Test(arguments: [8, 21, 1_003] as [UInt64])
    func `a day with its restarts is replayed as it was`(seed: UInt64) throws {
        let recording = try DayRecorder.recording(seed: seed, deeds: 400)
        let result = Replay.run(recording)
        #expect(recording.endings.isEmpty)
        #expect(result.difference == nil, "\(result.difference as Any)")
        #expect(result.passages > 0)
        #expect(result.events > 1_000)
        #expect((result.lost, result.eventsWithoutState) == (0, 0))
        #expect(result.unknown.isEmpty)
    }

    @Test func `each page can be replayed by itself`() throws {
        let recording = try DayRecorder.recording(seed: 7, deeds: 400)
        #expect(recording.pages.count > 1)
        for page in recording.pages.indices {
            let result = Replay.run(recording, pages: page..<page + 1)
            #expect(result.difference == nil, "page \(page)")
            #expect(result.eventsWithoutState == 0)
        }
    }

    @Test func `whoever listens hears what was recorded, with the gate after it`() throws {
        let life = try #require(Walk(seed: 11, episodes: 40).lives.last)
        let track = Track(life, stateEvery: 50)
        let recording = Recording(files: [FormatTests.bytes(of: track)])
        var heard: [Event] = []
        var turnstile = Turnstile(life.beginning)
        _ = Replay.steps(of: recording) { step in
            _ = turnstile.handle(step.event)
            #expect(step.replayed?.turnstile == turnstile)
            #expect(step.replayed?.records == step.recorded.records)
            #expect(step.replayed?.commands == step.recorded.commands)
            heard.append(step.event)
            return true
        }
        #expect(heard == life.events)
    }

    @Test func `levels are those of the lines, and outputs those of the commands`() throws {
        let life = try #require(Walk(seed: 12, episodes: 40).lives.last)
        let recording = Recording(files: [FormatTests.bytes(of: Track(life))])
        var levels = InputLevels()
        _ = Replay.steps(of: recording) { step in
            switch step.event.kind {
            case .started(let all), .edgesLost(let all): levels = all
            case .changed(let input, let isActive): levels[input] = isActive
            case _: break
            }
            #expect(step.replayed?.levels == levels)
            #expect(step.replayed?.outputs == (step.replayed?.turnstile.gate.drive ?? []))
            return true
        }
    }

    @Test func `outputs are on from the beginning of a page that were on before it`() throws {
        let lives = Walk(seed: 12, episodes: 40).lives
        let life = try #require(lives.max { $0.events.count < $1.events.count })
        let recording = Recording(files: [FormatTests.bytes(of: Track(life, stateEvery: 10))])
        var isAnyOn = false
        for page in recording.pages.indices {
            let before = recording.turnstile(at: recording.pages[page])?.gate.drive ?? []
            isAnyOn = isAnyOn || before != []
            _ = Replay.steps(of: recording, pages: page..<page + 1) { step in
                #expect(step.replayed?.outputs == (step.replayed?.turnstile.gate.drive ?? []))
                return true
            }
        }
        #expect(recording.pages.count > 5 && isAnyOn)
    }

    @Test func `what was recorded otherwise is the first difference, where it is`() throws {
        let life = try #require(Walk(seed: 13, episodes: 60).lives.last)
        var random = SeededGenerator.announced()
        for _ in 0..<20 {
            var steps = Track(life).steps
            let said = steps.indices.filter { index in
                if case .record = steps[index] { true } else { false }
            }
            let place = try #require(said.randomElement(using: &random))
            let before = steps[..<place].reversed().prefix { !$0.isEvent }
            let others = Array(before) + steps[place...].prefix { !$0.isEvent }
            guard !others.contains(.record(.rotorNoise)) else { continue }
            steps[place] = .record(.rotorNoise)
            let event = steps[..<place].lazy.compactMap { step -> Event? in
                if case .event(let event, _) = step { event } else { nil }
            }
            let difference = try #require(Replay.run(Self.recording(of: steps)).difference)
            #expect(difference.event == event.last, "\(random)")
            #expect(difference.recorded.records.contains(.rotorNoise))
            #expect(!difference.replayed.records.contains(.rotorNoise))
        }
    }

    @Test func `a state that does not follow from the page before is a difference`() throws {
        let lives = Walk(seed: 14, episodes: 60).lives
        let life = try #require(lives.max { $0.events.count < $1.events.count })
        var steps = Track(life).steps
        let strange = Turnstile(life.beginning)
        let place = try #require(steps.indices.dropFirst(40).first { steps[$0].isEvent })
        steps.insert(.state(strange, .blank, at: .zero + .seconds(100)), at: place)
        let difference = try #require(Replay.run(Self.recording(of: steps)).difference)
        #expect(difference.event == nil)
        #expect(difference.place == .init(page: 1, ordinal: 0))
    }

    @Test func `what is missing between two pages is no difference`() throws {
        let lives = Walk(seed: 15, episodes: 300).lives
        let life = try #require(lives.max { $0.events.count < $1.events.count })
        let track = Track(life, stateEvery: life.events.count / 4)
        let places = track.steps.indices.filter { track.steps[$0].isState } + [track.steps.count]
        // Each page is a file, as where a ring is full, and of one there is nothing, or half.
        let files = zip(places, places.dropFirst()).map { place, next in
            Self.bytes(of: Array(track.steps[place..<next]))
        }
        var recording = Recording()
        for (index, bytes) in files.enumerated() where index != 1 {
            recording.add(bytes, from: "\(index)", followsGap: index == 2)
        }
        let gone = Replay.run(recording)
        #expect(gone.difference == nil && gone.gaps == 1 && !gone.isWhole)
        let bytes = TraceCutting.bytes(of: recording, pages: recording.pages.indices) { _ in true }
        let cut = Replay.run(Recording(files: [try #require(bytes)]))
        #expect(cut.difference == nil && cut.gaps == 1 && cut.events == gone.events)
        var damaged = files
        damaged[1].removeLast(damaged[1].count / 2)
        let torn = Replay.run(Recording(files: damaged))
        #expect(torn.difference == nil && torn.gaps == 1)
        #expect(Replay.run(Recording(files: files)).events == life.events.count)

        // What the queue had no room for is counted before the next page.
        let disk = DiskInMemory()
        var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: .ofTests)
        writer.write(Array(track.steps[..<places[1]]))
        writer.countLost(7)
        writer.write(Array(track.steps[places[2]...]))
        let result = Replay.run(Recording(files: disk.ordered))
        #expect(result.difference == nil)
        #expect(result.lost == 7)

        // Nothing has happened since.
        let quiet = DiskInMemory()
        writer = TraceWriter(in: quiet, TraceLimits(), .ofTests(), clock: .ofTests)
        writer.write(Array(track.steps[..<places[1]]))
        writer.countLost(7)
        writer.write([track.steps[places[2]]])
        let rest = Replay.run(Recording(files: quiet.ordered))
        #expect(rest.difference == nil && rest.lost == 7)
        #expect(rest.events == track.steps[..<places[1]].count { $0.isEvent })
    }

    @Test func `a state of another version is not replayed, but for a start`() throws {
        let lives = Walk(seed: 15, episodes: 300).lives
        let life = try #require(lives.max { $0.events.count < $1.events.count })
        let track = Track(life, stateEvery: life.events.count / 3)
        let recording = Recording(files: [Self.bytes(of: track.steps, version: 7)])
        // The start says what the gate was made of, which every version knows.
        let whole = Replay.run(recording)
        #expect(whole.difference == nil)
        #expect((whole.events, whole.eventsWithoutState) == (life.events.count, 0))
        var heard = 0
        let rest = Replay.steps(of: recording, pages: 1..<recording.pages.count) { step in
            heard += 1
            return step.replayed == nil
        }
        #expect((rest.events, rest.eventsWithoutState) == (0, heard))
        #expect(heard >= life.events.count * 2 / 3 - 1)
    }

    @Test func `what nobody knows any more is told by its name`() throws {
        var writer = PageWriter()
        let beginning = Beginning(policy: Policy(price: 100, coinUnit: 50))
        let turnstile = Turnstile(beginning)
        let state = PageState(
            time: .zero, clock: .ofTests, version: Turnstile.snapshotVersion,
            machine: turnstile.fields, shell: ShellMachines.blank.fields)
        var bytes = TraceFormat.firstLine + Frame.bytes(.header, TraceHeader.ofTests().fields)
        bytes += Frame.bytes(.state, writer.state(state))
        writer.beginFrame()
        writer.append(.event(Event(.started([]), at: .zero), .handled))
        let known = writer.content
        // A name of the same length that no vocabulary has.
        var text = known
        let name = try #require(
            text.indices.first { text[$0...].starts(with: Array("started".utf8)) })
        text.replaceSubrange(name..<name + 7, with: Array("danced!".utf8))
        bytes += Frame.bytes(.steps, text)
        let result = Replay.run(Recording(files: [bytes]))
        #expect(result.unknown == ["danced!"])
        #expect(result.events == 0)
    }

    /// A file with these steps.
    static func recording(of steps: [TraceStep]) -> Recording {
        Recording(files: [bytes(of: steps)])
    }

    /// The same, of states of this version.
    static func bytes(of steps: [TraceStep], version: Int = Turnstile.snapshotVersion) -> [UInt8] {
        let disk = DiskInMemory()
        var writer = TraceWriter(
            in: disk, TraceLimits(size: 1 << 30), .ofTests(), stateVersion: version,
            clock: .ofTests)
        writer.write(steps)
        writer.finish()
        return disk.ordered.flatMap { $0 }
    }
}

extension TraceStep {
    /// Whether the machine heard of something.
    var isEvent: Bool {
        if case .event = self { true } else { false }
    }
}
