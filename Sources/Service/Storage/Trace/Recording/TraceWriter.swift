import Controller
import StateMachines
import System
import Turnstile

/// Writes steps to the files of a ring, page by page.
struct TraceWriter {
    /// The length of a page: what a replay has to go through to reach a moment.
    private static let pageLength: Duration = .seconds(600)
    private static let entriesAtMost = 4096
    static let retryPause: Duration = .seconds(10)

    private var ring: TraceRing
    /// Used from the next page on.
    private var header: TraceHeader
    private var isHeaderWritten = false
    /// The wall clock's offset at the loop's last reading.
    var clock: ClockOffset
    private let stateVersion: Int
    /// The present page; nil for none.
    private var page: PageWriter?
    private var pageStart = Instant.zero
    private var pageClock: ClockOffset
    private var time = Instant.zero
    private var wasClockSet = false
    /// The largest size of a page's beginning, in bytes.
    private var longestBeginning = 0
    private var lost = 0
    /// The failure since the last successful write.
    private(set) var failure: String?

    init(
        in folder: any TraceFolder, _ limits: TraceLimits, _ header: TraceHeader,
        stateVersion: Int = Turnstile.snapshotVersion,
        clock: ClockOffset
    ) {
        ring = TraceRing(in: folder, limits)
        self.header = header
        (self.clock, pageClock) = (clock, clock)
        self.stateVersion = stateVersion
    }

    /// Whether a new page should begin, which needs the state.
    var wantsState: Bool {
        guard let page else { return true }
        return time - pageStart >= Self.pageLength || page.entryCount >= Self.entriesAtMost
            || !isHeaderWritten || wasClockSet || ring.isPartFull
    }

    mutating func adopt(settings: String) {
        header.settings = settings
        isHeaderWritten = false
    }

    /// Counts steps lost after the written ones: the next page begins with the count.
    mutating func countLost(_ count: Int) {
        lost += count
        page = nil
    }

    /// Writes `steps`. After a failure they are lost, and the next page begins with the next
    /// success.
    mutating func write(_ steps: [TraceStep]) {
        var rest = steps[...]
        while !rest.isEmpty {
            let next = rest.firstIndex { $0.isState } ?? rest.endIndex
            write(rest[..<next])
            rest = rest[next...]
            guard case .state(let turnstile, let shell, let time) = rest.popFirst() else {
                continue
            }
            attempt { (writer) throws(SystemError) in
                let state = PageState(
                    time: time, clock: writer.clock, version: writer.stateVersion,
                    machine: turnstile.fields, shell: shell.fields)
                try writer.begin(state, turnstile.beginning)
            }
        }
    }

    mutating func finish() {
        attempt { (writer) throws(SystemError) in try writer.ring.finish() }
    }

    private mutating func write(_ steps: ArraySlice<TraceStep>) {
        guard !steps.isEmpty else { return }
        // Counts as lost until the write succeeds.
        let missing = lost
        lost += steps.count
        if ring.isGone { page = nil }
        guard page != nil else { return }
        for case .event(let event, _) in steps {
            time = event.time
            if isClockChange(event.kind) { wasClockSet = true }
        }
        attempt { (writer) throws(SystemError) in
            guard var page = writer.page.take() else { return }
            page.beginFrame()
            if missing > 0 { page.append(.lost(missing)) }
            for step in steps { if let item = TraceItem(step) { page.append(item) } }
            try writer.ring.append(Frame.bytes(.steps, page.content), until: writer.time)
            (writer.page, writer.lost) = (page, 0)
        }
    }

    /// Whether the wall clock or its offset from UTC changed since the page began.
    private func isClockChange(_ event: Event.Kind) -> Bool {
        switch event {
        case .clockStepped: true
        case .clockRead(let read):
            // Weeks begin on Monday, which is four days after 1 January 1970.
            WeekTime(
                second: Int(pageClock.utc(at: time).components.seconds) + pageClock.local
                    - 4 * 86_400
            ).differs(from: read)
        case _: false
        }
    }

    private mutating func begin(
        _ state: PageState, _ beginning: Beginning?
    ) throws(SystemError) {
        time = state.time
        let isNewFile = !ring.isOpen || ring.isPartFull
        if isNewFile { isHeaderWritten = false }
        var bytes: [UInt8] = []
        if !isHeaderWritten { bytes += Frame.bytes(.header, header.fields) }
        if let beginning { bytes += Frame.bytes(.beginning, beginning.fields) }
        var page = PageWriter()
        bytes += Frame.bytes(.state, page.state(state))
        if lost > 0 {
            // At once: the next step may be far off.
            page.beginFrame()
            page.append(.lost(lost))
            bytes += Frame.bytes(.steps, page.content)
        }
        longestBeginning = max(longestBeginning, bytes.count)
        if isNewFile { try ring.begin(at: time) }
        try ring.append(bytes, until: time)
        (isHeaderWritten, lost) = (true, 0)
        (self.page, pageStart, pageClock, wasClockSet) = (page, time, state.clock, false)
        failure = nil
    }

    private mutating func attempt(_ body: (inout TraceWriter) throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body(&self)
        } catch {
            // Without the file's name, which varies.
            failure = SystemError(call: error.call, errno: error.errno).description
            page = nil
            ring.abandon(forWantOf: error.meansFullDisk ? 2 * longestBeginning : nil)
        }
    }
}

extension WeekTime {
    fileprivate func differs(from other: WeekTime) -> Bool {
        min(seconds(since: other), other.seconds(since: self)) > 60
    }
}
