import Audit
import Console
import System
import Turnstile

/// A support bundle.
struct DiagnosticsBundle {
    let gate: String
    /// The period since 1970, UTC; up to now without an end.
    let from: Duration, to: Duration?
    /// When it was put together: since 1970, UTC.
    let made: Duration
    let clock: LocalClock
    /// On how many lines of the settings there was a comment, which was taken out.
    var commentCount = 0
    /// The ledger's path; nil if it is unknown, or the gate has no ledger.
    var ledgerPath: String?
    private var bytes: [DiagnosticsFile: [UInt8]] = [:]
    private var reasons: [DiagnosticsFile: String] = [:]
    private var remarks: [DiagnosticsFile: String] = [:]

    init(gate: String, from: Duration, to: Duration?, made: Duration, clock: LocalClock) {
        self.gate = gate
        (self.from, self.to, self.made) = (from, to, made)
        self.clock = clock
    }

    /// Puts a file in, with a remark for its reader.
    mutating func put(_ file: DiagnosticsFile, _ bytes: [UInt8], remark: String? = nil) {
        self.bytes[file] = bytes
        remarks[file] = remark
    }

    mutating func put(_ file: DiagnosticsFile, _ text: String, remark: String? = nil) {
        put(file, Array(text.utf8), remark: remark)
    }

    func has(_ file: DiagnosticsFile) -> Bool { bytes[file] != nil }

    mutating func leaveOut(_ file: DiagnosticsFile, _ reason: String) { reasons[file] = reason }

    /// The files, in the order of reading.
    var members: [TarMember] {
        let readme = TarMember(name: DiagnosticsFile.readme.rawValue, bytes: Array(readme.utf8))
        return [readme]
            + DiagnosticsFile.allCases.compactMap { file in
                bytes[file].map { TarMember(name: file.rawValue, bytes: $0) }
            }
    }

    /// The omitted files, each with the reason.
    var omissions: [(file: DiagnosticsFile, text: String)] { Self.listed(reasons) }

    /// The files with a remark.
    var notes: [(file: DiagnosticsFile, text: String)] { Self.listed(remarks) }

    private static func listed(
        _ texts: [DiagnosticsFile: String]
    ) -> [(file: DiagnosticsFile, text: String)] {
        DiagnosticsFile.allCases.compactMap { file in texts[file].map { (file, $0) } }
    }

    /// `turnstiled-north-gate-20261122-062107.tar`.
    var fileName: String {
        let stamp = clock.timestamp(of: made).prefix(19).filter { $0.isNumber }
        return "turnstiled-\(Self.fileNamePart(gate))-\(stamp.prefix(8))-\(stamp.dropFirst(8)).tar"
    }

    /// A gate's name without the characters that are special to a shell or a file system.
    static func fileNamePart(_ name: String) -> String {
        let words = name.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let part = words.joined(separator: "-").prefix(40)
        return part.isEmpty ? "gate" : String(part)
    }
}

// Texts about the bundle.
extension DiagnosticsBundle {
    var period: String {
        "\(clock.text(of: from)) to \(to.map(clock.text) ?? "now"), by the gate's clock"
    }

    var removals: [String] {
        let lines = counted(commentCount, "line")
        return [
            "the comments of the settings: \(lines)",
            "what names this machine: its name, its number, its addresses",
        ]
    }

    /// Sensitive content that is not removed.
    static let remainders = [
        "the gate's name, and the paths of the files and devices of this machine",
        "names and numbers of operators",
        "amounts of money, and the times of passages",
    ]

    private var readme: String {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        var lines = [
            "About the gate '\(appearance.printable(gate))', from", "\(period).", "",
            "Put together at \(clock.timestamp(of: made)) by turnstilectl \(programVersion).",
        ]
        func list(_ heading: String, _ items: [(name: String, texts: [String])]) {
            if items.isEmpty { return }
            lines += ["", heading, ""]
            let width = items.map(\.name.count).max() ?? 0
            for item in items {
                for (index, text) in item.texts.enumerated() {
                    let name = (index == 0 ? item.name : "").padded(to: width + 2)
                    lines.append("  \(name)\(appearance.printable(text))")
                }
            }
        }
        list(
            "Contents:",
            DiagnosticsFile.allCases.filter { $0 == .readme || bytes[$0] != nil }.map { file in
                let remark = remarks[file].map { ["(\($0))"] } ?? []
                return (file.rawValue, [file.content] + remark + file.commands)
            })
        list("Left out:", omissions.map { ($0.file.rawValue, [$0.text]) })
        list("Removed:", removals.map { ("-", [$0]) })
        list("Not removed:", Self.remainders.map { ("-", [$0]) })
        return lines.joined(separator: "\n") + "\n"
    }

    /// The contents, for the question whether to write it.
    var lines: [[Span]] {
        var table = Table(columns: [.left, .right, .left])
        for member in members {
            let content = DiagnosticsFile(rawValue: member.name)?.content ?? ""
            table.rows.append([
                [Span(member.name)], [Span(Self.size(member.bytes.count))], [Span(content)],
            ])
        }
        let others =
            notes.map { "\($0.file.rawValue): \($0.text)" }
            + omissions.map { "left out: \($0.file.rawValue): \($0.text)" }
            + removals.map { "taken out: \($0)" } + Self.remainders.map { "in it still: \($0)" }
        return [[Span(period)]] + table.lines + others.map { [Span($0)] }
    }

    /// `512 B`, `13 kB`, `5 MB`: rounded up.
    static func size(_ count: Int) -> String {
        if count < 1_000 { return "\(count) B" }
        if count < 1_000_000 { return "\((count + 999) / 1_000) kB" }
        return "\((count + 999_999) / 1_000_000) MB"
    }
}
