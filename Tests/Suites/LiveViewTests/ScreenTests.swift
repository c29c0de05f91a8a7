import Console
import Testing
import Turnstile

@testable import LiveView

/// The picture as text: what a terminal without colours shows.
@Suite struct ScreenTests {
    private var model: ViewModel {
        var report = StatusReport.resting(.oneWay, on: OutputSet(.lockEntry))
        report.status = Status(state: .released(.entry), credit: 150, soundsAlarm: false)
        return ViewModel(
            gate: "north gate", report: report, levels: InputLevels([.coinPulse, .fire]),
            energised: OutputSet(.lockEntry),
            entries: [
                ViewModel.Entry("coin accepted: 200", at: "12:00:01"),
                ViewModel.Entry("released by credit", at: "12:00:01", weight: .warning),
            ])
    }

    private func picture(
        _ model: ViewModel, _ equipment: Equipment = .oneWay, columns: Int = 80, rows: Int = 20,
        isUnicode: Bool = true
    ) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: isUnicode)
        return lines(model, equipment, columns: columns, rows: rows, appearance)
            .map(appearance.text).joined(separator: "\n")
    }

    private func lines(
        _ model: ViewModel, _ equipment: Equipment, columns: Int, rows: Int,
        _ appearance: Appearance
    ) -> [[Span]] {
        let coins = [50, 100, 200].map { Coin(.first, pulses: $0 / 50, value: $0) }
        let keyboard = Keyboard(
            coins: coins + [Coin(.second, pulses: 1, value: 500)], equipment: equipment,
            serviceHold: .seconds(3))
        let screen = Screen(
            columns: columns, rows: rows, appearance: appearance, equipment: equipment)
        return screen.lines(model, help: keyboard.bindings())
    }

    @Test func `everything has its place on a usual terminal`() {
        #expect(
            picture(model) == """
                 north gate (simulation)                                  in controlled, strong
                 ● released for one person to come in                                credit 150
                ────────────────────────────────────────────────────────────────────────────────
                 ● coin_pulse  ○ release_entry        ● lock_entry open
                 ○ rotor_a     ○ service_key          ○ alarm
                 ○ rotor_b     ○ emergency_reset_key  ○ coin_inhibit
                 ● fire        ○ fault_ext
                ────────────────────────────────────────────────────────────────────────────────
                 12:00:01 coin accepted: 200
                 12:00:01 released by credit





                ────────────────────────────────────────────────────────────────────────────────
                 1 2 3 coin 50 100 200  e x walk in, out  t T tailgate  v V force  b step back
                 w stand  y fish  a release  f fire  z reset  k K key, held  d fault
                 J stuck coin line  m dead sensor  n dead lock  N jammed bolt  l lost edges
                 r repair  q quit
                """)
    }

    @Test func `everything has its place on 60 by 16, in ASCII`() {
        #expect(
            picture(model, columns: 60, rows: 16, isUnicode: false) == """
                 north gate (simulation)              in controlled, strong
                 * released for one person to come in            credit 150
                ------------------------------------------------------------
                 * coin_pulse  . release_entry        * lock_entry open
                 . rotor_a     . service_key          . alarm
                 . rotor_b     . emergency_reset_key  . coin_inhibit
                 * fire        . fault_ext
                ------------------------------------------------------------
                 12:00:01 coin accepted: 200
                 12:00:01 released by credit
                ------------------------------------------------------------
                 1 2 3 coin 50 100 200  e x walk in, out  t T tailgate
                 v V force  b step back  w stand  y fish  a release  f fire
                 z reset  k K key, held  d fault  J stuck coin line
                 m dead sensor  n dead lock  N jammed bolt  l lost edges
                 r repair  q quit
                """)
    }

    @Test func `a gate that has everything fits a usual terminal`() {
        var inputs = InputLevels.all
        inputs.subtract(InputLevels([.beamA, .beamB]))
        let everything = Equipment(inputs: inputs, outputs: OutputSet(Output.allCases))
        var model = model
        let status = model.report.status
        model.report = .resting(everything, on: OutputSet(.lockEntry))
        model.report.status = status
        model.report.entry.mode.value = .locked
        model.report.exit.mode.value = .free
        model.report.enforcement.value = .weak
        model.report.status.stored = 2
        model.report.status.soundsAlarm = true
        #expect(
            picture(model, everything, rows: 24) == """
                 north gate (simulation)                              in locked, out free, weak
                 ● released for one person to come in, alarm              2 waiting, credit 150
                ────────────────────────────────────────────────────────────────────────────────
                 ● coin_pulse     ○ service_key          ● lock_entry open   ○ coin_meter
                 ○ coin_pulse_2   ○ emergency_reset_key  ○ lock_exit locked  ○ lock_entry_hold
                 ○ coin_pulse_3   ○ fault_ext            ○ drop_arm up       ○ lock_exit_hold
                 ○ coin_jam       ○ power_low            ○ alarm
                 ○ rotor_a        ○ cabinet_tamper       ○ buzzer
                 ○ rotor_b        ○ vault_door           ○ lamp_go
                 ○ home           ○ vault_present        ○ lamp_stop
                 ● fire           ○ vault_full           ○ coin_inhibit
                 ○ release_entry  ○ lock_feedback        ○ coin_reject
                 ○ release_exit   ○ lock_feedback_exit   ○ ready
                 ○ stop                                  ○ count_pulse
                ────────────────────────────────────────────────────────────────────────────────
                 12:00:01 coin accepted: 200
                 12:00:01 released by credit
                ────────────────────────────────────────────────────────────────────────────────
                 1 2 3 coin 50 100 200  4 coin 500 slot 2  e x walk in, out  t T tailgate
                 v V force  b step back  w stand  u raise arm  y fish  a release  A release out
                 s stop  f fire  z reset  k K key, held  c cabinet  g vault door  G vault
                 F full vault  d fault  o low power  j coin jam  J stuck coin line
                 m dead sensor  n dead lock  N jammed bolt  h bent arm  l lost edges  r repair
                 q quit
                """)
    }

    /// Current flows to a lock that opens without power while it is locked.
    @Test func `an energised lock says whether it is open`() {
        var model = model
        model.report.outputs = StatusReport.locked.outputs
        #expect(picture(model).contains("● lock_entry locked\n"))
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
        model.entries = (1...30).map { ViewModel.Entry("entry \($0)", at: "12:00:00") }
        let shown = picture(model).split(separator: "\n").filter { $0.contains(" entry") }
        #expect(shown.last == " 12:00:00 entry 30")
        #expect(shown.count == 7)
        #expect(shown.first == " 12:00:00 entry 24")
    }

    @Test func `text that is too long ends where the screen ends`() {
        var model = model
        model.entries = [ViewModel.Entry(String(repeating: "long ", count: 30), at: "12:00:00")]
        let line = picture(model).split(separator: "\n").first { $0.contains(" long") }
        #expect(line?.count == 80)
        #expect(line?.last == "…")
    }

    @Test func `no text steers the terminal`() {
        var model = model
        model.gate = "a\u{1B}[2Jb\u{202E}c"
        model.entries = [ViewModel.Entry("one\ntwo\u{9B}31m", at: "now")]
        let text = picture(model)
        #expect(text.hasPrefix(" a [2Jb c "))
        #expect(text.contains(" now one two 31m\n"))
    }

    @Test func `what is not ASCII is replaced where the terminal cannot show it`() {
        var model = model
        model.gate = "Zürich"
        #expect(picture(model, isUnicode: false).hasPrefix(" Z?rich "))
        #expect(!picture(model, isUnicode: false).contains { !$0.isASCII })
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

    @Test func `lamps and states have their colours`() {
        let appearance = Appearance(isColoured: true, isUnicode: true)
        let lines = lines(model, .oneWay, columns: 80, rows: 24, appearance)
        #expect(lines.joined().contains(Span("released for one person to come in", .green)))
        let lamps = lines.joined().filter { $0.text == "● " }
        #expect(lamps.map(\.style) == [.yellow, .yellow, .red])
        let text = lines.map(appearance.text).joined(separator: "\n")
        #expect(text.contains("\u{1B}[33mreleased by credit\u{1B}[0m"))
    }
}
