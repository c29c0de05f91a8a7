import Foundation
import SecondOpinion
import StateMachines
import Testing

@testable import Trace
@testable import Turnstile

/// Every trace that is kept leads to what stands beside it, for ever.
///
/// `make trace-update` writes anew what they lead to: what a change of behaviour changes is a diff.
@Suite struct CorpusTests {
    @Test func `there are traces, and each has what it leads to beside it`() throws {
        #expect(Corpus.names.count >= 200)
        for debian in ["bookworm", "trixie"] {
            #expect(Corpus.names.count { $0.hasPrefix("board-\(debian)-") } >= 20)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.path)
        let texts = Set(files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) })
        // Those that are written meanwhile may not be there yet.
        let isUpdate = ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil
        let bare = isUpdate ? [] : Corpus.names.filter { !texts.contains($0) }
        #expect(bare.isEmpty, "`make trace-update` writes what these lead to")
        #expect(texts.subtracting(Corpus.names).isEmpty)
    }

    @Test(arguments: Corpus.names) func `leads to what it led to`(name: String) throws {
        let recording = try Corpus.recording(name)
        #expect(recording.endings.isEmpty)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try Corpus.update(name, recording)
        }
        let result = Replay.run(try Corpus.recording(name))
        #expect(result.difference == nil && result.eventsWithoutState == 0)
        #expect(result.unknown.isEmpty)
        let text = Corpus.text(recording)
        #expect(text == Corpus.expectation(name), "\(name): `make trace-update` shows the change")
    }

    @Test(arguments: Corpus.names) func `the second opinion is the same`(name: String) throws {
        for life in try Life.all(in: Corpus.recording(name)) {
            #expect(life.disagreement() == nil)
        }
    }

    @Test func `every alarm and fault is raised in one of them`() throws {
        var raised: Set<String> = []
        for name in Corpus.names {
            _ = Replay.steps(of: try Corpus.recording(name)) { step in
                for record in step.replayed?.records ?? [] {
                    if case .alarmRaised(let alarm) = record { raised.insert(alarm.code) }
                    if case .faultRaised(let fault) = record { raised.insert(fault.code) }
                }
                return true
            }
        }
        #expect(Set(Alarm.allCases.map(\.code)).subtracting(raised).isEmpty)
        #expect(Set(Fault.Kind.words.map(\.code)).subtracting(raised).isEmpty)
    }

    /// `TURNSTILED_MAKE_TRACES=1` looks for what no trace leads to yet.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TURNSTILED_MAKE_TRACES"] != nil))
    func `makes what is missing`() throws {
        #expect(throws: Never.self) { try CorpusMaker().makeMissing() }
    }
}

extension Life {
    /// The processes in a recording whose beginnings are known, up to what nobody saw of them.
    static func all(in recording: Recording) throws -> [Life] {
        var lives: [Life] = []
        var isWhole = false
        for page in recording.pages.indices {
            if let beginning = recording.pages[page].beginning {
                lives.append(Life(beginning: beginning))
                isWhole = true
            }
            _ = Replay.run(recording, pages: page..<page + 1) { news in
                switch news {
                // What was put off is no event, and the second opinion knows nothing of it.
                case .item(.postponed, at: _), .item(.lost, at: _): isWhole = false
                case .step(let step):
                    if isWhole { lives[lives.count - 1].events.append(step.event) }
                case .page, .item: break
                }
                return true
            }
        }
        return lives
    }
}
