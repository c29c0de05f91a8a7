public import StateMachines
import System
public import Trace
public import Turnstile

/// Draws steps on a self-contained page of HTML: no network, no server, no font.
///
/// It shows the lines as a logic analyser does, the regions' states as bands, the records as marks,
/// passages and credit. The page is written at the end; until then the changes are kept, some 10
/// bytes for each.
public struct TracePage: StepExport {
    private let gate: String
    private let equipment: Equipment
    private let write: (String) -> Void
    private var timeline = Timeline()
    private var data: PageData?

    public init(gate: String, equipment: Equipment, write: @escaping (String) -> Void) {
        self.gate = gate
        self.equipment = equipment
        self.write = write
    }

    public mutating func begin(at time: Instant, after step: ReplayedStep) {
        timeline.begin(at: time, after: step)
        data = PageData(of: equipment, after: step)
        data?.setClock(step.clock.utc(at: time), step.clock.utc, step.clock.local, at: 0)
    }

    public mutating func add(_ step: ReplayedStep) {
        let time = timeline.place(step) / 1000
        if data == nil { data = PageData(of: equipment, after: step) }
        data?.setClock(step.utc, step.clock.utc, step.clock.local, at: time)
        data?.add(step, at: time)
    }

    public mutating func setOutputs(at moment: Replay.Moment) {
        guard data != nil, data?.carried != moment.energised else { return }
        data?.setOutputs(moment.energised, at: timeline.place(moment) / 1000)
    }

    public mutating func finish() {
        let (head, tail) = PageMarkup.around(title: gate)
        write(head)
        if let data {
            data.write(gate: gate, end: timeline.position / 1000) { write($0.insideScript) }
        } else {
            write("null")
        }
        write(tail)
        data = nil
    }
}

extension String {
    /// JSON that cannot end an element `script`. Only texts are changed.
    fileprivate var insideScript: String {
        guard utf8.contains(UInt8(ascii: "<")) else { return self }
        return replacing("<", with: "\\u003c")
    }

    var inHTML: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
