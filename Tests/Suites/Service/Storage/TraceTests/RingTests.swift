import Controller
import SecondOpinion
import Seeds
import StateMachines
import System
import Testing
import Turnstile

@testable import Trace

/// The ring has its bounds, whatever the disk and the clock do.
@Suite struct RingTests {
    private static let limits = TraceLimits(size: 400_000, age: .seconds(1_600))

    /// A writer that is told of a gate at which a lever is pushed all the time.
    private struct Rig {
        let disk: DiskInMemory
        var writer: TraceWriter
        var turnstile = Turnstile(Beginning(policy: Policy(price: 100, coinUnit: 50)))
        var time = Instant.zero

        init(_ disk: DiskInMemory, _ limits: TraceLimits = RingTests.limits) {
            self.disk = disk
            writer = TraceWriter(in: disk, limits, .ofTests(), clock: .ofTests)
        }

        /// Has the gate handle so many events, each so long after the one before.
        mutating func handle(_ count: Int, every pause: Duration) {
            for number in 0..<count {
                var steps: [TraceStep] = []
                if writer.wantsState { steps.append(.state(turnstile, .blank, at: time)) }
                time = time + pause
                let event = Event(
                    time == .zero + pause
                        ? .started([])
                        : .changed(.releaseEntry, isActive: number.isMultiple(of: 2)),
                    at: time)
                steps.append(.event(event, turnstile.handle(event).verdict))
                writer.write(steps)
            }
        }
    }

    @Test func `it takes no more than its size, and tells of no more than its age`() throws {
        var rig = Rig(DiskInMemory())
        for _ in 0..<40 {
            rig.handle(500, every: .milliseconds(100))
            #expect(rig.disk.ordered.reduce(0) { $0 + $1.count } <= Self.limits.size)
        }
        let recording = Recording(files: rig.disk.ordered)
        #expect(recording.endings.isEmpty)
        let (first, last) = (
            try #require(recording.pages.first), try #require(recording.pages.last)
        )
        // One part may be older.
        let span = last.lastTime - first.time
        #expect(span <= Self.limits.age + Self.limits.age / 8)
        #expect(span >= Self.limits.age - Self.limits.age / 8)
    }

    @Test func `a busy gate fills its size, a quiet one its age`() throws {
        var busy = Rig(DiskInMemory())
        var size = 0
        for _ in 0..<120 {
            busy.handle(500, every: .milliseconds(1))
            size = busy.disk.ordered.reduce(0) { $0 + $1.count }
            #expect(size <= Self.limits.size)
        }
        #expect(size > Self.limits.size * 3 / 4)
        // The newest are there.
        let last = try #require(Recording(files: busy.disk.ordered).pages.last)
        #expect(busy.time - last.lastTime < .seconds(2))

        var quiet = Rig(DiskInMemory())
        quiet.handle(2_000, every: .seconds(5))
        #expect(quiet.disk.ordered.reduce(0) { $0 + $1.count } < Self.limits.size / 2)
        let first = try #require(Recording(files: quiet.disk.ordered).pages.first)
        let span = quiet.time - first.time
        #expect(span <= Self.limits.age + Self.limits.age / 8)
        #expect(span >= Self.limits.age - Self.limits.age / 8)
    }

    @Test func `it goes on behind what an earlier service left, whatever that is`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(3_000, every: .milliseconds(100))
        let before = rig.disk.files
        var damaged = before
        damaged[1] = [1, 2, 3]
        damaged[2] = Array(before[2]?.dropLast(7) ?? [])
        var next = Rig(DiskInMemory(damaged))
        next.handle(10, every: .milliseconds(100))
        #expect(next.disk.files.keys.max() == (before.keys.max() ?? 0) + 1)
        #expect(Recording(files: next.disk.ordered).endings.count == 2)
    }

    @Test func `starts in quick succession leave what was recorded before them`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(2_000, every: .milliseconds(100))
        for _ in 0..<10 {
            var crashing = Rig(disk)
            crashing.handle(3, every: .milliseconds(1))
        }
        let starts = Recording(files: disk.ordered).pages.count { $0.time == .zero }
        #expect(starts == 11)
        #expect(disk.ordered.reduce(0) { $0 + $1.count } <= Self.limits.size)
    }

    @Test
    func `a crash loop costs the first and the last of its starts nothing, nor what was before`()
        throws
    {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(2_000, every: .milliseconds(100))
        let before = Set(disk.files.keys)
        let size = disk.files.values.reduce(0) { $0 + $1.count }
        #expect(size < Self.limits.size / 2)
        var starts = 0
        while starts < 500 {
            var crashing = Rig(disk)
            crashing.handle(3, every: .milliseconds(1))
            starts += 1
        }
        let numbers = disk.files.keys.sorted()
        #expect(Set(numbers).isSuperset(of: before))
        let first = (before.max() ?? 0) + 1
        let last = first + UInt64(starts) - 1
        for number in [first, first + 1, first + 2, last - 2, last - 1, last] {
            #expect(disk.files[number] != nil, "\(number) of \(numbers)")
        }
        let lives = numbers.filter { $0 >= first }
        let added = lives.reduce(0) { $0 + (disk.files[$1]?.count ?? 0) }
        #expect(added <= Self.limits.size / 4 + Self.limits.size / 16)
        #expect(added >= Self.limits.size / 8)
        // A gate that goes on for longer is kept, whatever crashes behind it.
        var calm = Rig(disk)
        calm.handle(200, every: .milliseconds(1_000))
        let kept = try #require(disk.files.keys.max())
        for _ in 0..<100 {
            var crashing = Rig(disk)
            crashing.handle(3, every: .milliseconds(1))
        }
        #expect(disk.files[kept] != nil)
    }

    @Test func `what is there of the next name is left as it is`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(10, every: .milliseconds(100))
        rig.writer.finish()
        disk.put(2, [1, 2, 3])
        rig.handle(1, every: .seconds(600))
        rig.handle(20, every: .milliseconds(100))
        #expect(disk.files[2] == [1, 2, 3])
        #expect(rig.writer.failure == nil)
        #expect(disk.files.keys.max() == 3)
    }

    @Test func `a full disk that others fill costs little, and no file without a page is left`()
        throws
    {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(8_000, every: .milliseconds(100))
        let before = disk.files
        // Others take whatever is given up.
        for _ in 0..<50 {
            disk.room = 0
            rig.handle(1, every: .milliseconds(100))
        }
        #expect(before.count > 6)
        #expect((before.count - 3..<before.count).contains(disk.files.count))
        #expect(rig.writer.failure?.contains("No space left") == true)
        disk.room = nil
        rig.handle(10, every: .milliseconds(100))
        #expect(rig.writer.failure == nil)
        let recording = Recording(files: disk.ordered)
        #expect(recording.endings.isEmpty)
        // A file that was not kept is no gap: what is missing is counted.
        let numbers = disk.files.keys.sorted()
        #expect(numbers.last.map { Int($0) } == before.count + 1)
        // Once half of it was used here, the next one may go.
        rig.handle(2_000, every: .milliseconds(1))
        let oldest = try #require(disk.files.keys.min())
        disk.room = 0
        rig.handle(1, every: .milliseconds(1))
        #expect(disk.files[oldest] == nil)
    }

    @Test func `on a full disk the oldest makes room, and what is missing is counted`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(8_000, every: .milliseconds(100))
        disk.room = 500
        rig.handle(400, every: .milliseconds(100))
        rig.handle(4_000, every: .milliseconds(100))
        let recording = Recording(files: disk.ordered)
        let last = try #require(recording.pages.last)
        #expect(rig.time - last.lastTime < .seconds(60))
        let lost = try recording.items().reduce(0) { sum, item in
            if case .lost(let count) = item { sum + count } else { sum }
        }
        #expect(lost > 0)
    }

    @Test func `a disk that fails is told of once, and tried again`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(10, every: .milliseconds(100))
        #expect(rig.writer.failure == nil)
        disk.failure = 5
        rig.handle(10, every: .milliseconds(100))
        #expect(rig.writer.failure?.contains("Input/output error") == true)
        disk.failure = nil
        rig.handle(10, every: .milliseconds(100))
        #expect(rig.writer.failure == nil)
        let isLossTold = try Recording(files: disk.ordered).items().contains { item in
            if case .lost(let count) = item { count >= 10 } else { false }
        }
        #expect(isLossTold)
    }

    @Test func `a file that cannot be read takes no other with it`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(3_000, every: .milliseconds(100))
        let before = Set(rig.disk.files.keys)
        let disk = DiskInMemory(rig.disk.files)
        disk.unreadable = [2]
        var next = Rig(disk)
        next.handle(10, every: .milliseconds(100))
        #expect(next.writer.failure == nil)
        #expect(Set(disk.files.keys).isSuperset(of: before))
        // A disk that fails is no full one: nothing is given up for it.
        disk.failure = 5
        next.handle(10, every: .milliseconds(100))
        disk.failure = nil
        #expect(Set(disk.files.keys).isSuperset(of: before))
    }

    @Test func `a file that was removed is followed by another one`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(10, every: .milliseconds(100))
        #expect(!rig.writer.wantsState)
        try disk.remove(1)
        let event = Event(.changed(.fire, isActive: true), at: rig.time)
        rig.writer.write([.event(event, rig.turnstile.handle(event).verdict)])
        #expect(rig.writer.wantsState)
        rig.handle(10, every: .milliseconds(100))
        #expect(disk.files.keys.sorted() == [2])
        let recording = Recording(files: disk.ordered)
        #expect(recording.pages.count == 1)
        // What went into no file is counted.
        #expect(try recording.items().first == .lost(1))
    }

    @Test func `where no file can be made the oldest makes room as well`() throws {
        let disk = DiskInMemory()
        var rig = Rig(disk)
        rig.handle(3_000, every: .milliseconds(100))
        let oldest = try #require(disk.files.keys.min())
        disk.mostFiles = disk.files.count
        var next = Rig(disk)
        next.handle(10, every: .milliseconds(100))
        #expect(next.writer.failure == nil)
        #expect(disk.files[oldest] == nil)
    }

    @Test func `how long a time a file tells of is found by its heads alone`() throws {
        var rig = Rig(DiskInMemory(), TraceLimits(size: 1 << 30, age: .seconds(100 * 24 * 3_600)))
        rig.handle(20_000, every: .milliseconds(100))
        let pages = Recording(files: rig.disk.ordered).pages
        try #require(rig.disk.files.count == 1 && pages.count > 2)
        #expect(rig.disk.files[1].map { $0.count > 65_536 } == true)
        #expect(rig.disk.span(of: 1) == pages[pages.count - 1].lastTime - pages[0].time)
        // As far as it can be read.
        let disk = DiskInMemory(rig.disk.files.mapValues { Array($0.prefix($0.count / 2)) })
        #expect(disk.span(of: 1) > .seconds(500) && disk.span(of: 1) < rig.disk.span(of: 1))
        var damaged = try #require(rig.disk.files[1])
        damaged[damaged.count / 2] ^= 0x40
        #expect(DiskInMemory([1: damaged]).span(of: 1) <= disk.span(of: 1))
        #expect(DiskInMemory([1: [1, 2, 3]]).span(of: 1) == .zero)
        #expect(DiskInMemory().span(of: 7) == .zero)
    }

    @Test func `of a long file the beginning alone tells that it is long`() throws {
        var rig = Rig(DiskInMemory(), TraceLimits(size: 1 << 30, age: .seconds(100 * 24 * 3_600)))
        rig.handle(20_000, every: .milliseconds(100))
        let disk = DiskInMemory(rig.disk.files)
        #expect(disk.span(of: 1, enough: .seconds(60)) > .seconds(60))
        #expect(disk.readCount == 65_536)
        #expect(disk.files[1].map { $0.count > 2 * 65_536 } == true)
        #expect(disk.span(of: 1, enough: .seconds(3_600)) == rig.disk.span(of: 1))
    }

    @Test func `files that were there before go by their age, once they are measured`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(9_000, every: .milliseconds(100))
        let disk = DiskInMemory(rig.disk.files)
        var next = Rig(disk, TraceLimits(size: 400_000, age: .seconds(300)))
        next.handle(disk.files.count + 1, every: .milliseconds(100))
        let spans = try disk.numbers().map { disk.span(of: $0) }
        let whole = try rig.disk.numbers().map { rig.disk.span(of: $0) }
        #expect(whole.reduce(.zero, +) > .seconds(890))
        #expect(spans.reduce(.zero, +) >= .seconds(300))
        #expect(spans.dropFirst().reduce(.zero, +) < .seconds(300))
    }

    @Test func `starts on a full disk give up nothing as long as they are short`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(8_000, every: .milliseconds(100))
        let disk = DiskInMemory(rig.disk.files)
        for _ in 0..<50 {
            disk.room = 0
            var start = Rig(disk)
            start.handle(1, every: .milliseconds(100))
            #expect(start.writer.failure?.contains("No space left") == true)
        }
        #expect(disk.files == rig.disk.files)
        // One that goes on has the oldest make room at its next attempt.
        var start = Rig(disk)
        start.handle(3, every: .milliseconds(100))
        #expect(start.writer.failure == nil)
        #expect(try disk.numbers().first != rig.disk.numbers().first)
    }

    @Test func `a change of local time begins a page, and a look at the clock does not`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(10, every: .milliseconds(100))
        let utc = Int(ClockOffset.ofTests.utc(at: rig.time).components.seconds)
        for ahead in [0, ClockOffset.ofTests.local + 3_600] {
            let time = WeekTime(
                second: utc + 3 * 86_400 + (ahead == 0 ? ClockOffset.ofTests.local : ahead))
            let event = Event(.clockRead(time), at: rig.time)
            rig.writer.write([.event(event, rig.turnstile.handle(event).verdict)])
            #expect(rig.writer.wantsState == (ahead != 0))
        }
    }

    @Test func `an ended file is durable`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(10, every: .milliseconds(100))
        #expect(rig.disk.synchronized.isEmpty)
        rig.writer.finish()
        #expect(rig.disk.synchronized == Set(rig.disk.files.keys))
    }

    @Test func `an end that does not become durable is told`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(10, every: .milliseconds(100))
        (rig.disk.failure, rig.disk.failingCall) = (5, "fdatasync")
        #expect(rig.writer.failure == nil)
        rig.writer.finish()
        #expect(rig.writer.failure?.contains("fdatasync: Input/output error") == true)
    }

    @Test func `what follows a gap waits for a state, and is counted until then`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(10, every: .milliseconds(100))
        #expect(!rig.writer.wantsState)
        rig.writer.countLost(3)
        #expect(rig.writer.wantsState)
        let before = rig.disk.files
        rig.writer.write([.event(Event(.timePassed, at: rig.time), .handled)])
        #expect(rig.disk.files == before)
        rig.handle(1, every: .milliseconds(100))
        let items = try Recording(files: rig.disk.ordered).items()
        #expect(items.dropLast().last == .lost(4))
    }

    @Test func `a page that spells very much is followed by another one`() throws {
        var rig = Rig(DiskInMemory(), TraceLimits())
        rig.handle(10, every: .milliseconds(100))
        var count: UInt32 = 0
        while !rig.writer.wantsState, count < 10_000 {
            // Each is somebody else's.
            let somebody = try #require(Operator(number: count, name: "anna"))
            let event = Event(.requested(.grant(.entry), by: .person(somebody)), at: rig.time)
            rig.writer.write([.event(event, .handled)])
            count += 1
        }
        #expect((4_000...4_096).contains(count))
    }

    @Test func `other settings, and a clock that was set, begin a page`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(10, every: .milliseconds(100))
        #expect(!rig.writer.wantsState)
        rig.writer.adopt(settings: "gate: {name: south}\n")
        #expect(rig.writer.wantsState)
        rig.handle(10, every: .milliseconds(100))
        let step = Event(.clockStepped(by: .seconds(60)), at: rig.time)
        rig.writer.write([.event(step, rig.turnstile.handle(step).verdict)])
        #expect(rig.writer.wantsState)
        rig.handle(10, every: .milliseconds(100))
        let pages = Recording(files: rig.disk.ordered).pages
        #expect(
            pages.map(\.header.settings) == [
                "gate: {name: north}\n", "gate: {name: south}\n", "gate: {name: south}\n",
            ])
        #expect(pages.map(\.header.start) == [.zero, .zero, .zero])
    }

    @Test func `from a step of the clock on a trace tells what the clock shows`() throws {
        var rig = Rig(DiskInMemory())
        rig.handle(2, every: .milliseconds(100))
        let step = Event(.clockStepped(by: .seconds(3_600)), at: rig.time)
        rig.writer.write([.event(step, rig.turnstile.handle(step).verdict)])
        let recording = Recording(files: rig.disk.ordered)
        func told(_ recording: Recording) -> [Duration] {
            var told: [Duration] = []
            _ = Replay.steps(of: recording) { step in
                told.append(step.utc)
                return true
            }
            return told
        }
        let before = ClockOffset.ofTests.utc(at: rig.time)
        let after = before + .seconds(3_600)
        #expect(told(recording) == [before - .milliseconds(100), before, after])
        #expect(recording.clock(atEndOf: 0).utc(at: rig.time) == after)
        // What is cut from it tells the same.
        let whole = try #require(TraceCutting.bytes(of: recording, pages: 0..<1) { _ in true })
        #expect(told(Recording(files: [whole])) == told(recording))
        let end = try #require(TraceCutting.bytes(of: recording, pages: 0..<1) { $0 == after })
        #expect(told(Recording(files: [end])) == [after])
    }
}
