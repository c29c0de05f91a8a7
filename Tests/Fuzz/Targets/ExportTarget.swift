import StateMachines
import Turnstile

@testable import Trace
@testable import TraceExport

/// A file with what a gate decided, with its checksums put right: whatever is in it, each export is
/// one that its readers can read.
enum ExportTarget: FuzzTarget {
    static let name = "trace-export"

    static func take(_ bytes: [UInt8]) {
        var recording = Recording()
        recording.add(TraceContentTarget.file(bytes), from: "a.trace")
        let gate = recording.pages.first?.header.gate ?? ""
        for format in ExportFormat.allCases {
            let text = export(recording, as: format, gate)
            switch format {
            case .json: text.split(separator: "\n").forEach { JSONCheck.check(String($0)) }
            case .perfetto: JSONCheck.check(text, isLine: false)
            case .vcd: checkChanges(text)
            case .html: checkPage(text, of: gate)
            }
        }
    }

    private static func export(
        _ recording: Recording, as format: ExportFormat, _ gate: String
    ) -> String {
        var text = ""
        let lines = Equipment(inputs: Input.allCases, outputs: Output.allCases)
        var export = format.export(of: gate, with: lines) { text += $0 }
        _ = Replay.steps(of: recording) { step in
            if let replayed = step.replayed { export.add(replayed) }
            return true
        }
        export.finish()
        return text
    }

    /// Each change is of a variable that was declared, in one word or two, and times go up.
    private static func checkChanges(_ text: String) {
        var (codes, time): (Set<Substring>, Int64) = ([], -1)
        var isHead = true
        for line in text.split(separator: "\n") {
            guard line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                fail("not printable: \(line.debugDescription)")
            }
            let words = line.split(separator: " ")
            if isHead {
                if words.first == "$var" { codes.insert(words[3]) }
                isHead = words.first != "$enddefinitions"
            } else if line.hasPrefix("#") {
                guard let next = Int64(line.dropFirst()), next > time else {
                    fail("\(line) after \(time)")
                }
                time = next
            } else if !line.hasPrefix("$") {
                let isWord = "01".contains(line.first ?? " ")
                let code = isWord ? line.dropFirst() : words.last
                guard words.count == (isWord ? 1 : 2), codes.contains(code ?? "") else {
                    fail("no change: \(line.debugDescription)")
                }
            }
        }
    }

    /// What is the gate's stands inside an element that nothing in it can end, as JSON.
    private static func checkPage(_ page: String, of gate: String) {
        let (head, tail) = PageMarkup.around(title: gate)
        guard page.hasPrefix(head), page.hasSuffix(tail), !gate.inHTML.contains("<") else {
            fail("no page: \(gate.debugDescription)")
        }
        let data = page.dropFirst(head.count).dropLast(tail.count)
        if data.utf8.contains(UInt8(ascii: "<")) { fail("an element: \(data.debugDescription)") }
        JSONCheck.check(String(data), isLine: false)
    }
}
