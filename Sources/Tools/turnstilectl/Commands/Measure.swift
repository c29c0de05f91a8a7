import ArgumentParser
import Glibc
import StateMachines
import System
import Turnstile

struct Measure: Subcommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure coin pulses or arm turns, and propose settings.",
        discussion: """
            Drop some coins one by one, or turn the arm inwards a few times; then press Enter. It \
            measures through the running service, which continues its normal work; if none runs, \
            it reads the lines itself, as root.

            Examples:
              turnstilectl lines measure coin_pulse
              turnstilectl lines measure rotor_a rotor_b
            """)

    @Argument(
        help: "A pulse line of an acceptor, or rotor_a rotor_b (or the two beams).",
        completion: .list(Subject.inputs.map(\.name)))
    var lines: [String]
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Measure for this long, such as 30s (default: until Enter).", valueName: "time"),
        transform: Length.read)
    var length: Duration?
    @OptionGroup var settings: SettingsOptions
    @OptionGroup var gate: GateOptions

    var json: Bool { gate.json }

    func validate() throws { _ = try subject() }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let subject = try subject()
        let lines = subject.inputs.map { Line.input($0) }
        let source = try gate.edges(of: lines, settings)
        let recorder = LineRecorder(source, subject.inputs)
        source.introduce()
        complain(subject.invitation + (length == nil ? ", then press Enter" : ""))
        try record(recorder, until: length.map { MonotonicTimer.now + $0 })
        let page = MeasurementPage(subject: subject, recorder: recorder)
        out.print(page.object, or: page.lines)
        return .done
    }

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

    /// Records the lines until then, or until Enter is pressed; reports each coin.
    private func record(_ recorder: LineRecorder, until end: Instant?) throws {
        while true {
            let now = MonotonicTimer.now
            if let end, end <= now { return try recorder.takeEdges(last: true) }
            let tick = now + .seconds(1)
            recorder.source.wait(
                until: min(end ?? tick, tick), or: end == nil ? [STDIN_FILENO] : [])
            try recorder.takeEdges()
            if end == nil, !waitForInput([STDIN_FILENO], until: .zero).isEmpty {
                return try recorder.takeEdges(last: true)
            }
            if let news = recorder.takeNews() { complain(news) }
        }
    }
}

enum Subject: Hashable {
    case acceptor(Acceptor)
    case sensors(Input, Input)

    /// All lines that can be measured.
    static let inputs: [Input] =
        Acceptor.allCases.map(\.line) + [.rotorA, .rotorB, .beamA, .beamB]

    var inputs: [Input] {
        switch self {
        case .acceptor(let acceptor): [acceptor.line]
        case .sensors(let a, let b): [a, b]
        }
    }

    var invitation: String {
        switch self {
        case .acceptor: "drop some coins, one by one and a second apart"
        case .sensors: "turn the arm inwards, or walk in, a few times"
        }
    }
}
