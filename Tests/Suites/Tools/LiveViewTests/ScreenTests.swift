import Console
import Testing

@testable import LiveView
@testable import Turnstile

/// The picture as text: what a terminal without colours shows.
@Suite struct ScreenTests {
    /// A gate at which a coin is counted while the emergency loop is open.
    private var model: ViewModel {
        var model = ViewModel.locked
        model.report = .resting(.oneWay, on: OutputSet(.lockEntry))
        model.report.status = Status(state: .released(.entry), credit: 150, soundsAlarm: false)
        model.levels = InputLevels([.coinPulse, .fire])
        model.energised = OutputSet(.lockEntry)
        return model
    }

    private static let entries = [
        ViewModel.Entry("coin accepted: 200", at: "12:00:01.000"),
        ViewModel.Entry("released by credit", at: "12:00:01.002", weight: .warning),
    ]

    private func viewer(_ model: ViewModel?, _ entries: [ViewModel.Entry] = entries) -> Viewer {
        var viewer = Viewer()
        viewer.update(model)
        for entry in entries { viewer.log.add(entry) }
        return viewer
    }

    private func picture(
        _ viewer: Viewer, columns: Int = 80, rows: Int = 24, isUnicode: Bool = true
    ) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: isUnicode)
        let screen = Screen(columns: columns, rows: rows, appearance: appearance)
        return screen.lines(viewer).map(appearance.text).joined(separator: "\n")
    }

    private func picture(_ model: ViewModel?) -> String { picture(viewer(model)) }

    /// Every role that a gate can have at once.
    private static let everything: Equipment = {
        var inputs = InputLevels.all
        inputs.subtract(InputLevels([.beamA, .beamB]))
        return Equipment(inputs: inputs, outputs: OutputSet(Output.allCases))
    }()

    @Test func `an energised lock says whether it is open`() throws {
        func lamp(_ model: ViewModel) throws -> Substring {
            let lines = picture(model).split(separator: "\n")
            return try #require(lines.first { $0.contains("lock_entry") })
        }
        #expect(try lamp(model).hasSuffix(" open"))
        // Current flows to a lock that opens without power while it is locked.
        var model = model
        model.report.outputs = StatusReport.locked.outputs
        #expect(try lamp(model).contains("● lock_entry"))
        #expect(try lamp(model).hasSuffix(" locked"))
    }

    @Test func `every line says in words what its level means`() {
        for isActive in [false, true] {
            for input in Input.allCases {
                var model = model
                model.report = .resting(Equipment(inputs: [input], outputs: []))
                model.levels = isActive ? InputLevels(input) : []
                let dot = isActive ? "●" : "○"
                let line = "\(dot) \(input.name) \(input.entry.words[isActive])"
                #expect(picture(model).contains(line))
            }
            for output in Output.allCases {
                var model = model
                model.report = .resting(
                    Equipment(inputs: [], outputs: [output]),
                    on: isActive ? OutputSet(output) : [])
                #expect(picture(model).contains("\(output.name) \(output.entry.words[isActive])"))
            }
        }
        #expect(Output.coinEnable.entry.words[true] == "accepting coins")
        #expect(Output.coinEnable.entry.words[false] == "refusing coins")
    }

    @Test(arguments: [20, 60, 80, 120, 200], [10, 16, 24, 40])
    func `lines that are left out are counted`(columns: Int, rows: Int) throws {
        var model = model
        model.report = .resting(Self.everything)
        let text = picture(viewer(model), columns: columns, rows: rows)
        let names = Input.allCases.map(\.name) + Output.allCases.map(\.name)
        let shown = names.filter { text.contains("○ \($0) ") || text.contains("● \($0) ") }.count
        let all = names.count - 2
        if shown < all {
            let mark = "… \(all - shown) more: Tab"
            #expect(text.contains(mark) || text.contains("\(mark.prefix(columns - 2))…"), "\(text)")
        }
        if columns >= 120, rows >= 40 { #expect(shown == all) }
    }

    @Test(arguments: [(60, 16, 4), (80, 24, 8), (120, 40, 13), (40, 12, 3)])
    func `the log keeps its lines`(columns: Int, rows: Int, least: Int) {
        var model = model
        model.report = .resting(Self.everything)
        let entries = (1...50).map { ViewModel.Entry("entry \($0)", at: "12:00:00.000") }
        let text = picture(viewer(model, entries), columns: columns, rows: rows)
        let shown = text.split(separator: "\n").filter { $0.hasPrefix(" 12:00:00.000 entry ") }
        #expect(shown.count >= least)
        #expect(shown.last == " 12:00:00.000 entry 50")
    }

    @Test func `text that is too long ends with a mark where the screen ends`() {
        let long = String(repeating: "long ", count: 30)
        let text = picture(viewer(model, [ViewModel.Entry(long, at: "12:00:00.000")]))
        let line = text.split(separator: "\n").first { $0.contains(" long") }
        #expect(line?.count == 80)
        #expect(line?.last == "…")
    }

    @Test func `no text steers the terminal`() {
        var model = model
        model.gate = "a\u{1B}[2Jb\u{202E}c"
        let text = picture(viewer(model, [ViewModel.Entry("one\ntwo\u{9B}31m", at: "now")]))
        #expect(text.hasPrefix(" a [2Jb c "))
        #expect(text.contains(" now one two 31m\n"))
    }

    @Test func `what is not ASCII is replaced where the terminal cannot show it`() {
        var model = model
        model.gate = "Zürich"
        let text = picture(viewer(model), isUnicode: false)
        #expect(text.hasPrefix(" Z?rich "))
        #expect(text.allSatisfy { $0.isASCII })
    }

    @Test(arguments: [
        (Status.State.starting, "starting"), (.locked, "locked"), (.free, "free"),
        (.released(.exit), "released for one person to go out"),
        (.passing(.entry), "somebody is coming in"), (.passing(.exit), "somebody is going out"),
        (.stopped, "stopped: closed both ways"), (.service, "service mode"),
        (.testing(.buzzer), "service mode: testing buzzer"), (.emergency, "emergency: open to all"),
        (.awaitingReset, "open until the emergency reset"),
        (.awaitingClearLane, "open until the lane is clear"),
        (
            .outOfService(.lockNotResponding(.exit)),
            "out of service: F5 lock not responding, lock_exit"
        ),
        (.outOfService(.external), "out of service: F1 external"),
    ])
    func `the state is told in words`(state: Status.State, words: String) {
        var model = model
        model.report.status.state = state
        #expect(picture(model).contains(" ● \(words)  "))
    }

    @Test func `credit, who waits and what was counted are told`() {
        var model = model
        model.report.status.stored = 2
        model.report.status.soundsAlarm = true
        let registers: KeyValuePairs<String, Int64> = [
            "passages_entry_paid": 12, "passages_entry_free": 1, "passages_exit_free": 3,
            "accepted_coin_pulse_50": 20, "late_coin_pulse_50": 1, "value_in": 1_100,
            "refunded": 50, "rejected_coin_pulse_50": 1,
        ]
        model.tallies = .init(registers.map { ($0.key, $0.value) })
        let text = picture(model)
        #expect(text.contains(", alarm "))
        #expect(text.contains("  2 waiting, credit 150"))
        #expect(text.contains("─ in 13, out 3 ─ coins 21, 1050 ─"))
    }

    @Test func `the keys of a real gate are those that move nothing`() {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        let help = Help(nil, appearance).lines(columns: 100, rows: 20).map(appearance.text)
        #expect(help.joined(separator: "\n").contains("PgUp PgDn page"))
        #expect(!help.contains { $0.contains("walk") || $0.contains("coin") }, "\(help)")
    }

    @Test func `what is wrong is told in a line: faults, alarms, and why coins are refused`() {
        var model = model
        model.report.faults = [.init(value: .external, since: nil, end: .cause)]
        model.report.alarms = [.init(value: .tailgating, since: nil, end: .key)]
        model.report.coinRefusal = .storeFull
        let lines = picture(model).split(separator: "\n")
        #expect(
            lines[2].hasPrefix(" F1 external; A3 tailgating; coins are refused: "), "\(lines[2])")
    }

    @Test func `while no gate answers that is said, and the log stays`() {
        let text = picture(nil)
        #expect(text.hasPrefix(" no gate answers on the bus; waiting for one\n"))
        #expect(text.contains(" 12:00:01.000 coin accepted: 200\n"))
    }

    @Test func `red is what is broken or dangerous, and no gate at rest`() {
        #expect(Status.State.locked.caption.style == .plain)
        #expect(Status.State.outOfService(.external).caption.style == .red)
        #expect(Status.State.emergency.caption.style == .red)
    }

    @Test func `lamps and states have their colours`() {
        let appearance = Appearance(isColoured: true, isUnicode: true)
        let screen = Screen(columns: 80, rows: 24, appearance: appearance)
        let lines = screen.lines(viewer(model))
        #expect(lines.joined().contains(Span("released for one person to come in", .green)))
        #expect(lines.joined().filter { $0.text == "● " }.map(\.style) == [.yellow, .red, .yellow])
        let text = lines.map(appearance.text).joined(separator: "\n")
        #expect(text.contains("\u{1B}[33mreleased by credit\u{1B}[0m"))
    }
}
