import Console
import SimulatedHardware
import StateMachines
import System
import Testing

@testable import LiveView
@testable import Turnstile

/// What the keys of the view do, and what they say.
@Suite struct ViewerTests {
    private var viewer: Viewer = {
        var viewer = Viewer()
        viewer.update(.locked)
        for number in 1...50 {
            let weight: ViewModel.Weight = number % 10 == 0 ? .warning : .normal
            viewer.log.add(.init("Entry \(number)", at: "12:00:00.000", weight: weight))
        }
        return viewer
    }()

    private var shown: [String] { viewer.log.page(rows: 10).map(\.text) }

    @discardableResult
    private mutating func press(_ keys: Key...) -> Action? {
        var action: Action?
        for key in keys { action = viewer.press(key, rows: 10, at: .zero) }
        return action
    }

    @discardableResult
    private mutating func type(_ keys: String) -> Action? {
        var action: Action?
        for key in keys { action = press(.character(key)) }
        return action
    }

    @Test mutating func `the log is scrolled by lines and pages`() {
        #expect(shown.last == "Entry 50" && shown.count == 10)
        press(.up, .up, .down)
        #expect(shown.last == "Entry 49")
        press(.pageUp)
        #expect(shown.last == "Entry 40")
        press(.home)
        #expect(shown == (1...10).map { "Entry \($0)" })
        press(.up, .pageUp)
        #expect(shown.first == "Entry 1")
        press(.pageDown)
        #expect(shown.first == "Entry 10")
        press(.end)
        #expect(shown.last == "Entry 50")
    }

    @Test mutating func `a pasted text moves nothing, and is what the log is filtered by`() {
        #expect(press(.pasted("q"), .pasted("f")) == nil)
        #expect(viewer.note == "pasted text is ignored")
        press(.character("/"), .pasted("4"), .pasted("2"), .enter)
        #expect(shown == ["Entry 42"])
    }

    @Test(arguments: [
        Key.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .escape, .enter, .backspace,
        .tab, .interrupt, .suspend, .pasted("e"), .character("e"), .character("?"), .character("/"),
        .character("!"),
    ])
    func `what does not scroll does not go by how much is shown`(key: Key) {
        var (small, large) = (viewer, viewer)
        _ = small.press(key, rows: 0, at: .zero)
        _ = large.press(key, rows: 40, at: .zero)
        #expect(small == large || key.scrolls)
    }

    @Test mutating func `what is read stays while the log goes on`() {
        press(.pageUp)
        viewer.log.add(.init("Entry 51", at: "12:00:01.000"))
        #expect(shown.last == "Entry 41")
        press(.end)
        viewer.log.add(.init("Entry 52", at: "12:00:01.000"))
        #expect(shown.last == "Entry 52")
    }

    @Test mutating func `what is left out moves nothing that is read`() {
        type("/entry")
        press(.enter, .pageUp)
        viewer.log.add(.init("something else", at: "12:00:01.000"))
        #expect(shown.last == "Entry 41")
    }

    @Test mutating func `whatever is chosen next is read from its end`() {
        for number in 51...80 {
            viewer.log.add(.init("Entry \(number)", at: "12:00:01.000", weight: .warning))
        }
        press(.pageUp)
        type("!")
        #expect(shown.last == "Entry 80")
        press(.pageUp)
        type("/")
        #expect(shown.last == "Entry 80")
    }

    @Test mutating func `a filter leaves out what does not contain it`() {
        type("/ENTRY 4")
        #expect(viewer.log.isTyping)
        press(.backspace, .character("2"), .enter)
        #expect(shown == (20...29).map { "Entry \($0)" })
        press(.up)
        #expect(shown.first == "Entry 2")
        press(.escape)
        #expect(shown.last == "Entry 50" && !viewer.log.isFiltered)
    }

    @Test mutating func `a filter ends where nobody reads on, whatever is pasted`() {
        type("/" + String(repeating: "e", count: 5000))
        #expect(viewer.log.filter == String(repeating: "e", count: 40))
        press(.backspace)
        type("x")
        #expect(viewer.log.filter.hasSuffix("ex"))
        press(.escape)
        type("/" + String(repeating: "e\u{301}", count: 5000))
        #expect(viewer.log.filter.utf8.count < 200)
    }

    @Test mutating func `a filter may be what no entry contains`() {
        type("/nothing of that kind, and longer than any of them")
        #expect(shown.isEmpty)
        press(.up, .home, .pageDown)
        #expect(shown.isEmpty)
    }

    @Test mutating func `while a filter is typed no key moves the gate`() {
        #expect(type("/f1q") == nil)
        #expect(press(.right) == nil)
    }

    @Test mutating func `entries are left out by their weight`() {
        type("!")
        #expect(shown == [10, 20, 30, 40, 50].map { "Entry \($0)" })
        type("!")
        #expect(shown.isEmpty)
        type("!")
        #expect(shown.count == 10)
        type("!")
        press(.escape)
        #expect(!viewer.log.isFiltered)
    }

    @Test mutating func `more than the log holds pushes out the oldest`() {
        for number in 0..<5_000 { viewer.log.add(.init("\(number)", at: "")) }
        #expect(viewer.log.entries.last?.text == "4999")
        #expect(viewer.log.entries.count >= LogBook.capacity)
        #expect(viewer.log.entries.count < LogBook.capacity + 300)
        press(.home)
        for number in 0..<5_000 { viewer.log.add(.init("\(number)", at: "")) }
        #expect(viewer.log.newer <= viewer.log.entries.count, "no more are told than there are")
    }

    @Test mutating func `keys do something to a gate that is simulated`() {
        #expect(type("1") == .simulate([.coinInserted(value: 50)]))
        #expect(press(.right) == .simulate([.armPushed(.entry)]))
        #expect(press(.left) == .simulate([.armPushed(.exit)]))
    }

    @Test mutating func `a real gate is moved by no key, and says so`() {
        var model = ViewModel.locked
        model.simulation = nil
        viewer.update(model)
        for key in "1efr" {
            #expect(type(String(key)) == nil)
            #expect(viewer.note == "the gate is real: keys move nothing")
        }
        #expect(press(.right) == nil)
        viewer.update(nil)
        #expect(press(.right) == nil)
        #expect(viewer.note == "no gate answers")
    }

    @Test mutating func `help hides the gate until the next key, which does nothing else`() {
        type("?")
        #expect(viewer.isHelping)
        #expect(type("f") == nil)
        #expect(!viewer.isHelping)
        type("?")
        #expect(type("q") == .quit)
    }

    @Test mutating func `q, Ctrl-C and Ctrl-D leave, whatever else goes on`() {
        #expect(type("q") == .quit)
        #expect(press(.interrupt) == .quit)
        type("/")
        #expect(press(.interrupt) == .quit)
    }

    @Test(arguments: [
        ("b", "nobody is in the gate"), ("w", "nobody is in the gate"),
        ("s", "no stop is wired at this gate"), ("u", "no drop_arm is wired at this gate"),
        ("9", "'9' is no key: ? shows all"),
        ("e", "the way in is locked: credit 0, a passage costs 100"),
        ("x", "the way out is locked"),
    ])
    mutating func `a key that changes nothing says why`(key: String, note: String) {
        type(key)
        #expect(viewer.note == note)
        type("f")
        #expect(viewer.note == nil, "what is said is about the last key")
    }

    @Test mutating func `a coin that is refused says why, and until when`() {
        var model = ViewModel.locked
        model.clockOffset = .seconds(3600)
        model.report.coinRefusal = .entryLocked
        model.report.due = [.init(time: .zero + .seconds(4 * 3600), reason: .termsChange)]
        viewer.update(model)
        type("1")
        // An hour after midnight in UTC, and four more, by the clock on the wall.
        let time = localTimeOfDay(at: .seconds(5 * 3600)).prefix(5)
        let why = "nobody may come in, by the schedule, which changes at \(time)"
        #expect(viewer.note == "coins are refused: \(why)")
    }

    @Test mutating func `what the gate answers is said`() {
        type("a")
        let refusal = Record.refused(.grant, by: .contact(.releaseEntry), .storeFull)
        viewer.append(refusal)
        #expect(viewer.note?.contains("refused") == true)
        type("b")
        viewer.append(refusal)
        viewer.append(refusal)
        type("!")
        viewer.append(refusal)
        #expect(viewer.note == nil, "nobody has asked for anything")
    }

    @Test mutating func `the key is turned some time after a repair`() throws {
        type("r")
        #expect(viewer.takeDue(at: .zero) == nil)
        let due = try #require(viewer.due)
        #expect(viewer.takeDue(at: due) == .simulate([.contactPressed(.serviceKey)]))
        #expect(viewer.due == nil)
    }

    @Test mutating func `that no gate answers is not said of one that does again`() {
        viewer.update(nil)
        type("1")
        #expect(viewer.note == "no gate answers")
        viewer.update(.locked)
        #expect(viewer.note == nil)
    }

    @Test func `a gate that takes one coin has one key for it`() {
        let screen = Screen(
            columns: 80, rows: 24, appearance: Appearance(isColoured: false, isUnicode: false))
        let keys = screen.lines(viewer).last?.map(\.text).joined() ?? ""
        #expect(keys.hasPrefix(" 1 coin  e x walk in, out"))
    }

    @Test mutating func `the key waits for what lasts, and is none where there is none`() throws {
        var model = ViewModel.locked
        model.report.faults = [.init(value: .external, since: nil, end: .causeThenKey)]
        viewer.update(model)
        type("r")
        #expect(viewer.due == Instant.zero + Mechanic.most)
        model.report.faults[0].end = .key
        viewer.update(model)
        #expect(viewer.due == Instant.zero + Mechanic.least)
        #expect(viewer.takeDue(at: .zero + Mechanic.least) != nil)
        model.report.equipment.inputs[.serviceKey] = false
        viewer.update(model)
        type("r")
        #expect(viewer.due == nil)
    }

    @Test mutating func `each way says of itself why nobody passes`() {
        var model = ViewModel.locked
        model.report.equipment.outputs[.lockExit] = true
        model.report.exit.isReleased = true
        viewer.update(model)
        press(.left)
        #expect(viewer.note == nil)
        press(.right)
        #expect(viewer.note == "the way in is locked: credit 0, a passage costs 100")
    }

    @Test mutating func `what became of the last coin is told`() {
        let coin = Coin(.first, pulses: 1, value: 50)
        let records: KeyValuePairs<Record, String> = [
            .coinAccepted(coin): "in the box", .coinLate(coin): "in the box",
            .coinInhibited(coin): "not credited", .coinRejected(coin): "given back",
        ]
        for (record, words) in records {
            viewer.append(record)
            #expect(viewer.chronicle.lastCoin?.caption == "coin 50: \(words)")
        }
    }

    @Test mutating func `Tab shows all lines, then the log, then the gate again`() {
        let panels = (0..<3).map { _ in
            press(.tab)
            return viewer.panel
        }
        #expect(panels == [.lamps, .log, .gate])
    }

    @Test mutating func `whoever leaves is told what was counted`() {
        let coin = Coin(.first, pulses: 1, value: 50)
        for record in [
            Record.coinAccepted(coin), .coinAccepted(coin), .coinRejected(coin),
            .passageCompleted(.entry, .paid), .passageLost(.exit, .unauthorised),
            .alarmRaised(.tailgating), .faultRaised(.external),
        ] { viewer.append(record) }
        #expect(
            viewer.chronicle.summary(gate: "north gate", kept: "nothing") == [
                "north gate, while you looked:",
                "  in      1 paid",
                "  out     1 unauthorised",
                "  coins   2 x 50 accepted, 1 x 50 rejected",
                "  alarms  1 x A3 tailgating",
                "  faults  1 x F1",
                "  kept    nothing",
            ])
        #expect(Chronicle().summary(gate: "", kept: "")[3] == "  coins   none")
    }

    @Test func `counts that no sum holds do not end the view`() {
        let most = ["passages_entry_paid", "passages_entry_free", "late_50", "accepted_50"]
        let registers = (most + ["value_in"]).map { (name: $0, value: Int64.max) }
        let least = (name: "refunded", value: Int64.min)
        let tallies = ViewModel.Tallies(registers + [least, (name: "refunded", value: 7)])
        #expect(tallies.entries == .max && tallies.coins == .max)
        #expect(tallies.value == .max - 7)
    }
}
