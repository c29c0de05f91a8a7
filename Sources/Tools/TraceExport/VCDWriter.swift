public import StateMachines
import System
public import Trace
public import Turnstile

/// Writes steps as a value change dump (IEEE 1364), which GTKWave and PulseView open.
///
/// It has every wired input, before and after debouncing, the level of every output's line, the
/// released ways, the states of the gate's regions, the credit, and the records. Times are in µs
/// since the beginning.
///
/// States and records are texts of GTKWave's type `string`, which PulseView skips. PulseView
/// refuses a file with the type for events; so `mark` changes its level with each record instead,
/// and is visible in both. PulseView keeps a sample for each µs; for more than a few minutes, set
/// its import option `downsample` to 1000.
public struct VCDWriter: StepExport {
    private var sink: TextSink
    private let gate: String
    private let equipment: Equipment
    private var timeline = Timeline()
    private var variables: Variables?
    private var shown: StepSnapshot?
    /// The last written time, in µs.
    private var heading: Int64 = -1
    private var isMarked = false
    /// The records of ``heading``.
    private var names: [String] = []
    private var sentences: [String] = []

    public init(gate: String, equipment: Equipment, write: @escaping (String) -> Void) {
        self.gate = gate
        self.equipment = equipment
        sink = TextSink(write)
    }

    public mutating func begin(at time: Instant, after step: ReplayedStep) {
        timeline.begin(at: time, after: step)
        writeHead(of: step, at: time)
    }

    public mutating func add(_ step: ReplayedStep) {
        let place = timeline.place(step) / 1000
        if shown == nil { writeHead(of: step, at: step.event.time) }
        guard let variables else { return }
        show(StepSnapshot(after: step), variables, at: place)
        if !step.records.isEmpty { write(step.records, variables, at: place) }
    }

    public mutating func setOutputs(at moment: Replay.Moment) {
        guard let variables, var now = shown, now.energised != moment.energised else { return }
        now.energised = moment.energised
        show(now, variables, at: timeline.place(moment) / 1000)
    }

    public mutating func finish() {
        writeTexts()
        if shown != nil { head(timeline.position / 1000) }
        sink.flush()
    }
}

// Changes.
extension VCDWriter {
    private mutating func head(_ place: Int64) {
        guard place > heading else { return }
        writeTexts()
        heading = place
        sink.print("#\(place)\n")
    }

    private mutating func write(_ change: String, at place: Int64) {
        head(place)
        sink.print(change + "\n")
    }

    private mutating func write(text: String, _ code: String, at place: Int64) {
        write("s\(text.inVCD) \(code)", at: place)
    }

    private mutating func write(_ isOn: Bool, _ code: String, at place: Int64) {
        write((isOn ? "1" : "0") + code, at: place)
    }

    /// Writes the changes; everything at the beginning.
    private mutating func show(_ now: StepSnapshot, _ variables: Variables, at place: Int64) {
        let before = shown
        for (code, isOn) in variables.wires where isOn(now) != before.map(isOn) {
            write(isOn(now), code, at: place)
        }
        if now.status != before?.status { write(text: now.status, variables.status, at: place) }
        for (index, code) in variables.regions.enumerated()
        where now.states[index] != before?.states[index] {
            write(text: now.states[index], code, at: place)
        }
        if now.credit != before?.credit { write("r\(now.credit) \(variables.credit)", at: place) }
        shown = now
    }

    /// Writes records: all of them, if several have the same time.
    private mutating func write(_ records: [Record], _ variables: Variables, at place: Int64) {
        head(place)
        if names.isEmpty {
            isMarked.toggle()
            write(isMarked, variables.mark, at: place)
        }
        names += records.map(\.name)
        sentences += records.map(\.entry.sentence)
    }

    /// Writes the texts of the records at ``heading``, once all of them are known.
    private mutating func writeTexts() {
        guard let variables, !names.isEmpty else { return }
        let texts = [
            (names.joined(separator: ", "), variables.record),
            (sentences.joined(separator: "; "), variables.sentence),
        ]
        (names, sentences) = ([], [])
        for (text, code) in texts { write(text: text, code, at: heading) }
    }
}

// The head of the file.
extension VCDWriter {
    private mutating func writeHead(of step: ReplayedStep, at time: Instant) {
        let variables = Variables(of: equipment)
        let text = gate.isEmpty ? "" : "\(gate.inVCD), "
        sink.print(
            """
            $date \(step.clock.utc(at: time).iso8601) $end
            $version turnstiled \(programVersion) $end
            $comment \(text)time 0 is \(time.nanoseconds) ns of monotonic time $end
            $timescale 1 us $end
            \(variables.declaration)$enddefinitions $end

            """)
        head(0)
        sink.print("$dumpvars\n")
        show(StepSnapshot(after: step), variables, at: 0)
        write(false, variables.mark, at: 0)
        for code in [variables.record, variables.sentence] { write(text: "-", code, at: 0) }
        sink.print("$end\n")
        self.variables = variables
    }

    /// The short names under which values change.
    fileprivate struct Variables {
        /// The characters of short names: all printable ones except those that begin a value, a
        /// time or a section. When libsigrok 0.5 skips a text, it takes the name after it for the
        /// next value.
        private static let letters = (UInt8(ascii: "!")...UInt8(ascii: "~"))
            .map { Character(Unicode.Scalar($0)) }.filter { !"#$01bBrRsSxXzZ".contains($0) }

        private(set) var declaration = ""
        private var count = 0
        /// The variables of lines, each with its level.
        private(set) var wires: [(code: String, isOn: (StepSnapshot) -> Bool)] = []
        private(set) var regions: [String] = []
        private(set) var status = "", credit = "", mark = "", record = "", sentence = ""

        init(of equipment: Equipment) {
            scope("inputs") { variables in
                // PulseView shows the last name alone.
                variables.lines("raw", equipment.wiredInputs, suffix: "_raw") { $0.raw[$1] }
                variables.lines("debounced", equipment.wiredInputs) { $0.debounced[$1] }
            }
            scope("outputs") { variables in
                variables.lines("energised", equipment.wiredOutputs) { $0.energised[$1] }
                variables.lines("released", equipment.wiredWays, suffix: "_released") {
                    $0.released[$1]
                }
            }
            scope("regions") { variables in
                variables.status = variables.string("status")
                variables.regions = StepSnapshot.regions.map { variables.string($0.name) }
            }
            scope("money") { $0.credit = $0.declare("real 64", "credit") }
            scope("records") { variables in
                variables.mark = variables.wire("mark")
                variables.record = variables.string("record")
                variables.sentence = variables.string("sentence")
            }
        }

        private mutating func scope(_ name: String, _ body: (inout Variables) -> Void) {
            declaration += "$scope module \(name) $end\n"
            body(&self)
            declaration += "$upscope $end\n"
        }

        private mutating func lines<Line: Word>(
            _ name: String, _ lines: [Line], suffix: String = "",
            _ isOn: @escaping (StepSnapshot, Line) -> Bool
        ) {
            scope(name) { variables in
                for line in lines {
                    let code = variables.wire(line.name + suffix)
                    variables.wires.append((code, { isOn($0, line) }))
                }
            }
        }

        private mutating func wire(_ name: String) -> String { declare("wire 1", name) }
        private mutating func string(_ name: String) -> String { declare("string 1", name) }

        private mutating func declare(_ type: String, _ name: String) -> String {
            var (rest, code) = (count, "")
            repeat {
                code.append(Self.letters[rest % Self.letters.count])
                rest /= Self.letters.count
            } while rest > 0
            count += 1
            declaration += "$var \(type) \(code) \(name) $end\n"
            return code
        }
    }
}

extension String {
    /// The text as one word for GTKWave: unprintable characters, blanks and dollars are escaped by
    /// byte.
    fileprivate var inVCD: String {
        let digits = Array("0123456789abcdef")
        var word = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\\"): word += "\\\\"
            case UInt8(ascii: "$"), 0...0x20, 0x7F...:
                word += "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            default: word.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return word
    }
}
