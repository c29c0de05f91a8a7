import Checkout
import Console
import Controller
import Foundation
import SecondOpinion
import StateMachines
import System
import Turnstile

@testable import Trace
@testable import turnstilectl

/// The traces in Tests/Traces, each with what it must lead to beside it.
enum Corpus {
    /// Where they are.
    static let folder = Checkout.root.appending(path: "Tests/Traces")

    /// The names of all, without their endings.
    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".trace") }.map { String($0.dropLast(6)) }
            .sorted()
    }()

    /// The trace of this name.
    static func recording(_ name: String) throws -> Recording {
        try Recording(path: folder.appending(path: "\(name).trace").path)
    }

    /// What it must lead to; empty where that is not known yet.
    static func expectation(_ name: String) -> String {
        let url = folder.appending(path: "\(name).txt")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }

    /// What the gate makes of it now, as `turnstilectl trace show` tells it.
    static func text(_ recording: Recording) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        var lines = TraceLines(appearance, showsShell: false)
        var text = ""
        _ = Replay.run(recording) { news in
            for line in lines.lines(of: news.decidedAnew, in: recording, isWanted: { _ in true }) {
                text += appearance.text(of: line.trimmed) + "\n"
            }
            return true
        }
        return text
    }

    /// Has what the trace leads to written as the gate has it now, and the trace as well where it
    /// was decided otherwise.
    static func update(_ name: String, _ recording: Recording) throws {
        guard Replay.run(recording).difference != nil else {
            return try write(name, text: text(recording))
        }
        let cut = TraceCutting.cut(
            of: recording, pages: recording.pages.indices, decidesAnew: true
        ) { _ in true }
        guard let cut else { return }
        try write(name, cut.bytes)
    }

    /// Writes a trace, and what it leads to.
    static func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appending(path: "\(name).trace"))
        try write(name, text: text(Recording(files: [bytes])))
    }

    private static func write(_ name: String, text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: "\(name).txt"))
    }
}
