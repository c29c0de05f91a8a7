import Controller
import StateMachines
import Turnstile

/// Writes a part of a recording as a trace of its own.
public struct TraceCutting {
    /// How long a frame becomes before another one follows.
    private static let frameLength = 65_536

    private let recording: Recording
    private let settings: (String) -> String
    private var bytes = TraceFormat.firstLine
    private var writer: PageWriter?
    private var page = -1
    /// Who has recorded the last page.
    private var header: TraceHeader?
    /// Whether the step before was written.
    private var isGoingOn = false
    /// The machine before the next step, where that is known.
    private var machine: Turnstile?
    /// Those of the shell, likewise.
    private var shell: ShellMachines?

    /// The trace of what is wanted of these pages; nil where nothing is.
    ///
    /// - Parameters:
    ///   - decidesAnew: Whether it tells what the gate makes of the events here, in place of what
    ///     was recorded.
    ///   - settings: What is written of the settings that were in force, in place of their text.
    ///   - isWanted: Whether what happens at a time on the wall, UTC, since 1970, is part of it.
    public static func bytes(
        of recording: Recording, pages: Range<Int>, decidesAnew: Bool = false,
        settings: @escaping (String) -> String = { $0 }, isWanted: @escaping (Duration) -> Bool
    ) -> [UInt8]? {
        var cutting = TraceCutting(recording: recording, settings: settings)
        let result = Replay.run(recording, pages: pages) { step in
            let isWanted = isWanted(step.utc)
            if isWanted { cutting.write(decidesAnew ? step.decidedAnew : step) }
            cutting.isGoingOn = isWanted
            cutting.follow(step)
            return true
        }
        if cutting.isGoingOn { cutting.write(result.rest.prefix(result.countInPage)) }
        return cutting.page < 0 ? nil : cutting.bytes
    }

    private init(recording: Recording, settings: @escaping (String) -> String) {
        self.recording = recording
        self.settings = settings
    }

    /// Takes the machines to where they are after `step`.
    private mutating func follow(_ step: RecordedStep) {
        if step.place.ordinal == 0 {
            let page = recording.pages[step.place.page]
            let state = try? recording.read(page, readsShell: false).state
            shell = state.flatMap { try? ShellMachines($0.shell) }
        }
        for case .shell(let event, _) in step.before.dropFirst(step.countBeforePage) {
            _ = shell?.handle(event)
        }
        machine = step.replayed?.turnstile
        if let machine { shell?.follow(machine) }
    }

    private mutating func write(_ step: RecordedStep) {
        var before = step.before[...]
        if step.place.page != page {
            // What stands behind the last step of a page is part of that.
            let rest = before.prefix(step.countBeforePage)
            if isGoingOn { write(rest) }
            before = before.dropFirst(rest.count)
            begin(step)
        }
        write(
            before + [.event(step.event, step.recorded.verdict)]
                + step.recorded.commands.map { .command($0) }
                + step.recorded.records.map { .record($0) })
    }

    /// Writes items into frames, none of which is long.
    private mutating func write(_ items: ArraySlice<TraceItem>) {
        guard !items.isEmpty, var writer = writer.take() else { return }
        writer.beginFrame()
        for item in items {
            if writer.frameSize >= Self.frameLength {
                bytes += Frame.bytes(.steps, writer.content)
                writer.beginFrame()
            }
            writer.append(item)
        }
        bytes += Frame.bytes(.steps, writer.content)
        self.writer = writer
    }

    /// Begins a page before a step: with what is recorded there, where it is the first of its page,
    /// else with the state that the replay has come to.
    private mutating func begin(_ step: RecordedStep) {
        let isFirst = page < 0
        page = step.place.page
        let recorded = recording.pages[page]
        guard var state = try? recording.read(recorded, readsShell: false).state else { return }
        if step.place.ordinal > 0 {
            state.time = step.event.time
            // A machine that is not known any more is one of no version.
            let known = step.replayed == nil ? nil : machine
            if known == nil { state.version = 0 }
            state.machine = known?.fields ?? Fields()
            state.shell = shell?.fields ?? Fields()
        }
        if recorded.header != header { write(recorded.header) }
        if step.place.ordinal == 0, let beginning = recorded.beginning {
            bytes += Frame.bytes(.beginning, beginning.fields)
        }
        var writer = PageWriter()
        bytes += Frame.bytes(.state, writer.state(state))
        self.writer = writer
        // In one file it is the steps that tell of a gap.
        if !isFirst, !isGoingOn || recorded.followsGap { write([.lost(0)]) }
    }

    private mutating func write(_ recorded: TraceHeader) {
        header = recorded
        var told = recorded
        told.settings = settings(recorded.settings)
        // The names are this version's, whichever they were written in.
        told.vocabulary = Vocabulary.version
        bytes += Frame.bytes(.header, told.fields)
    }
}
