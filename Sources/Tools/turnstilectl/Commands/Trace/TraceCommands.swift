import ArgumentParser
import Audit
import StateMachines
import System
import Trace

struct TraceCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show and replay what the gate decided, step by step.",
        discussion: """
            The service records every step of the last hours (setting: trace). The traces can be \
            read while it runs or is stopped. By default it reads the service's own traces, which \
            root and members of the group turnstile-audit may do.
            """,
        subcommands: [
            TraceShow.self, TraceReplay.self, TraceExportCommand.self, TraceCut.self,
        ])
}

/// From when to when, by the gate's clock.
struct TraceWindow: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "From this time on: 06:00, 2026-11-22T06:00:10.5, today, yesterday, now, or how long "
                + "before its end, as 10min.", valueName: "time"),
        transform: TraceTime.read)
    var since: TraceTime?
    @Option(
        name: [.customLong("until"), .customLong("to")],
        help: ArgumentHelp("Up to this time.", valueName: "time"), transform: TraceTime.read)
    var until: TraceTime?
}

struct TraceOptions: ParsableArguments {
    /// Where the service keeps its own.
    static let standardPath = "/var/lib/turnstiled/trace"

    @Argument(
        help: ArgumentHelp(
            "Trace file or folder (default: the service's).", valueName: "file"),
        completion: .file())
    var path = standardPath
    @OptionGroup var window: TraceWindow

    /// Reads the trace, and reports what cannot be read; throws if nothing can.
    func read() throws(CommandError) -> Recording {
        do throws(RecordingError) {
            let recording = try Recording(path: path)
            for ending in recording.endings {
                complain(
                    "\(ending.path): read as far as byte \(ending.offset): \(ending.reason)")
            }
            return recording
        } catch {
            guard case .unreadable(let cause) = error, path == Self.standardPath || cause.isDenial
            else { throw CommandError("\(error)", .cannotRead) }
            throw cause.isDenial
                ? CommandError(
                    "\(error)", .notAllowed,
                    advice: "a service's own is for root and the group turnstile-audit")
                : CommandError(
                    "\(error)", .cannotRead,
                    advice: "name a file, or DIR/trace of a gate that is simulated with its state "
                        + "in DIR")
        }
    }

    /// The selected part of a recording; throws if it is empty.
    func part(of recording: Recording) throws -> TracePart {
        let part = try TracePart(recording, since: window.since, until: window.until)
        if part.pages.isEmpty { throw nothing(in: recording, part) }
        return part
    }

    /// Throws if an output file is one of the trace's at `path`, or the service's own. Every file
    /// in their folder counts as one of them.
    static func refuseOwn(_ output: String, of path: String) throws {
        if output == "-" { return }
        let folders = [path, standardPath]
        let files = folders.flatMap { folder in
            (try? File.names(in: folder))?.map { "\(folder)/\($0)" } ?? []
        }
        let (folder, name) = parts(of: output)
        let (folderRead, nameRead) = parts(of: path)
        // A single file of a ring has the others beside it.
        let isInRing =
            Recording.isRingFile(name) && Recording.isRingFile(nameRead)
            && File.areSame(folder, folderRead)
        guard
            isInRing || (folders + files).contains(where: { File.areSame($0, output) })
                || folders.contains(where: { File.areSame($0, folder) })
        else { return }
        throw CommandError(
            "\(output): this is the trace's own file, or in its folder: name another one",
            .cannotWrite)
    }

    /// The folder that a path leads to, and the name in it.
    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    func nothing(in recording: Recording, _ part: TracePart) -> CommandError {
        CommandError("\(path): \(recording.absence(of: part))", .cannotRead)
    }
}

/// A part of a recording, by the clock on the wall.
struct TracePart {
    /// From when to when, UTC, since 1970; nil for the beginning, and for the end.
    var since: Duration?, until: Duration?
    /// The pages that have it.
    var pages: Range<Int>

    init(_ recording: Recording, since: TraceTime?, until: TraceTime?) throws {
        let (from, to) = try TraceTime.range(
            since, until, before: recording.end, from: recording.start, recording.clock)
        self.init(recording, from: from, to: to)
    }

    /// The part between two times on the wall, UTC, since 1970; nil for no bound.
    init(_ recording: Recording, from: Duration?, to: Duration?) {
        (since, until) = (from, to)
        let pages = recording.pages
        // The clock may have been set on one of them, and between two.
        let told = pages.indices.filter { index in
            let page = pages[index]
            let clocks = [page.clock, recording.clock(atEndOf: index)]
            let isOver = from.map { from in clocks.allSatisfy { $0.utc(at: page.lastTime) < from } }
            let isToCome = to.map { to in clocks.allSatisfy { $0.utc(at: page.time) >= to } }
            return isOver != true && isToCome != true
        }
        self.pages = told.first.map { $0..<told[told.count - 1] + 1 } ?? 0..<0
    }

    /// Whether something at this time is in the part.
    func contains(_ utc: Duration) -> Bool {
        if let until, utc >= until { return false }
        return since.map { utc >= $0 } ?? true
    }
}

extension Recording {
    /// The gate's own clock, as it went while this was recorded; before and after that as it went
    /// at the beginning and at the end.
    var clock: LocalClock {
        let changes = pages.map { (since: $0.utc(at: $0.time), offset: $0.clock.local) }
        return LocalClock { utc in
            (changes.last { $0.since <= utc } ?? changes.first)?.offset ?? 0
        }
    }

    /// When it begins: UTC, since 1970.
    var start: Duration { pages.first.map { $0.utc(at: $0.time) } ?? .zero }

    /// When it ends: UTC, since 1970.
    var end: Duration { pages.isEmpty ? .zero : end(of: pages.count - 1) }

    private func end(of page: Int) -> Duration {
        clock(atEndOf: page).utc(at: pages[page].lastTime)
    }

    func absence(of part: TracePart) -> String {
        let what =
            if isDamaged(in: part) {
                "nothing of that time can be read"
            } else {
                part.pages.isEmpty ? "nothing was recorded then" : "nothing happened then"
            }
        return "\(what): \(extent)"
    }

    /// Whether a part may have lost steps after those that can be read.
    private func isDamaged(in part: TracePart) -> Bool {
        let last = part.pages.last ?? pages.count - 1
        let isBefore = part.until.map { $0 <= end(of: last) } ?? false
        let endings = part.pages.isEmpty ? endings : endings(of: part.pages)
        return !isBefore && !endings.isEmpty
    }

    var extent: String {
        guard let first = pages.first else { return "nothing is recorded" }
        let clock = clock
        return "it covers \(clock.text(of: first.utc(at: first.time))) to "
            + "\(clock.text(of: end)), by the gate's clock"
    }
}

/// A time in a recording, by the gate's clock: of the last day of it, unless it says which.
struct TraceTime {
    private let written: WrittenTime
    private let fraction: Duration

    /// The time that a text says: as all times of the past, with parts of a second where it has
    /// seconds.
    static func read(_ text: String) throws -> TraceTime {
        guard let point = text.lastIndex(of: "."), text[..<point].contains(":") else {
            return TraceTime(written: try .read(text), fraction: .zero)
        }
        let rest = text[text.index(after: point)...]
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard (1...6).contains(digits.count) else {
            throw ValidationError("'\(text)': parts of a second have one to six digits")
        }
        let microseconds = (digits.count..<6).reduce(Int64(digits) ?? 0) { number, _ in
            number * 10
        }
        let whole = text[..<point] + rest.dropFirst(digits.count)
        return TraceTime(
            written: try .read(String(whole)), fraction: .microseconds(microseconds))
    }

    /// Since 1970, UTC.
    func time(in recording: Recording) throws -> Duration {
        try time(before: recording.end, from: recording.start, recording.clock)
    }

    /// The range of time that is meant. A time of day that is still to come is the day before's,
    /// unless that would put the end before the beginning.
    static func range(
        _ since: TraceTime?, _ until: TraceTime?, before end: Duration, from start: Duration?,
        _ clock: LocalClock
    ) throws -> (from: Duration?, to: Duration?) {
        let from = try since?.time(before: end, from: start, clock)
        var to = try until?.time(before: end, from: start, clock)
        if let from, let until, let earliest = to, earliest <= from {
            to = try until.written.time(now: end, clock) + until.fraction
        }
        if let from, let to, from >= to { throw WrittenTime.exchanged(from, to, clock) }
        return (from, to)
    }

    /// The time in question, on the day of `end` at the latest. A time of day that is still to come
    /// is the day before's, unless that is before `start`.
    func time(
        before end: Duration, from start: Duration?, _ clock: LocalClock
    ) throws -> Duration {
        let time = try written.time(now: end, clock)
        if case .today(_, before: 0) = written, time > end + .seconds(1) {
            let dayBefore = try written.dayBefore.time(now: end, clock) + fraction
            if start.map({ dayBefore >= $0 }) ?? true { return dayBefore }
        }
        return time + fraction
    }
}
