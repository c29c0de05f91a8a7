import Keeping
import Turnstile

/// What a trace looks like as bytes: docs/trace-format.md has all of it.
///
/// A file is a line of text and then frames, each with its length and a checksum: whatever cuts the
/// file short, what comes before is read, and what is of no known kind is passed over.
public enum TraceFormat {
    /// Raised where a reader of the version before could not make sense of a file.
    public static let version = "1"
    static let heading = "turnstiled-trace "
    static let firstLine = Array("\(heading)\(version)\n".utf8)
    package static let fileExtension = "trace"
    /// No frame is longer: a length that is greater is damage.
    static let longestFrame = 8 * 1024 * 1024
    /// Nothing is recorded of so long a time without a break, since a ring keeps a month: a time
    /// that is farther away is none, and a machine would go through all the days until then.
    static let longestTime: Duration = .seconds(400 * 24 * 3_600)
}

/// A part of a file.
struct Frame {
    /// What it holds.
    enum Kind: UInt8 {
        /// ``TraceHeader``: what was recorded, and by whom. A state follows.
        case header = 0x48
        /// ``Turnstile/Beginning``: what the gate was made of, before the state of one that has not
        /// started.
        case beginning = 0x42
        /// The state of all that decides. A page begins, which needs nothing of those before it.
        case state = 0x53
        case steps = 0x50
    }

    /// What it holds; nil for what is unknown here, and passed over.
    var kind: Kind?
    var content: Range<Int>
    /// Where it begins, and where the next one does.
    var range: Range<Int>
}

extension Frame {
    private static let checksumLength = 4

    /// A frame as it is written: kind, length, content, checksum of all of these.
    static func bytes(_ kind: Kind, _ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(kind.rawValue)
        writer.append(varint: content.count)
        writer.append(content)
        let checksum = CRC32.checksum(of: writer.bytes)
        for shift in stride(from: 0, to: 32, by: 8) {
            writer.append(UInt8(truncatingIfNeeded: checksum >> shift))
        }
        return writer.bytes
    }

    /// A frame whose content are fields, with a table of texts of their own.
    static func bytes(_ kind: Kind, _ fields: Fields) -> [UInt8] {
        var (writer, texts) = (ByteWriter(), TextTable())
        writer.append(fields, &texts)
        return bytes(kind, writer.bytes)
    }

    /// How many bytes a frame's kind and its length take at most.
    static let longestHead = 11

    /// How long the frame at `index` is, of which no more than the head need be there.
    static func length(in bytes: [UInt8], at index: Int) throws(TraceFlaw) -> Int {
        var reader = ByteReader(bytes, in: min(index, bytes.count)..<bytes.count)
        _ = try reader.byte()
        let length = try reader.frameLength()
        return reader.index - index + length + checksumLength
    }

    /// The frame that begins at `index`; its checksum is looked at where `isChecked`.
    init(in bytes: [UInt8], at index: Int, isChecked: Bool = true) throws(TraceFlaw) {
        var reader = ByteReader(bytes, in: index..<bytes.count)
        kind = Kind(rawValue: try reader.byte())
        let length = try reader.frameLength()
        content = reader.index..<reader.index + length
        range = index..<content.upperBound + Self.checksumLength
        guard range.upperBound <= bytes.count else { throw .cutShort }
        guard isChecked else { return }
        let written = (0..<Self.checksumLength).reduce(UInt32(0)) { sum, offset in
            sum | UInt32(bytes[content.upperBound + offset]) << UInt32(8 * offset)
        }
        guard CRC32.checksum(of: bytes[index..<content.upperBound]) == written else {
            throw .checksum
        }
    }
}

extension ByteReader {
    fileprivate mutating func frameLength() throws(TraceFlaw) -> Int {
        let length = try varint()
        guard length <= UInt64(TraceFormat.longestFrame) else {
            throw .malformed("a part that is too long")
        }
        return Int(length)
    }
}
