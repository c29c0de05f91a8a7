import Controller
internal import Glibc
public import StateMachines
public import System
public import Turnstile

/// The readable part of a file, or of the files of a ring, in order.
public struct Recording: Sendable {
    /// A page: a state, and the steps since. It needs no earlier page.
    public struct Page: Sendable {
        package var header: TraceHeader { index.header }
        /// Nil if the gate has started when the page begins.
        public var beginning: Beginning? { index.beginning }
        package var time: Instant { index.time }
        /// The time of its last step.
        public var lastTime: Instant { index.lastTime }
        package var clock: ClockOffset { index.clock }
        /// Whether recorded steps before it are missing: a file is gone or damaged.
        let followsGap: Bool
        let file: Int
        let index: TraceIndex.Page

        package func isOfSameStart(as other: Page) -> Bool {
            header.isOfSameStart(as: other.header)
        }

        /// Whether a machine from the page `other` can continue here: both are of the same start,
        /// and at most ``TraceFormat/longestTime`` apart.
        func goesOn(from other: Page) -> Bool {
            isOfSameStart(as: other) && time - other.time < TraceFormat.longestTime
        }

        /// The wall time at this moment of the page: UTC, since 1970.
        public func utc(at time: Instant) -> Duration { clock.utc(at: time) }
    }

    /// Where and why a file cannot be read on.
    public struct Ending: Hashable, Sendable {
        package var path: String
        package var offset: Int
        var flaw: TraceFlaw

        /// Half a sentence: `it is cut short`.
        package var reason: String { flaw.description }
        package var isCutShort: Bool { flaw == .cutShort }
    }

    /// In order of recording.
    public private(set) var pages: [Page] = []
    /// The unreadable parts.
    public private(set) var endings: [Ending] = []
    private var files: [(path: String, bytes: [UInt8])] = []
    /// Why the last file could not be read to its end, and whether one is missing or without pages
    /// since the last with one.
    private var lastFlaw: TraceFlaw?
    private var isGone = false

    /// Whether steps after the last page are missing. A page that is being written, or was cut off,
    /// does not count.
    var endsInGap: Bool { isGone || lastFlaw != nil && lastFlaw != .cutShort }

    public var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

    init() {}

    /// Reads the file at `path`, or the files of the ring there. Throws if no page can be read. A
    /// file that the ring removes meanwhile is left out.
    public init(path: String) throws(RecordingError) {
        do throws(SystemError) {
            let folder = SystemTraceFolder(path: path)
            let file = try File(path: path, for: .reading, followsLinks: true)
            if file.isRegular {
                guard file.size <= Self.largest else {
                    throw SystemError(call: "read", subject: path, errno: EFBIG)
                }
                // Only a trace is read as a whole.
                let isTrace = TraceIndex.beginsAsTrace(try file.read(TraceIndex.headLength))
                add(try file.read(isTrace ? file.size : TraceIndex.headLength), from: path)
            } else {
                try add(folder)
            }
        } catch {
            throw error.call == "opendir" && error.errno == ENOTDIR
                ? .special(path) : .unreadable(error)
        }
        if pages.isEmpty { throw .empty(path, reason: endings.first?.reason) }
    }

    private mutating func add(_ folder: SystemTraceFolder) throws(SystemError) {
        var next: UInt64?
        for number in try folder.numbers() {
            try add(number, of: folder, followsGap: number != next)
            next = number + 1
        }
    }

    /// The largest trace or ring, in bytes.
    private static let largest = 1_200_000_000

    /// Adds a file of a ring, which may be removed meanwhile.
    private mutating func add(
        _ number: UInt64, of folder: SystemTraceFolder, followsGap: Bool
    ) throws(SystemError) {
        do throws(SystemError) {
            guard try folder.size(number) <= Self.largest - size else {
                throw SystemError(call: "read", subject: folder.file(number), errno: EFBIG)
            }
            add(try folder.read(number), from: folder.file(number), followsGap: followsGap)
        } catch {
            isGone = true
            guard !error.meansAbsence else { return }
            if error.isDenial { throw error }
            endings.append(
                Ending(
                    path: folder.file(number), offset: 0, flaw: .unreadable(error.description)))
        }
    }

    /// Adds the bytes of the next file. The incomplete end of a ring's last file, which may be in
    /// the writing, becomes its ending.
    mutating func add(_ bytes: [UInt8], from path: String, followsGap: Bool = false) {
        let index = TraceIndex(bytes)
        let isSameStart = index.pages.first.map { page in
            pages.last.map { page.header.isOfSameStart(as: $0.header) } ?? false
        }
        // An interrupted start is no gap before the next one: see ``Replay/Result``.
        let wasInterrupted = lastFlaw != nil && (lastFlaw != .cutShort || isSameStart ?? false)
        var isAfterGap = followsGap || isGone || wasInterrupted
        for page in index.pages {
            pages.append(Page(followsGap: isAfterGap, file: files.count, index: page))
            isAfterGap = false
        }
        lastFlaw = index.flaw?.flaw ?? (index.pages.isEmpty ? lastFlaw : nil)
        isGone = isAfterGap
        files.append((path, bytes))
        if let (offset, flaw) = index.flaw {
            endings.append(Ending(path: path, offset: offset, flaw: flaw))
        }
    }

    /// The gate at the beginning of a page; nil if its state is unknown here.
    public func turnstile(at page: Page) -> Turnstile? {
        let state = try? read(page, readsShell: false).state
        return state?.turnstile ?? page.beginning.map { Turnstile($0) }
    }

    /// The wall clock's offset at the end of a page: it may have been set meanwhile. The next page
    /// begins then, so that most need not be read for this.
    public func clock(atEndOf index: Int) -> ClockOffset {
        let (page, next) = (pages[index], pages.dropFirst(index + 1).first)
        if let next, next.isOfSameStart(as: page), !next.followsGap,
            (Duration.seconds(-1)...(.seconds(1))).contains(next.clock.utc - page.clock.utc)
        {
            return page.clock
        }
        var clock = page.clock
        do throws(TraceFlaw) {
            var reader = try read(page, readsShell: false)
            for steps in page.index.steps {
                try turn(&reader, to: steps, of: page)
                while let item = try reader.next() {
                    if case .event(let event, _) = item { clock = clock.following(event.kind) }
                }
            }
        } catch {}
        return clock
    }

    /// The energised outputs at the beginning of a page; none if unknown.
    public func energised(at page: Page) -> OutputSet {
        let state = try? read(page, readsShell: false).state
        return state.flatMap { try? ShellMachines($0.shell) }?.energised ?? []
    }

    /// Whether a file's name is one of a ring's.
    public static func isRingFile(_ name: String) -> Bool {
        SystemTraceFolder.number(name) != nil
    }

    /// The unreadable parts of these pages' files.
    public func endings(of pages: Range<Int>) -> [Ending] {
        let paths = Set(self.pages[pages].map(path))
        return endings.filter { paths.contains($0.path) }
    }

    func path(of page: Page) -> String { files[page.file].path }

    /// Reads a page, with the shell's machines if wanted.
    func read(_ page: Page, readsShell: Bool) throws(TraceFlaw) -> PageReader {
        try PageReader(
            stateIn: files[page.file].bytes, page.index.state, vocabulary: page.header.vocabulary,
            readsShell: readsShell)
    }

    func turn(_ reader: inout PageReader, to steps: Range<Int>, of page: Page) throws(TraceFlaw) {
        try reader.turn(to: files[page.file].bytes, steps)
    }
}

/// Why there is no recording.
public enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(SystemError)
    /// Neither a file nor a folder.
    case special(String)
    /// No page can be shown.
    case empty(String, reason: String?)

    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .special(let path): "\(path): it is neither a file nor a folder: copy it into a file"
        case .empty(let path, let reason?): "\(path): \(reason)"
        case .empty(let path, nil):
            File.exists("\(path)/trace")
                ? "\(path): nothing is recorded there: name \(path)/trace"
                : "\(path): nothing is recorded there"
        }
    }
}
