import CSodium

/// A BLAKE2b hash of 256 bits.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static let size = 32

    init(of bytes: [UInt8]) {
        Sodium.start()
        // Sound: pointers and lengths are those of two live values, and there is no key.
        unsafe withUnsafeMutableBytes(of: &words) { hash in
            unsafe _ = crypto_generichash(
                hash.baseAddress!, hash.count, bytes, UInt64(bytes.count), nil, 0)
        }
    }

    init(of text: String) {
        self.init(of: Array(text.utf8))
    }

    /// Nil unless there are 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        // Sound: the two are of the same size.
        unsafe Swift.withUnsafeMutableBytes(of: &words) { unsafe $0.copyBytes(from: bytes) }
    }

    init?(base64: String) {
        guard let bytes = Base64.bytes(of: base64) else { return nil }
        self.init(bytes)
    }

    func append(to bytes: inout [UInt8]) {
        // Sound: the bytes of a value that lives on.
        unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
    }

    var bytes: [UInt8] {
        // Sound: the bytes of a value that lives on.
        unsafe withUnsafeBytes(of: words) { unsafe Array($0) }
    }

    /// In Base64.
    public var description: String { Base64.text(of: bytes) }

    public static func == (one: Digest, other: Digest) -> Bool { one.words == other.words }

    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// The initialisation of libsodium.
enum Sodium {
    private static let isReady: Bool = sodium_init() >= 0

    /// Needed before other calls. Repeated calls do nothing.
    static func start() { precondition(isReady, "the system has no random numbers") }
}

/// Bytes as text, by RFC 4648 with padding.
enum Base64 {
    static func text(of bytes: [UInt8]) -> String {
        let size = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_ORIGINAL)
        var text = [CChar](repeating: 0, count: size)
        // Sound: the text has room for the encoding and a zero at its end.
        unsafe _ = sodium_bin2base64(
            &text, size, bytes, bytes.count, sodium_base64_VARIANT_ORIGINAL)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Decodes a text; nil if it is not the exact encoding of some bytes.
    static func bytes(of text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        var bytes = [UInt8](repeating: 0, count: characters.count)
        var count = 0
        // Sound: pointers and lengths are those of arrays. With a nil end pointer the call rejects
        // trailing characters.
        let result = unsafe characters.withUnsafeBytes {
            unsafe sodium_base642bin(
                &bytes, bytes.count, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count,
                nil, &count, nil, sodium_base64_VARIANT_ORIGINAL)
        }
        return result == 0 ? Array(bytes.prefix(count)) : nil
    }
}
