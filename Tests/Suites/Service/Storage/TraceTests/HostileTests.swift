import Controller
import StateMachines
import System
import Testing
import Turnstile

@testable import Trace

/// Files that no recorder writes, whose checksums are right: they are read as far as they mean
/// something, in a time and with a memory that their length bounds.
@Suite struct HostileTests {
    private static let coin = Event(.changed(.coinPulse, isActive: true), at: .zero + .seconds(1))
    private static let later = Event(.changed(.coinPulse, isActive: false), at: .zero + .seconds(2))

    @Test func `more steps are missing than can be counted`() throws {
        let page = Sheet([.lost(.max), .lost(.max), .event(Self.coin, .handled)])
        #expect(Replay.run(Self.recording([page])).lost == .max)
    }

    @Test func `what is said before any event is about none`() throws {
        let page = Sheet([
            .command(.store), .record(.released(.entry, by: .free)), .event(Self.coin, .handled),
        ])
        let steps = Self.steps(of: Self.recording([page]))
        #expect(steps.map(\.event) == [Self.coin])
        #expect(steps.map(\.recorded) == [Replay.Answer()])
    }

    @Test func `where a page means nothing any more, the next one begins anew`() throws {
        var torn = Sheet([.event(Self.coin, .handled), .command(.store)])
        torn.ending = [7]
        let whole = Sheet([.event(Self.later, .unhandled)])
        let steps = Self.steps(of: Self.recording([torn, whole]))
        #expect(steps.map(\.event) == [Self.later])
        #expect(steps.map(\.recorded) == [Replay.Answer(verdict: .unhandled)])
    }

    @Test func `what stands behind the last event of a page does so in what is cut`() throws {
        let pages = [
            Sheet([.event(Self.coin, .handled), .postponed(by: .seconds(5))]),
            Sheet([.postponed(by: .seconds(7)), .event(Self.later, .handled)]),
        ]
        let cut = try Self.cut(pages)
        #expect(cut.pages.count == 2)
        for (page, sheet) in zip(cut.pages, pages) {
            #expect(try cut.items(of: page) == sheet.items)
        }
    }

    @Test func `what stands behind the last event is told at the end, and cut with it`() throws {
        let recording = Self.recording([
            Sheet([.event(Self.coin, .handled), .postponed(by: .seconds(5))]),
            Sheet([.postponed(by: .seconds(7))]),
        ])
        let rest = [TraceItem.postponed(by: .seconds(5)), .postponed(by: .seconds(7))]
        #expect(Self.told(of: recording) == rest)
        let bytes = try #require(TraceCutting.bytes(of: recording, pages: 0..<2) { _ in true })
        let cut = Recording(files: [bytes])
        #expect(try cut.items() == [.event(Self.coin, .handled)] + rest)
        #expect(cut.pages.count == 2)
        // Whoever has heard enough hears nothing more.
        var count = 0
        _ = Replay.run(recording) { news in
            count += 1
            if case .step = news { return false }
            return true
        }
        #expect(count == 2)
    }

    @Test func `of a page of which nothing is wanted nothing is left`() throws {
        let recording = Self.recording([
            Sheet([.event(Self.coin, .handled), .postponed(by: .seconds(5))]),
            Sheet([.event(Self.later, .handled)]),
        ])
        let from = recording.pages[0].utc(at: Self.later.time)
        let bytes = try #require(
            TraceCutting.bytes(of: recording, pages: 0..<2) { $0 >= from })
        #expect(try Recording(files: [bytes]).items() == [.event(Self.later, .handled)])
    }

    @Test func `what comes after an unknown event is cut without a state`() throws {
        var page = Sheet([.event(Self.coin, .handled)])
        page.machine = Turnstile(Beginning(policy: Policy(price: 100, coinUnit: 50)))
        // An event of another version, and the first one a nanosecond later.
        page.ending = [0, 1, 0, 0, 10] + Array("later".utf8) + [0, 9, 0, 8, 2]
        let recording = Self.recording([page])
        let from = recording.pages[0].utc(at: Self.coin.time) + .nanoseconds(1)
        let bytes = try #require(
            TraceCutting.bytes(of: recording, pages: 0..<1) { $0 >= from })
        let result = Replay.run(Recording(files: [bytes]))
        #expect((result.events, result.eventsWithoutState) == (0, 1))
    }

    /// A machine that has something to do every day.
    private static var machine: Turnstile {
        var policy = Policy(price: 100, coinUnit: 50)
        policy.schedule = [ScheduleEntry(days: .all, from: 480, to: 1_200)]
        policy.schedule[0].entry = .free
        return Turnstile(Beginning(policy: policy))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `no machine goes through centuries`(isOnePage: Bool) throws {
        let start = [Event.Kind.clockRead(WeekTime(second: 0)), .started([])].map {
            TraceItem.event(Event($0, at: .zero), .handled)
        }
        let end = Event(.timePassed, at: .zero + .seconds(9_000_000_000))
        let last = [TraceItem.event(end, .handled)]
        var sheets = isOnePage ? [Sheet(start + last)] : [Sheet(start), Sheet(last)]
        sheets[0].machine = Self.machine
        if !isOnePage { sheets[1].time = end.time }
        let recording = Self.recording(sheets)
        let policy = Policy(price: 200, coinUnit: 50)
        #expect(Replay.run(recording).events <= 3)
        let outcome = WhatIf.run(
            recording, pages: recording.pages.indices, policy: policy
        ) { _ in true }
        #expect(outcome.recorded.isEmpty)
    }

    @Test func `who recorded many pages is told once in what is cut`() throws {
        let settings = String(repeating: "# a comment\n", count: 10_000)
        let pages = (0..<50).map { _ in Sheet([.event(Self.coin, .handled)]) }
        let header = TraceHeader.ofTests(settings: settings)
        let cut = try #require(
            TraceCutting.bytes(of: Self.recording(pages, header), pages: 0..<50) { _ in true })
        #expect(cut.count < 2 * settings.utf8.count)
        #expect(Recording(files: [cut]).pages.map(\.header) == pages.map { _ in header })
    }

    @Test func `what is cut has other settings where somebody asks for them`() throws {
        let recording = Self.recording([Sheet([.event(Self.coin, .handled)])])
        let cut = try #require(
            TraceCutting.cut(
                of: recording, pages: 0..<1, settings: { "\($0.count) bytes" },
                isWanted: { _ in true })?.bytes)
        let length = TraceHeader.ofTests().settings.count
        #expect(
            Recording(files: [cut]).pages.map(\.header.settings) == ["\(length) bytes"])
    }

    @Test func `what is cut is in this version's words`() throws {
        var header = TraceHeader.ofTests()
        header.vocabulary = Vocabulary.oldestVersion
        let cut = try Self.cut([Sheet([.event(Self.coin, .handled)])], header)
        #expect(cut.pages.map(\.header.vocabulary) == [Vocabulary.version])
    }

    /// A page in which an entry of this kind and name, with so many values, happens so often.
    private static func page(
        kind: UInt8, name: String, moments: Int = 0, values: Int, times: Int
    ) -> Sheet {
        var (writer, texts) = (ByteWriter(), TextTable())
        for byte in [0, kind, UInt8(moments), 0] { writer.append(byte) }
        texts.write(name, to: &writer)
        writer.append(
            Fields([.init(.count, .list([FieldValue](repeating: .boolean(true), count: values)))]),
            &texts)
        let happening = [8, 0] + [UInt8](repeating: 0, count: moments)
        var sheet = Sheet([])
        sheet.ending = writer.bytes + [[UInt8]](repeating: happening, count: times).flatMap { $0 }
        return sheet
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1, 3] as [UInt8], ["later", "changed"])
    func `what is much and means nothing is looked at once`(kind: UInt8, name: String) throws {
        let page = Self.page(kind: kind, name: name, values: 100_000, times: 100_000)
        let items = try Self.recording([page]).items()
        #expect(items.count == 100_000)
        #expect(items.allSatisfy { $0 == .unknown(name, isEvent: kind == 1) })
    }

    @Test(arguments: [1, 2] as [UInt8])
    func `an entry with a moment that has no name here is not known`(moments: UInt8) throws {
        let kind = Event.Kind.requested(
            .setMode(.entry, .free, until: .zero + .seconds(60)), by: .settings)
        var (writer, texts) = (ByteWriter(), TextTable())
        for byte in [0, 1, moments, 0] { writer.append(byte) }
        texts.write(kind.name, to: &writer)
        writer.append(Template(kind.fields).fields, &texts)
        var sheet = Sheet([])
        sheet.ending = writer.bytes + [8, 0] + [UInt8](repeating: 0, count: Int(moments))
        let items = try Self.recording([sheet]).items()
        guard moments == 1 else {
            #expect(items == [.unknown("requested", isEvent: true)])
            return
        }
        let known = Event.Kind.requested(.setMode(.entry, .free, until: .zero), by: .settings)
        #expect(items == [.event(Event(known, at: .zero), .handled)])
    }

    @Test func `a page takes little memory, since a file may have a million of them`() {
        #expect(MemoryLayout<Recording.Page>.stride <= 256)
    }

    @Test(arguments: [0, 2] as [UInt8])
    func `what is said about an event has an end`(kind: UInt8) throws {
        var page = Sheet([.event(Self.coin, .handled)])
        let name = kind == 0 ? "store" : "vault_opened"
        page.ending =
            [0, kind, 0, 0, UInt8(2 * name.utf8.count)] + Array(name.utf8) + [0]
            + [UInt8](repeating: 9, count: 100_000)
        let recording = Self.recording([page, Sheet([.event(Self.later, .handled)])])
        let result = Replay.run(recording)
        #expect(result.unknown.isEmpty && !result.isWhole)
        let ending = try #require(result.endings.first)
        #expect(ending.path == "file 0")
        #expect(ending.flaw == .malformed("more about an event than any gate says"))
        #expect(recording.pages[0].index.steps.contains { $0.contains(ending.offset) })
        // The next page is whole.
        #expect(Self.steps(of: recording).map(\.event) == [Self.later])
    }

    @Test func `a gap that is told on a page without events is one in what is cut`() throws {
        let recording = Self.recording([
            Sheet([.event(Self.coin, .handled)]), Sheet([.lost(7)]), Sheet([.postponed(by: .zero)]),
            Sheet([.event(Self.later, .handled)]),
        ])
        for isWhole in [true, false] {
            let from = recording.pages[0].utc(at: Self.later.time)
            let cut = try #require(
                TraceCutting.bytes(of: recording, pages: 0..<4) {
                    isWhole || $0 >= from || $0 == recording.pages[0].utc(at: Self.coin.time)
                })
            let result = Replay.run(Recording(files: [cut]))
            #expect(isWhole ? result.lost == 7 : result.gaps == 1)
            #expect(!result.isWhole)
        }
    }

    @Test func `names and reasons have a length`() {
        let name = String(repeating: "a", count: 5_000)
        let page = Self.page(kind: 1, name: name, values: 1, times: 3)
        #expect(throws: TraceFlaw.malformed("a name that is too long")) {
            try Self.recording([page]).items()
        }
    }

    @Test func `what cannot be added up no gate has heard`() throws {
        var (balances, policy) = (Balances(), Policy(price: 100, coinUnit: 50))
        balances.credit = .max
        policy.coins[.first].values = .exact([1: .max])
        for kind in [
            Event.Kind.ledgerOpened(balances), .requested(.adopt(policy), by: .settings),
        ] {
            let event = Event(kind, at: .zero + .seconds(1))
            let items = try Self.recording([Sheet([.event(event, .handled)])]).items()
            #expect(items == [.unknown(kind.name, isEvent: true)])
        }
    }

    @Test(arguments: [-1, 401 * 24 * 3_600]) func `a delay has a length`(seconds: Int) {
        let sheet = Sheet([.postponed(by: .seconds(seconds)), .event(Self.coin, .handled)])
        #expect(throws: TraceFlaw.malformed("a delay that is too long")) {
            try Self.recording([sheet]).items()
        }
    }

    @Test(arguments: [Int64.max, Int64.min, 1 << 62]) func `a page has a time`(time: Int64) {
        var sheet = Sheet([.event(Self.coin, .handled)])
        sheet.time = Instant(nanoseconds: time)
        let recording = Self.recording([sheet])
        #expect(recording.pages.isEmpty)
        #expect(recording.endings.map(\.flaw) == [.malformed("a time that is too far away")])
    }

    @Test func `a machine that is years behind its page is not known`() throws {
        var sheet = Sheet([.event(Self.coin, .handled)])
        var gate = Turnstile(Beginning(policy: Policy(price: 100, coinUnit: 50)))
        _ = gate.handle(Event(.started([]), at: .zero))
        _ = gate.handle(Event(.changed(.coinPulse, isActive: true), at: .zero + .seconds(1)))
        try #require(gate.deadline != nil)
        sheet.machine = gate
        sheet.time = .zero + .seconds(399 * 24 * 3_600)
        #expect(Self.recording([sheet]).pages.count == 1)
        let known = Self.recording([sheet])
        #expect(known.turnstile(at: known.pages[0]) == gate)
        sheet.time = .zero + .seconds(401 * 24 * 3_600)
        let late = Self.recording([sheet])
        #expect(late.turnstile(at: late.pages[0]) == nil)
    }

    @Test func `a frame that is whole and says too little is damaged, not cut short`() {
        let bytes = TraceFormat.firstLine + Frame.bytes(.header, [1, 8])
        let recording = Recording(files: [bytes])
        #expect(recording.endings.map(\.flaw) == [.malformed("a frame that is too short")])
    }

    @Test func `what was not spelled has no number`() {
        var page = Sheet([.event(Self.coin, .handled)])
        page.ending = [9]
        #expect(throws: TraceFlaw.malformed("an unknown number")) {
            try Self.recording([page]).items()
        }
    }

    @Test(arguments: [8 * 1_024 * 1_024 + 1, UInt64(Int.max), .max])
    func `a length that no frame has is damage`(length: UInt64) {
        var writer = ByteWriter()
        writer.append(Frame.Kind.steps.rawValue)
        writer.append(varint: length)
        let recording = Recording(files: [TraceFormat.firstLine + writer.bytes])
        #expect(recording.endings.map(\.flaw) == [.malformed("a part that is too long")])
    }

    @Test func `of much between two events no frame becomes too long`() throws {
        let items = [TraceItem](repeating: .postponed(by: .seconds(1 << 24)), count: 20_000)
        let recording = Self.recording([Sheet(items + [.event(Self.coin, .handled)])])
        let bytes = try #require(TraceCutting.bytes(of: recording, pages: 0..<1) { _ in true })
        var (offset, longest) = (TraceFormat.firstLine.count, 0)
        while offset < bytes.count {
            let frame = try Frame(in: bytes, at: offset)
            longest = max(longest, frame.content.count)
            offset = frame.range.upperBound
        }
        #expect(longest < 100_000)
        #expect(try Recording(files: [bytes]).items().count == items.count + 1)
    }
}

/// A page as it is written.
private struct Sheet {
    var items: [TraceItem]
    /// When the page begins.
    var time = Instant.zero
    /// The machine before them; nil for one that is not known here.
    var machine: Turnstile?
    /// What stands behind them in their frame.
    var ending: [UInt8] = []

    init(_ items: [TraceItem]) { self.items = items }

    var bytes: [UInt8] {
        var page = PageWriter()
        let state = PageState(
            time: time, clock: .ofTests, version: machine == nil ? 0 : Turnstile.snapshotVersion,
            machine: machine?.fields ?? Fields(), shell: Fields())
        let head = Frame.bytes(.state, page.state(state))
        page.beginFrame()
        for item in items { page.append(item) }
        return head + Frame.bytes(.steps, page.content + ending)
    }
}

extension HostileTests {
    private static func recording(
        _ pages: [Sheet], _ header: TraceHeader = .ofTests()
    ) -> Recording {
        let head = TraceFormat.firstLine + Frame.bytes(.header, header.fields)
        return Recording(files: [head + pages.flatMap(\.bytes)])
    }

    private static func cut(
        _ pages: [Sheet], _ header: TraceHeader = .ofTests()
    ) throws -> Recording {
        let recording = recording(pages, header)
        let bytes = try #require(
            TraceCutting.bytes(of: recording, pages: recording.pages.indices) { _ in true })
        return Recording(files: [bytes])
    }

    /// What is told between events.
    private static func told(of recording: Recording) -> [TraceItem] {
        var items: [TraceItem] = []
        _ = Replay.run(recording) { news in
            if case .item(let item, at: _) = news { items.append(item) }
            return true
        }
        return items
    }

    private static func steps(of recording: Recording) -> [RecordedStep] {
        var steps: [RecordedStep] = []
        _ = Replay.steps(of: recording) { step in
            steps.append(step)
            return true
        }
        return steps
    }
}

extension Recording {
    /// What a page tells after its state.
    fileprivate func items(of page: Page) throws -> [TraceItem] {
        var reader = try read(page, readsShell: true)
        var items: [TraceItem] = []
        for steps in page.index.steps {
            try turn(&reader, to: steps, of: page)
            while let item = try reader.next() { items.append(item) }
        }
        return items
    }
}
