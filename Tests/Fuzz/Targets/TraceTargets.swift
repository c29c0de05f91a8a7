import Controller
import Keeping
import StateMachines
import Turnstile

@testable import Trace

/// A file with what a gate decided: it is replayed, cut, and asked what would have been.
enum TraceTarget: FuzzTarget {
    static let name = "trace"

    static func take(_ bytes: [UInt8]) { TraceCheck(bytes).run() }
}

/// The same, behind the checksums: each is put right before the file is read.
enum TraceContentTarget: FuzzTarget {
    static let name = "trace-content"

    private static let checksumLength = 4

    static func take(_ bytes: [UInt8]) { TraceCheck(file(bytes)).run() }

    /// A file of these frames, whose first line and checksums may be any, and whose last frame may
    /// be shorter than it says.
    static func file(_ bytes: [UInt8]) -> [UInt8] {
        var file = TraceFormat.firstLine
        var index = TraceFormat.firstLine.count
        while index < bytes.count {
            var reader = ByteReader(bytes, in: index..<bytes.count)
            guard let kind = try? reader.byte(), let length = try? reader.varint() else { break }
            let end = reader.index + Int(clamping: min(length, UInt64(reader.count)))
            var frame = Frame.bytes(.steps, Array(bytes[reader.index..<end]))
            frame[0] = kind
            Self.putRight(&frame)
            file += frame
            index = end + checksumLength
        }
        return file
    }

    private static func putRight(_ frame: inout [UInt8]) {
        let end = frame.count - checksumLength
        let checksum = CRC32.checksum(of: frame[..<end])
        for offset in 0..<checksumLength {
            frame[end + offset] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * offset))
        }
    }
}

/// What has to hold of any file that is taken for a trace.
private struct TraceCheck {
    private let recording: Recording

    /// Another policy than that of the seeds.
    private static let policy = Policy(price: 150, coinUnit: 50)

    /// What a replay tells, but for where it stands.
    private enum Told: Equatable {
        case item(TraceItem)
        case step(ToldStep)
    }

    /// What it tells of a step.
    private struct ToldStep: Equatable {
        var event: Event
        var recorded: Replay.Answer
        var utc: Duration
        /// What the replay made of it; nil where the state before it is not known.
        var replayed: Replay.Answer?

        init(_ step: RecordedStep) {
            event = step.event
            recorded = step.recorded
            utc = step.utc
            replayed = step.replayed.map {
                Replay.Answer(
                    verdict: RecordedVerdict($0.verdict), commands: $0.commands,
                    records: $0.records)
            }
        }
    }

    init(_ bytes: [UInt8]) { recording = Self.recording(bytes) }

    private static func recording(_ bytes: [UInt8]) -> Recording {
        var recording = Recording()
        recording.add(bytes, from: "a.trace")
        for page in recording.pages { _ = page.utc(at: page.lastTime) }
        return recording
    }

    func run() {
        let result = Replay.run(recording)
        let (heard, told) = Self.listen(to: recording)
        let isSame =
            result.events == heard.events && result.passages == heard.passages
            && result.eventsWithoutState == heard.eventsWithoutState && result.lost == heard.lost
            && result.difference?.place == heard.difference?.place
        // What is of the shell is looked at only for those who listen: it may have no meaning.
        guard isSame || !heard.unknown.isEmpty || !heard.endings.isEmpty else {
            fail("\(heard) with somebody who listens, \(result) without")
        }
        checkCut(result, told)
        _ = WhatIf.run(recording, pages: recording.pages.indices, policy: Self.policy) { _ in true }
    }

    private static func listen(to recording: Recording) -> (Replay.Result, [Told]) {
        var told: [Told] = []
        let result = Replay.run(recording) { news in
            switch news {
            // What has no meaning here cannot be written, and of a gap it may be told twice.
            case .page, .item(.unknown, at: _), .item(.lost(0), at: _): break
            case .item(let item, at: _): told.append(.item(item))
            case .step(let step): told.append(.step(ToldStep(step)))
            }
            return true
        }
        return (result, told)
    }

    /// All of it as a trace of its own tells the same.
    private func checkCut(_ result: Replay.Result, _ told: [Told]) {
        let all = recording.pages.indices
        guard
            let bytes = TraceCutting.cut(of: recording, pages: all, isWanted: { _ in true })?.bytes
        else {
            if !told.isEmpty { fail("nothing is left of \(told.count) steps") }
            return
        }
        let cut = Self.recording(bytes)
        if let ending = cut.endings.first { fail("what was cut cannot be read: \(ending)") }
        let (_, again) = Self.listen(to: cut)
        guard again.count == told.count else { fail("\(again.count) steps of \(told.count)") }
        // Else the machines need not be the same, since the cut holds less.
        let isSound = result.difference == nil && result.unknown.isEmpty && result.endings.isEmpty
        for (was, var now) in zip(told, again) {
            if case (.step(let old), .step(var new)) = (was, now) {
                if !isSound || old.replayed == nil { new.replayed = old.replayed }
                now = .step(new)
            }
            if now != was { fail("\(was)\nreads as another one:\n\(now)") }
        }
    }
}
