import Testing
import Turnstile

@testable import LiveView

/// The picture as text: what a terminal without colours shows.
@Suite struct ScreenTests {
    private let keyboard = Keyboard(coins: [50, 100, 200])

    private var model: ViewModel {
        ViewModel(
            gate: "north gate", state: .released, credit: 150, levels: [.coinPulse, .fire],
            energised: [.lockEntry],
            entries: [
                ViewModel.Entry("12:00:01 coin accepted: 200"),
                ViewModel.Entry("12:00:01 released by credit", weight: .warning),
            ])
    }

    private func picture(
        _ model: ViewModel, columns: Int = 80, rows: Int = 20, isUnicode: Bool = true
    ) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: isUnicode)
        let screen = Screen(columns: columns, rows: rows, appearance: appearance)
        return screen.lines(model, help: keyboard.help).map(appearance.text)
            .joined(separator: "\n")
    }

    @Test func `everything has its place on a usual terminal`() {
        #expect(
            picture(model) == """
                 north gate                                                          simulation
                 ● released for one person                                           credit 150
                ────────────────────────────────────────────────────────────────────────────────
                 ● coin_pulse   ○ release_entry         ● lock_entry
                 ○ rotor_a      ○ emergency_reset_key   ○ coin_inhibit
                 ○ rotor_b      ○ service_key           ○ alarm
                 ● fire         ○ fault_ext
                ────────────────────────────────────────────────────────────────────────────────
                 12:00:01 coin accepted: 200
                 12:00:01 released by credit






                ────────────────────────────────────────────────────────────────────────────────
                 1 2 3 coin 50 100 200  e x walk in, out  b step back  v V force in, out
                 a attendant  f fire  z emergency reset  d fault  j coin jam  s dead sensor
                 n dead lock  l lost edges  r repair  q quit
                """)
    }

    @Test func `everything has its place on 60 by 16, in ASCII`() {
        #expect(
            picture(model, columns: 60, rows: 16, isUnicode: false) == """
                 north gate                                      simulation
                 * released for one person                       credit 150
                ------------------------------------------------------------
                 * coin_pulse   . release_entry         * lock_entry
                 . rotor_a      . emergency_reset_key   . coin_inhibit
                 . rotor_b      . service_key           . alarm
                 * fire         . fault_ext
                ------------------------------------------------------------
                 12:00:01 coin accepted: 200
                 12:00:01 released by credit

                ------------------------------------------------------------
                 1 2 3 coin 50 100 200  e x walk in, out  b step back
                 v V force in, out  a attendant  f fire  z emergency reset
                 d fault  j coin jam  s dead sensor  n dead lock
                 l lost edges  r repair  q quit
                """)
    }

    @Test(arguments: [1, 2, 5, 10, 39, 59], [1, 2, 3, 8, 12, 15])
    func `a smaller screen is never overrun`(columns: Int, rows: Int) {
        let lines = picture(model, columns: columns, rows: rows).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func `the newest lines of the log are shown`() {
        var model = model
        model.entries = (1...30).map { ViewModel.Entry("entry \($0)") }
        let shown = picture(model).split(separator: "\n").filter { $0.hasPrefix(" entry") }
        #expect(shown.last == " entry 30")
        #expect(shown.count == 8)
        #expect(shown.first == " entry 23")
    }

    @Test func `text that is too long ends where the screen ends`() {
        var model = model
        model.entries = [ViewModel.Entry(String(repeating: "long ", count: 30))]
        let line = picture(model).split(separator: "\n").first { $0.hasPrefix(" long") }
        #expect(line?.count == 80)
        #expect(line?.last == "…")
    }

    @Test func `no text steers the terminal`() {
        var model = model
        model.gate = "a\u{1B}[2Jb\u{202E}c"
        model.entries = [ViewModel.Entry("one\ntwo\u{9B}31m")]
        let text = picture(model)
        #expect(text.hasPrefix(" a [2Jb c "))
        #expect(text.contains(" one two 31m\n"))
    }

    @Test func `what is not ASCII is replaced where the terminal cannot show it`() {
        var model = model
        model.gate = "Zürich"
        #expect(picture(model, isUnicode: false).hasPrefix(" Z?rich "))
        #expect(!picture(model, isUnicode: false).contains { !$0.isASCII })
    }

    @Test(arguments: [
        (Status.State.starting, "starting"), (.locked, "locked"),
        (.passing, "somebody is coming in"), (.emergency, "emergency: open to all"),
        (.awaitingReset, "open until the emergency reset"),
        (.awaitingClearLane, "open until the lane is clear"),
        (.outOfService(.coinLineStuck), "out of service: coin line stuck, coin_pulse"),
        (.outOfService(.external), "out of service: external"),
    ])
    func `the state is told in words`(state: Status.State, words: String) {
        var model = model
        model.state = state
        #expect(picture(model).contains(" ● \(words)  "))
    }

    @Test func `lamps and states have their colours`() {
        let appearance = Appearance(isColoured: true, isUnicode: true)
        let screen = Screen(columns: 80, rows: 24, appearance: appearance)
        let lines = screen.lines(model, help: keyboard.help)
        #expect(lines.joined().contains(Span("released for one person", .green)))
        let lamps = lines.joined().filter { $0.text == "● " }
        #expect(lamps.map(\.style) == [.yellow, .yellow, .red])
        let text = lines.map(appearance.text).joined(separator: "\n")
        #expect(text.contains("\u{1B}[33m 12:00:01 released by credit\u{1B}[0m"))
    }
}

extension InputLevels {
    fileprivate static var coinPulse: InputLevels { InputLevels(.coinPulse) }
    fileprivate static var fire: InputLevels { InputLevels(.fire) }
}
