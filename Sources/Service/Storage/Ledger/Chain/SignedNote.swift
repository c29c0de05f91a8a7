import CSodium
import System

/// A text with a signature: a signed note of C2SP (https://c2sp.org/signed-note).
public struct SignedNote: Hashable, Sendable {
    /// The signed lines, each with its line feed.
    public let text: String
    private let name: String
    /// The first bytes of the key's hash, which distinguish keys of one name.
    private let keyID: [UInt8]
    private let signature: [UInt8]

    /// Signs a text that ends with a line feed.
    init(_ text: String, by key: SigningKey) {
        self.text = text
        name = key.name
        keyID = key.verificationKey.id
        signature = key.signature(of: text)
    }

    /// Parses a note; nil if it is malformed. The signature is not verified.
    public init?(_ note: some StringProtocol) {
        let lines = note.lines
        guard lines.count > 3, lines.last == "", lines[lines.count - 3].isEmpty else { return nil }
        guard let (name, bytes) = Self.signature(in: lines[lines.count - 2]) else { return nil }
        text = lines.dropLast(3).map { $0 + "\n" }.joined()
        self.name = name
        (keyID, signature) = (Array(bytes.prefix(4)), Array(bytes.dropFirst(4)))
    }

    /// The key's name and the signature in the last line of a note; nil for another line.
    static func signature(in line: Substring) -> (name: String, bytes: [UInt8])? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "—", !words[1].isEmpty,
            let bytes = Base64.bytes(of: String(words[2])),
            bytes.count == 4 + Int(crypto_sign_ed25519_BYTES)
        else { return nil }
        return (String(words[1]), bytes)
    }

    package var description: String {
        "\(text)\n— \(name) \(Base64.text(of: keyID + signature))\n"
    }

    package func isSigned(by key: VerificationKey) -> Bool {
        guard key.name == name, key.id == keyID else { return false }
        Sodium.start()
        let message = Array(text.utf8)
        // Sound: pointers and lengths are those of arrays of the sizes that the call expects.
        return unsafe crypto_sign_ed25519_verify_detached(
            signature, message, UInt64(message.count), key.bytes) == 0
    }
}

extension StringProtocol {
    /// Split by bytes: a line may begin with a combining mark.
    var lines: [Substring] {
        Substring(self).utf8.split(separator: 10, omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}

/// A public Ed25519 key, in the form of signed notes.
public struct VerificationKey: Hashable, Sendable, CustomStringConvertible {
    let name: String
    /// Its 32 bytes.
    let bytes: [UInt8]

    init(name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    /// Parses a key, `NAME+ID+BASE64`; nil if it is malformed.
    public init?(_ text: some StringProtocol) {
        guard let parts = parts(ofKey: text, size: crypto_sign_ed25519_PUBLICKEYBYTES) else {
            return nil
        }
        self.init(name: parts.name, parts.bytes)
        guard parts.id == hexadecimal(id) else { return nil }
    }

    var id: [UInt8] {
        let text = Array("\(name)\n".utf8) + [ed25519] + bytes
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        // Sound: pointers and lengths are those of arrays.
        unsafe _ = crypto_hash_sha256(&hash, text, UInt64(text.count))
        return Array(hash.prefix(4))
    }

    public var description: String {
        "\(name)+\(hexadecimal(id))+\(Base64.text(of: [ed25519] + bytes))"
    }
}

/// A private key, in the form of Go's package `note`.
struct SigningKey: Hashable, Sendable {
    let name: String
    private let seed: [UInt8]
    private let secret: [UInt8]
    let verificationKey: VerificationKey

    private static let prefix = "PRIVATE+KEY+"
    static let gateName = "turnstiled"

    init() {
        var seed = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SEEDBYTES))
        Sodium.start()
        // Sound: pointer and length are those of one array.
        unsafe randombytes_buf(&seed, seed.count)
        self.init(name: Self.gateName, seed)
    }

    init(name: String, _ seed: [UInt8]) {
        (self.name, self.seed) = (name, seed)
        var secret = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
        Sodium.start()
        // Sound: the arrays are of the sizes that the call expects.
        unsafe _ = crypto_sign_ed25519_seed_keypair(&publicKey, &secret, seed)
        self.secret = secret
        verificationKey = VerificationKey(name: name, publicKey)
    }

    init?(_ text: String) {
        let line = text.prefix { $0 != "\n" }
        guard line.hasPrefix(Self.prefix) else { return nil }
        let key = line.dropFirst(Self.prefix.count)
        guard let parts = parts(ofKey: key, size: crypto_sign_ed25519_SEEDBYTES) else {
            return nil
        }
        self.init(name: parts.name, parts.bytes)
        guard parts.id == hexadecimal(verificationKey.id) else { return nil }
    }

    var text: String {
        let bytes = Base64.text(of: [ed25519] + seed)
        return "\(Self.prefix)\(name)+\(hexadecimal(verificationKey.id))+\(bytes)\n"
    }

    fileprivate func signature(of text: String) -> [UInt8] {
        let message = Array(text.utf8)
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_BYTES))
        // Sound: pointers and lengths are those of arrays of the sizes that the call expects.
        unsafe _ = crypto_sign_ed25519_detached(
            &signature, nil, message, UInt64(message.count), secret)
        return signature
    }
}

/// The byte that precedes a key's bytes: the algorithm Ed25519.
private let ed25519: UInt8 = 1

/// The parts of `NAME+ID+BASE64`, a key of `size` bytes; nil if malformed.
private func parts(
    ofKey text: some StringProtocol, size: CUnsignedInt
) -> (name: String, id: String, bytes: [UInt8])? {
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace),
        let bytes = Base64.bytes(of: String(parts[2])), bytes.count == 1 + Int(size),
        bytes[0] == ed25519
    else { return nil }
    return (String(parts[0]), String(parts[1]), Array(bytes.dropFirst()))
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0, radix: 16).zeroPadded(to: 2) }.joined()
}
