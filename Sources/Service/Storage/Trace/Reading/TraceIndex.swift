import StateMachines
import System
import Turnstile

/// The pages of a file, and the end of its readable part.
struct TraceIndex {
    /// A page: a state, and the steps after it.
    struct Page {
        var header: TraceHeader
        /// The gate's ``Turnstile/Beginning``, if the page begins before its start: one at most. It
        /// is large, and kept apart, since a file may have very many pages without one.
        var beginnings: [Beginning]
        var time: Instant
        var clock: ClockOffset
        var state: Range<Int>
        var steps: [Range<Int>] = []
        /// The time of the last step.
        var lastTime: Instant

        /// Nil if the gate has started when the page begins.
        var beginning: Beginning? { beginnings.first }
    }

    private(set) var pages: [Page] = []
    /// Where and why reading stopped; nil if all was read.
    private(set) var flaw: (offset: Int, flaw: TraceFlaw)?

    /// The length of the header that identifies a trace.
    static let headLength = 32
    /// A bound: a month has 4,464 pages that begin by the clock.
    private static let mostPages = 100_000

    /// Whether these bytes begin, or may begin, a trace of some version.
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
                    // The frame is complete, so this is damage, not a cut.
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

    /// Parses a frame of fields with its own table of texts.
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

    /// Returns where the first frame begins; throws for another first line.
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
