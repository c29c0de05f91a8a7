import Keeping
import Turnstile

/// The binary format of a trace: see docs/trace-format.md.
///
/// A file is a line of text and then frames, each with its length and a checksum. If a file is cut,
/// the frames before are read; frames of unknown kind are skipped.
public enum TraceFormat {
    /// Raised if an earlier reader could not read the file.
    public static let version = "1"
    static let heading = "turnstiled-trace "
    static let firstLine = Array("\(heading)\(version)\n".utf8)
    package static let fileExtension = "trace"
    /// The longest frame: a greater length is damage.
    static let longestFrame = 8 * 1024 * 1024
    /// The longest time of a recording without a break: a ring keeps a month. A time further away
    /// is rejected, since the schedule would be replayed day by day.
    static let longestTime: Duration = .seconds(400 * 24 * 3_600)
}

/// A part of a file.
struct Frame {
    enum Kind: UInt8 {
        /// ``TraceHeader``. A state follows.
        case header = 0x48
        /// ``Turnstile/Beginning``, before the state of a gate that has not started.
        case beginning = 0x42
        /// ``PageState``. A page begins, which needs no earlier one.
        case state = 0x53
        case steps = 0x50
    }

    /// Nil for an unknown kind, which is skipped.
    var kind: Kind?
    var content: Range<Int>
    /// Its beginning, and the next frame's.
    var range: Range<Int>
}

extension Frame {
    private static let checksumLength = 4

    /// Encodes a frame: kind, length, content, checksum of all of these.
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

    /// Encodes a frame of fields with its own table of texts.
    static func bytes(_ kind: Kind, _ fields: Fields) -> [UInt8] {
        var (writer, texts) = (ByteWriter(), TextTable())
        writer.append(fields, &texts)
        return bytes(kind, writer.bytes)
    }

    /// The largest size of a frame's kind and length.
    static let longestHead = 11

    /// The length of the frame at `index`; only its head need be present.
    static func length(in bytes: [UInt8], at index: Int) throws(TraceFlaw) -> Int {
        var reader = ByteReader(bytes, in: min(index, bytes.count)..<bytes.count)
        _ = try reader.byte()
        let length = try reader.frameLength()
        return reader.index - index + length + checksumLength
    }

    /// The frame at `index`; verifies its checksum if `isChecked`.
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
