import Controller
internal import Glibc
public import StateMachines
public import System
public import Turnstile

/// A file, or the files of a ring one behind the other, as far as they can be read.
public struct Recording: Sendable {
    /// A page: the state at a moment, and what happened since. It needs nothing of those before it.
    public struct Page: Sendable {
        package var header: TraceHeader { index.header }
        /// What the gate was made of; nil where it has started when the page begins.
        public var beginning: Beginning? { index.beginning }
        package var time: Instant { index.time }
        /// When the last that it tells of happened.
        public var lastTime: Instant { index.lastTime }
        package var clock: ClockOffset { index.clock }
        /// Whether something is missing before it that was recorded: a file is gone or damaged.
        let followsGap: Bool
        let file: Int
        let index: TraceIndex.Page

        package func isOfSameStart(as other: Page) -> Bool {
            header.isOfSameStart(as: other.header)
        }

        /// Whether a machine that began with the page `other` can come to this one: it is of the
        /// same start, and not ``TraceFormat/longestTime`` away.
        func goesOn(from other: Page) -> Bool {
            isOfSameStart(as: other) && time - other.time < TraceFormat.longestTime
        }

        /// The time on the wall, UTC, since 1970, at this moment of the page.
        public func utc(at time: Instant) -> Duration { clock.utc(at: time) }
    }

    /// Where a file can be read no further.
    public struct Ending: Hashable, Sendable {
        package var path: String
        package var offset: Int
        package var flaw: TraceFlaw
    }

    /// The pages, in the order in which they were recorded.
    public private(set) var pages: [Page] = []
    /// What cannot be read; empty where all was.
    public private(set) var endings: [Ending] = []
    private var files: [(path: String, bytes: [UInt8])] = []
    /// Why the last of the files could not be read to its end, and whether one is missing, or has
    /// no page, since the last that has one.
    private var lastFlaw: TraceFlaw?
    private var isGone = false

    /// Whether something is missing behind the last page. One that is being written, or whose
    /// writing was cut off, has its end there.
    var endsInGap: Bool { isGone || lastFlaw != nil && lastFlaw != .cutShort }

    /// How many bytes it takes.
    public var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

    init() {}

    /// What was recorded in the file at `path`, or in the files of the ring there. Throws where no
    /// page can be read. A file that a ring gives up meanwhile is left out.
    public init(path: String) throws(RecordingError) {
        do throws(SystemError) {
            let folder = SystemTraceFolder(path: path)
            let file = try File(path: path, for: .reading, followsLinks: true)
            if file.isRegular {
                guard file.size <= Self.largest else {
                    throw SystemError(call: "read", subject: path, errno: EFBIG)
                }
                // What is no trace is not read as a whole.
                let isTrace = TraceIndex.beginsAsTrace(try file.read(TraceIndex.headLength))
                add(try file.read(isTrace ? file.size : TraceIndex.headLength), from: path)
            } else {
                try add(folder)
            }
        } catch {
            throw error.call == "opendir" && error.errno == ENOTDIR
                ? .special(path) : .unreadable(error)
        }
        if pages.isEmpty { throw .empty(path, endings.first?.flaw) }
    }

    private mutating func add(_ folder: SystemTraceFolder) throws(SystemError) {
        var next: UInt64?
        for number in try folder.numbers() {
            try add(number, of: folder, followsGap: number != next)
            next = number + 1
        }
    }

    /// No trace has more bytes, and no ring.
    private static let largest = 1_200_000_000

    /// Takes a file of a ring, which may be given up meanwhile.
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

    /// Takes the bytes of a file behind those that there are. A ring's last file may be in the
    /// writing: what of it is not whole yet is told as its ending.
    mutating func add(_ bytes: [UInt8], from path: String, followsGap: Bool = false) {
        let index = TraceIndex(bytes)
        let isSameStart = index.pages.first.map { page in
            pages.last.map { page.header.isOfSameStart(as: $0.header) } ?? false
        }
        // A start that ends in the middle is no gap before the next one: see ``Replay/Result``.
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

    /// The gate as it was when a page began; nil where that is not known here.
    public func turnstile(at page: Page) -> Turnstile? {
        let state = try? read(page, readsShell: false).state
        return state?.turnstile ?? page.beginning.map { Turnstile($0) }
    }

    /// What the clock on the wall was ahead when the page of this number ended: it may have been
    /// set meanwhile. The next page begins then, so that most need not be read for it.
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

    /// The outputs whose lines carried "energised" when a page began; none where that is not known.
    public func energised(at page: Page) -> OutputSet {
        let state = try? read(page, readsShell: false).state
        return state.flatMap { try? ShellMachines($0.shell) }?.energised ?? []
    }

    /// Whether a file of this name is taken for one of a ring's.
    public static func isRingFile(_ name: String) -> Bool {
        SystemTraceFolder.number(name) != nil
    }

    /// Where the files that these pages are in can be read no further.
    public func endings(of pages: Range<Int>) -> [Ending] {
        let paths = Set(self.pages[pages].map(path))
        return endings.filter { paths.contains($0.path) }
    }

    func path(of page: Page) -> String { files[page.file].path }

    /// Reads a page, what is of the shell's machines where that is wanted.
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
    /// It is neither: a pipe, or a device.
    case special(String)
    /// There is nothing in it that could be shown; why, where something is in the way.
    case empty(String, TraceFlaw?)

    /// One sentence.
    public var description: String {
        switch self {
        case .unreadable(let error): error.description
        case .special(let path): "\(path): it is neither a file nor a folder: copy it into a file"
        case .empty(let path, let flaw?): "\(path): \(flaw)"
        case .empty(let path, nil):
            File.exists("\(path)/trace")
                ? "\(path): nothing is recorded there: name \(path)/trace"
                : "\(path): nothing is recorded there"
        }
    }
}
