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
        let recording = try DayRecorder.recording(seed: 21, deeds: 150)
        let (first, last) = (
            try #require(recording.pages.first), try #require(recording.pages.last)
        )
        let (start, end) = (first.utc(at: first.time), last.utc(at: last.lastTime))
        var steps: [(utc: Duration, event: Event)] = []
        _ = Replay.steps(of: recording) { step in
            steps.append((step.utc, step.event))
            return true
        }
        var random = SeededGenerator.announced()
        for _ in SeededGenerator.rounds(15) {
            let from =
                start
                + .milliseconds(
                    Int.random(in: 0...Int((end - start) / .milliseconds(1)), using: &random))
            let to = from + .seconds(Int.random(in: 5...600, using: &random))
            let isWanted = { (utc: Duration) -> Bool in utc >= from && utc < to }
            let wanted = steps.filter { isWanted($0.utc) }.map(\.event)
            let cut = TraceCutting.bytes(
                of: recording, pages: recording.pages.indices, isWanted: isWanted)
            guard let cut else {
                #expect(wanted.isEmpty, "\(random)")
                continue
            }
            let part = Recording(files: [cut])
            var heard: [Event] = []
            let result = Replay.steps(of: part) { step in
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

    @Test func `the machines of the shell are those of the moment at which it begins`() throws {
        let recording = try DayRecorder.recording(seed: 22, deeds: 100)
        var compared = 0
        for index in recording.pages.indices.dropLast() {
            let (page, next) = (recording.pages[index], recording.pages[index + 1])
            guard next.goesOn(from: page), !next.followsGap else { continue }
            let middle = page.utc(at: page.time + (page.lastTime - page.time) / 2)
            let bytes = TraceCutting.bytes(of: recording, pages: index..<index + 1) {
                $0 >= middle
            }
            guard let bytes else { continue }
            let cut = Recording(files: [bytes])
            let start = try recording.read(next, readsShell: true).state
            let shell = try ShellMachines(cut.read(cut.pages[0], readsShell: true).state.shell)
            #expect(Self.shell(after: cut, from: shell) == (try ShellMachines(start.shell)))
            compared += 1
        }
        #expect(compared > 3)
    }

    /// The machines of the shell after a recording that they begin with as `shell`.
    private static func shell(
        after recording: Recording, from shell: ShellMachines
    )
        -> ShellMachines
    {
        var shell = shell
        _ = Replay.run(recording) { news in
            switch news {
            case .item(.shell(let event, at: _), at: _): _ = shell.handle(event)
            case .step(let step):
                if let turnstile = step.replayed?.turnstile { shell.follow(turnstile) }
            case .page, .item: break
            }
            return true
        }
        return shell
    }

    @Test func `a byte that is damaged costs a cut the second that it is in, and what follows`()
        throws
    {
        let recording = try DayRecorder.recording(seed: 24, deeds: 100)
        let whole = try #require(TraceCutting.bytes(of: recording, pages: 0..<1) { _ in true })
        var damaged = whole
        damaged[whole.count - 5] ^= 1
        let (all, read) = (
            try Recording(files: [whole]).items(), try Recording(files: [damaged]).items()
        )
        #expect(read == Array(all.prefix(read.count)))
        let lost = all.dropFirst(read.count).compactMap { item -> Instant? in
            switch item {
            case .event(let event, _): event.time
            case .shell(_, let time): time
            default: nil
            }
        }
        let (first, last) = (try #require(lost.first), try #require(lost.last))
        #expect(last - first <= .seconds(1) && !read.isEmpty)
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
        #expect(outcome.replayed == outcome.recorded, "at the same times as well")
    }

    @Test func `wherever it begins, what was asked of the ledger is answered`() {
        let life = Self.paidPassage()
        let recording = ReplayTests.recording(of: Track(life, stateEvery: 1).steps)
        let isAwaited = recording.pages.map { page in
            recording.turnstile(at: page)?.gate.commitBarrier.isDurable == false
        }
        #expect(isAwaited.contains(true))
        for page in recording.pages.indices {
            let outcome = WhatIf.run(
                recording, pages: page..<recording.pages.count, policy: life.beginning.policy
            ) { _ in true }
            #expect(outcome.replayed == outcome.recorded, "\(page)")
        }
    }

    @Test func `what is put off is put off under another policy as well`() {
        let life = Self.paidPassage()
        let steps = Track(life).steps
        guard let place = steps.lastIndex(where: \.isEvent) else { return }
        // The last wait is put off by as much as the gate could not be reached.
        var late = steps
        if case .event(let event, let verdict) = steps[place] {
            late[place] = .event(Event(event.kind, at: event.time + .seconds(9)), verdict)
        }
        late.insert(.postponed(by: .seconds(9)), at: place)
        let recording = ReplayTests.recording(of: late)
        #expect(Replay.run(recording).difference == nil)
        let outcome = WhatIf.run(recording, pages: 0..<1, policy: life.beginning.policy) { _ in
            true
        }
        #expect(outcome.replayed == outcome.recorded)
    }

    @Test func `what is put off first on a page is put off behind its state`() {
        var life = Self.paidPassage()
        let steps = Track(life).steps
        guard let place = steps.lastIndex(where: \.isEvent), let last = life.events.popLast() else {
            return
        }
        var late = steps
        if case .event(let event, let verdict) = steps[place] {
            late[place] = .event(Event(event.kind, at: event.time + .seconds(9)), verdict)
        }
        late.insert(.postponed(by: .seconds(9)), at: place)
        late.insert(.state(Track(life).turnstile, .blank, at: last.time), at: place)
        let result = Replay.run(ReplayTests.recording(of: late))
        #expect(result.difference == nil && result.events == life.events.count + 1)
    }

    @Test func `what was heard of late is heard of late under another policy as well`() {
        let life = Self.paidPassage(deafFor: .milliseconds(7))
        let recording = ReplayTests.recording(of: Track(life).steps)
        let outcome = WhatIf.run(recording, pages: 0..<1, policy: life.beginning.policy) { _ in
            true
        }
        #expect(outcome.replayed == outcome.recorded)
        let moments = outcome.recorded.map { $0.utc - ClockOffset.ofTests.utc }
        #expect(moments.contains { $0 > .seconds(5) && $0.wholeNanoseconds % 10_000_000 != 0 })
    }

    @Test func `a ledger that failed fails under another policy until it works again`() {
        var life = Life(
            beginning: Beginning(policy: Policy(price: 100, coinUnit: 50), ledger: .open(.init())))
        let kinds: [(Int, Event.Kind)] = [(0, .started([])), (1, .storageFailed), (8, .durable)]
        for (second, kind) in kinds {
            life.events.append(Event(kind, at: .zero + .seconds(second)))
        }
        let recording = ReplayTests.recording(of: Track(life, stateEvery: 1).steps)
        #expect(recording.pages.count == 3)
        for page in recording.pages.indices {
            let outcome = WhatIf.run(
                recording, pages: page..<recording.pages.count, policy: life.beginning.policy
            ) { _ in true }
            #expect(outcome.replayed == outcome.recorded, "\(page)")
            #expect(outcome.recorded.contains { $0.record.name == "fault_cleared" }, "\(page)")
        }
    }

    /// Somebody pays at a gate with a ledger, which takes 20 ms for each answer, and is let in.
    /// What is due is heard of so much later.
    private static func paidPassage(deafFor delay: Duration = .zero) -> Life {
        var life = Life(
            beginning: Beginning(policy: Policy(price: 100, coinUnit: 50), ledger: .open(.init())))
        var turnstile = Turnstile(life.beginning)
        var asked: [Instant] = []
        func handle(_ kind: Event.Kind, at time: Instant) {
            life.events.append(Event(kind, at: time))
            turnstile.handle(Event(kind, at: time)).commands.forEach { command in
                if case .store = command { asked.append(time) }
            }
        }
        func pass(until time: Instant) {
            while true {
                let answer = asked.first.map { $0 + Duration.milliseconds(20) }
                let due = turnstile.deadline.map { $0 + delay }
                guard let next = Instant.earliest(answer, due), next <= time else { return }
                if next == answer { asked.removeAll() }
                handle(next == answer ? .durable : .timePassed, at: next)
            }
        }
        handle(.started([]), at: .zero)
        for pulse in 0..<4 {
            let time = Instant.zero + .milliseconds(1_000 + pulse * 60)
            pass(until: time)
            handle(.changed(.coinPulse, isActive: pulse % 2 == 0), at: time)
        }
        pass(until: .zero + .seconds(20))
        return life
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
