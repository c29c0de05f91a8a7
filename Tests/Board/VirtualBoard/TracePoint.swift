public import CrashImages

/// What the board's kernel has traced, in the order in which it happened.
public struct TracePoint: Sendable {
    /// What has happened.
    public enum Event: Sendable {
        /// A line has changed.
        case line(LineChange)
        /// The state disk was asked for something, or has done it.
        case disk(Witness.Observation)
    }

    /// When, on the clock that the recording was started with.
    public var time: Duration
    /// What.
    public var event: Event

    /// The change of a line, where it is one.
    public var change: LineChange? {
        if case .line(let change) = event { change } else { nil }
    }
}

extension TracePoint {
    /// Reads one line of the kernel's trace, such as
    ///
    ///     12.345678: gpio_value: 520 set 1
    ///     12.345678: tracing_mark_write: pull 0 1
    ///     12.345678: block_rq_complete: 254,16 WS () 2064 + 8 [0]
    ///
    /// Nil where it tells of neither; `chip` is the number of the chip's first line.
    init?(_ text: Substring, chip: Int) {
        guard let match = text.firstMatch(of: /\ ([\d.]+): (gpio_value|tracing_mark|block_rq)/),
            let time = Duration(traced: match.1)
        else { return nil }
        self.time = time
        if match.2 == "block_rq" {
            guard let observation = Witness.Observation(text) else { return nil }
            event = .disk(observation)
        } else {
            guard let change = LineChange(text, at: time, chip: chip) else { return nil }
            event = .line(change)
        }
    }
}

extension Witness.Observation {
    fileprivate init?(_ text: Substring) {
        let point =
            /block_rq_(issue|complete): \d+,\d+ (\w+) (?:\d+ )?\(.*\) (\d+) \+ (\d+)/
        guard let match = text.firstMatch(of: point), let count = Int(match.4) else { return nil }
        switch (match.2.first, match.1, count) {
        case ("F", "issue", 0): self = .flushBegan
        case ("F", _, 0): self = .flushEnded
        case ("W", "complete", 1...):
            guard let first = Int(match.3) else { return nil }
            self = .written(first..<(first + count))
        default: return nil
        }
    }
}

extension LineChange {
    fileprivate init?(_ text: Substring, at time: Duration, chip: Int) {
        let cause: LineChange.Cause = text.contains("gpio_value") ? .set : .pull
        let set = /gpio_value: (\d+) set (\d)/
        let pull = /tracing_mark_write: pull (\d+) (\d)/
        guard let match = text.firstMatch(of: cause == .set ? set : pull),
            let number = Int(match.1), let value = Int(match.2),
            let line = BoardLine(rawValue: cause == .set ? number - chip : number),
            let level = Level(rawValue: value)
        else { return nil }
        self.init(time: time, cause: cause, line: line, level: level)
    }
}

extension Duration {
    /// Seconds and microseconds of a clock, or what a counter shows, which has no point.
    fileprivate init?(traced text: Substring) {
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        switch numbers.count {
        case 1: self = .nanoseconds(numbers[0])
        case 2: self = .seconds(numbers[0]) + .microseconds(numbers[1])
        default: return nil
        }
    }
}

extension Board {
    /// Begins to record what is asked of the state disk as well, after ``startWaveform(by:)``.
    public nonisolated(nonsending) func startDiskTrace() async throws {
        try await check(
            """
            sync --file-system /var/lib/turnstiled
            cd /sys/kernel/tracing/events/block
            IFS=: read -r major minor </sys/block/vdb/dev
            for point in block_rq_issue block_rq_complete; do
                echo "dev == $(((major << 20) + minor))" >$point/filter
                echo 1 >$point/enable
            done
            """)
        try await markDisk()
    }

    /// Leaves a mark on the state disk, beyond its file system, by which the trace and the log of
    /// its writes are laid side by side.
    public nonisolated(nonsending) func markDisk() async throws {
        try await check(
            "dd if=/dev/zero of=/dev/vdb bs=4096 seek=8191 count=1 oflag=direct status=none")
    }

    /// Where a mark is.
    public static let diskMark = 8191 * 8..<8192 * 8
}
