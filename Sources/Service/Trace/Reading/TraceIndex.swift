import StateMachines
import System
import Turnstile

/// Where the pages of a file are, and where what can be read of it ends.
struct TraceIndex {
    /// A page: a state, and the steps after it.
    struct Page {
        var header: TraceHeader
        /// What the gate was made of, where it has not started when the page begins: one at most.
        /// It is large, and stands apart, since a file may have very many pages without any.
        var beginnings: [Beginning]
        var time: Instant
        var clock: ClockOffset
        var state: Range<Int>
        var steps: [Range<Int>] = []
        /// When the last of them happened.
        var lastTime: Instant

        /// What the gate was made of; nil where it has started when the page begins.
        var beginning: Beginning? { beginnings.first }
    }

    private(set) var pages: [Page] = []
    /// Where the file can be read no further, and why; nil where all of it was read.
    private(set) var flaw: (offset: Int, flaw: TraceFlaw)?

    /// How many bytes tell whether a file is a trace.
    static let headLength = 32
    /// No file has more pages: a month has 4,464 that begin by the clock.
    private static let mostPages = 100_000

    /// Whether these bytes, or those that would follow them, are a trace of some version.
    static func beginsAsTrace(_ head: [UInt8]) -> Bool {
        let heading = Array(TraceFormat.heading.utf8)
        return head.starts(with: heading.prefix(head.count))
    }

    init(_ bytes: [UInt8]) {
        var offset = 0
        do throws(TraceFlaw) {
            offset = try Self.checkFirstLine(bytes)
            var (header, beginnings): (TraceHeader?, [Beginning]) = (nil, [])
            while offset < bytes.count {
                let frame = try Frame(in: bytes, at: offset)
                do throws(TraceFlaw) {
                    try take(frame, of: bytes, &header, &beginnings)
                } catch {
                    // The frame is whole: nothing has cut it off.
                    throw error == .cutShort ? .malformed("a frame that is too short") : error
                }
                offset = frame.range.upperBound
            }
        } catch {
            flaw = (offset, error)
        }
    }

    private mutating func take(
        _ frame: Frame, of bytes: [UInt8], _ header: inout TraceHeader?,
        _ beginnings: inout [Beginning]
    ) throws(TraceFlaw) {
        var reader = ByteReader(bytes, in: frame.content)
        switch frame.kind {
        case .header: header = try Self.read(&reader)
        case .beginning: beginnings = [try Self.read(&reader)]
        case .state:
            guard let header else { throw .malformed("a state before any header") }
            guard pages.count < Self.mostPages else { throw .malformed("too many pages") }
            let time = try reader.pageTime()
            pages.append(
                Page(
                    header: header, beginnings: beginnings, time: time,
                    clock: try reader.clockOffset(), state: frame.content, lastTime: time))
            beginnings = []
        case .steps:
            guard let last = pages.indices.last else { throw .malformed("steps before a state") }
            let distance = try reader.signed() &+ (try reader.signed())
            let time = Instant(nanoseconds: pages[last].time.nanoseconds &+ distance)
            pages[last].lastTime = max(pages[last].lastTime, time)
            pages[last].steps.append(frame.content)
        case nil: break
        }
    }

    /// The value that fields with a table of their own stand for.
    private static func read<Value: Composite>(
        _ reader: inout ByteReader
    ) throws(TraceFlaw) -> Value {
        var texts = TextList()
        let fields = try reader.fields(&texts)
        do throws(FieldError) {
            return try Value(fields)
        } catch {
            throw .malformed(error.description)
        }
    }

    /// Throws where the first line is another one; else where the first frame begins.
    private static func checkFirstLine(_ bytes: [UInt8]) throws(TraceFlaw) -> Int {
        if bytes.starts(with: TraceFormat.firstLine) { return TraceFormat.firstLine.count }
        let heading = Array(TraceFormat.heading.utf8)
        if TraceFormat.firstLine.starts(with: bytes) { throw .cutShort }
        guard bytes.starts(with: heading) else { throw .foreign }
        let rest = bytes.dropFirst(heading.count)
        guard let end = rest.prefix(16).firstIndex(of: UInt8(ascii: "\n")) else { throw .foreign }
        throw .version(String(decoding: rest[..<end], as: UTF8.self))
    }
}
