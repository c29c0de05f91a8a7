import ArgumentParser
import Console
import GPIOHardware
import Glibc
import Hardware
import Measuring
import Settings
import StateMachines
import System
import Turnstile

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure pulses of coins, or turns of the arm, and propose settings.",
        discussion: """
            Drop some coins one by one, or turn the arm inwards a few times; then press Enter. The \
            lines must be free, since the service hears of nothing that bounces: stop it first.

            Examples:
              sudo turnstilectl lines measure coin_pulse
              sudo turnstilectl lines measure rotor_a rotor_b
            """)

    @Argument(help: "A pulse line of an acceptor, or rotor_a rotor_b (or the two beams).")
    var lines: [String]
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Measure for so long, as 30s, and not until Enter.", valueName: "time"),
        transform: Length.read)
    var length: Duration?
    @OptionGroup var settings: SettingsOptions

    func validate() throws { _ = try subject() }

    func run() throws {
        let subject = try subject()
        do throws(HardwareError) {
            let bank = try GPIOBank(
                try wiring(of: subject), consumer: "turnstilectl measure")
            let recorder = LineRecorder(bank, subject.inputs)
            complain(subject.invitation + (length == nil ? ", then press Enter" : ""))
            try record(recorder, until: length.map { MonotonicTimer.now + $0 })
            Paper.standard.print(recorder.page(of: subject))
        } catch {
            complain("\(error)")
            if error.kind == .busy {
                complain("stop the service while you measure: systemctl stop turnstiled")
            }
            throw ExitCode(ExitStatus.unavailable.rawValue)
        }
    }

    /// What is measured, by the names that were given.
    private func subject() throws -> Subject {
        let named = lines.map { name in Input.words.first { $0.name == name } }
        if named.count == 1, let line = named[0],
            let acceptor = Acceptor.allCases.first(where: { $0.line == line })
        {
            return .acceptor(acceptor)
        }
        if named == [.rotorA, .rotorB] { return .sensors(.rotorA, .rotorB) }
        if named == [.beamA, .beamB] { return .sensors(.beamA, .beamB) }
        let pulses = Acceptor.allCases.map(\.line.name).joined(separator: ", ")
        throw ValidationError(
            "what can be measured is \(pulses), 'rotor_a rotor_b' or 'beam_a beam_b'")
    }

    /// The wiring of these inputs alone, of which nothing is debounced.
    private func wiring(of subject: Subject) throws(HardwareError) -> Wiring {
        let all: Wiring
        do throws(SettingsErrors) {
            all = try Settings.load(path: settings.path).wiring
        } catch {
            throw HardwareError(.misconfigured, "\(error)")
        }
        var wiring = Wiring(chip: all.chip, inputs: [:], outputs: [:])
        for input in subject.inputs {
            guard var line = all.inputs[input] else {
                throw HardwareError(
                    .misconfigured, "\(settings.path): the input \(input.name) is not wired")
            }
            line.debounce = .zero
            wiring.inputs[input] = line
        }
        return wiring
    }

    /// Hears the lines until then, or until somebody presses Enter; tells of each coin.
    private func record(
        _ recorder: LineRecorder, until end: Instant?
    ) throws(HardwareError) {
        while true {
            let now = MonotonicTimer.now
            if let end, end <= now { return }
            let tick = now + .seconds(1)
            let isOver = waitForInput(
                recorder.bank.descriptors + (end == nil ? [STDIN_FILENO] : []),
                until: min(end ?? tick, tick))
            try recorder.takeEdges()
            if isOver.contains(STDIN_FILENO) { return }
            if let news = recorder.takeNews() { complain(news) }
        }
    }
}

/// What is measured.
enum Subject: Hashable {
    case acceptor(Acceptor)
    case sensors(Input, Input)

    /// The lines of it.
    var inputs: [Input] {
        switch self {
        case .acceptor(let acceptor): [acceptor.line]
        case .sensors(let a, let b): [a, b]
        }
    }

    /// What somebody is to do.
    var invitation: String {
        switch self {
        case .acceptor: "drop some coins, one by one and a second apart"
        case .sensors: "turn the arm inwards, or walk in, a few times"
        }
    }
}

/// Keeps what lines do.
final class LineRecorder {
    let bank: any LineBank
    private var traces: [Input: LineTrace] = [:]
    private let inputs: [Input]
    private var lost = 0
    private var edgesTold = 0

    /// Nothing was done yet.
    init(_ bank: any LineBank, _ inputs: [Input]) {
        self.bank = bank
        self.inputs = inputs
        let levels = bank.readInputs { _, _ in }
        for input in inputs { traces[input] = LineTrace(wasActive: levels[input]) }
    }

    /// Takes what was done since.
    func takeEdges() throws(HardwareError) {
        try bank.takeEvents { event in
            switch event {
            case .edge(let input, let isActive, let time):
                traces[input]?.take(.init(isActive, at: time))
            case .lost(let count, _): lost += count
            }
        }
    }

    /// How much was heard, if that is more than was told before.
    func takeNews() -> String? {
        let edges = traces.values.map(\.edges.count).reduce(0, +)
        guard edges > edgesTold else { return nil }
        edgesTold = edges
        return "\(edges) edges"
    }

    /// What was measured.
    func page(of subject: Subject) -> [[Span]] {
        let lines =
            switch subject {
            case .acceptor: page(PulseMeasurement(trace(0)))
            case .sensors: page(RotorMeasurement(a: trace(0), b: trace(1)))
            }
        let warning = lost == 0 ? [] : ["warning: \(lost) edges were lost"]
        return (lines + warning).map { [Span($0)] }
    }

    private func trace(_ index: Int) -> LineTrace { traces[inputs[index]] ?? LineTrace() }

    private func page(_ measurement: PulseMeasurement) -> [String] {
        var lines = ["\(measurement.widths.count) pulses, \(measurement.coins.count) coins"]
        for (title, durations) in [
            ("pulses", measurement.widths), ("gaps within a coin", measurement.gaps),
        ] {
            guard let histogram = Histogram(durations) else { continue }
            lines += ["", title] + histogram.lines
        }
        if measurement.bounce.levels > 0 {
            lines += ["", "it bounces: \(measurement.bounce.words)"]
        }
        let warnings = measurement.warnings.map { "warning: \($0)" }
        let settings = measurement.settings
        return lines + (warnings.isEmpty ? [] : [""] + warnings)
            + (settings.isEmpty ? [] : ["", "coin:"] + settings.map { "  \($0)" })
    }

    private func page(_ measurement: RotorMeasurement) -> [String] {
        let verdict =
            switch measurement.verdict(turned: .entry) {
            case .right: "the sensors are as they are named"
            case .exchanged:
                "the sensors are exchanged, if these were turns inwards: exchange the two lines in "
                    + "the settings"
            case .noTurn: "there was no whole turn"
            case .bothWays: "there were turns both ways: turn it inwards alone"
            }
        let turns = "\(measurement.entries) turns inwards, \(measurement.exits) outwards"
        let names = inputs.map { "    \($0.name): {debounce: \(measurement.debounce.written)}" }
        return [turns, verdict, "they bounce: \(measurement.bounce.words)"]
            + measurement.warnings.map { "warning: \($0)" }
            + ["", "hardware:", "  inputs:"] + names
    }
}

extension Bounce {
    /// For people.
    fileprivate var words: String {
        guard levels > 0 else { return "not at all" }
        return "\(levels) times, for \(longest.written) at most; settled within \(settling.written)"
    }
}
