/// One change of a line, with the kernel's own timestamp.
public struct LineChange: Sendable {
    /// Who changed a line.
    public enum Cause: String, Sendable {
        /// The test drove an input.
        case pull
        /// A program on the board drove an output.
        case set
    }

    /// When, on the clock that the recording was started with.
    public var time: Duration
    /// Who.
    public var cause: Cause
    /// Which line.
    public var line: BoardLine
    /// What it carries from now on.
    public var level: Level
}

/// What the changes of a recording are stamped with.
public enum WaveformClock: String, Sendable {
    /// The board's monotonic clock, in microseconds: that of the journal.
    case monotonic = "mono"
    /// The processor's counter, to which the emulator adds 1 each nanosecond.
    case processor = "x86-tsc"
}

extension [LineChange] {
    /// How long each pulse was that a program gave on a line, of those that began and ended.
    public func pulses(of line: BoardLine) -> [Duration] {
        var rise: Duration?
        return filter { $0.cause == .set && $0.line == line }.compactMap { change in
            switch (change.level, rise) {
            case (.high, nil):
                rise = change.time
                return nil
            case (.low, let began?):
                rise = nil
                return change.time - began
            case (.high, _?), (.low, nil): return nil
            }
        }
    }

    /// What the outputs carried, one picture after the other, of those that lasted for `shortest`;
    /// before the first change they carried `energised`.
    public func pictures(
        from energised: Set<BoardLine>, lasting shortest: Duration
    ) -> [Set<BoardLine>] {
        var pictures: [Set<BoardLine>] = []
        var picture = energised
        var since: Duration?
        for change in self where change.cause == .set {
            var next = picture
            if change.level == .high { next.insert(change.line) } else { next.remove(change.line) }
            guard next != picture else { continue }
            let hasLasted = since.map { change.time - $0 >= shortest } ?? true
            if hasLasted && picture != pictures.last { pictures.append(picture) }
            (picture, since) = (next, change.time)
        }
        return picture == pictures.last ? pictures : pictures + [picture]
    }
}

extension Board {
    /// Begins to record every change of a line through the kernel's trace points.
    public nonisolated(nonsending) func startWaveform(
        by clock: WaveformClock = .monotonic
    ) async throws {
        try await check(
            """
            t=/sys/kernel/tracing; mountpoint -q $t || mount -t tracefs tracefs $t; cd $t
            echo 4096 >buffer_size_kb; echo \(clock.rawValue) >trace_clock
            echo 'get == 0' >events/gpio/gpio_value/filter
            echo 1 >events/gpio/gpio_value/enable; echo >trace; echo 1 >tracing_on
            """)
        _ = try await call("TRACE", ["1"])
    }

    /// Ends the recording and returns it, oldest change first.
    public nonisolated(nonsending) func stopWaveform() async throws -> [LineChange] {
        try await stopTrace().compactMap(\.change)
    }

    /// Ends the recording, of lines and disk, and returns it, oldest first.
    public nonisolated(nonsending) func stopTrace() async throws -> [TracePoint] {
        _ = try await call("TRACE", ["0"])
        let base = try await check(
            """
            cd /sys/kernel/tracing; echo 0 >events/enable; echo 0 >tracing_on
            cat /sys/class/gpio/gpiochip*/base | head -n1
            """)
        let chip = Int(base.prefix { $0.isNumber }) ?? 0
        let trace = String(decoding: try await get("/sys/kernel/tracing/trace"), as: UTF8.self)
        return trace.split(separator: "\n").compactMap { TracePoint($0, chip: chip) }
    }
}
