/// A key that somebody pressed.
enum Key: Hashable, Sendable {
    /// A key that writes this character.
    case character(Character)
    /// An arrow key.
    case left, right, up, down
    /// The Escape key.
    case escape
    /// Ctrl and C.
    case interrupt
    /// Ctrl and Z.
    case suspend
}

/// Makes keys of the bytes that a terminal sends. A key's bytes may come in pieces.
struct KeyDecoder: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Between two keys.
        case idle
        /// After an escape: a sequence follows, or it was the key itself.
        case escape
        /// In a control sequence, until its final byte.
        case control
        /// In a character of several bytes, of which these have come.
        case character([UInt8])
    }

    private var state = State.idle

    /// The keys that `bytes` complete. An escape that nothing follows is the key.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys = bytes.compactMap { key($0) }
        if state == .escape {
            state = .idle
            keys.append(.escape)
        }
        return keys
    }

    private mutating func key(_ byte: UInt8) -> Key? {
        switch state {
        case .idle:
            return begin(byte)
        case .escape:
            // "[" begins a control sequence and "O" an application key; Alt with a key is nothing.
            state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .control : .idle
            return nil
        case .control:
            guard (0x40...0x7E).contains(byte) else { return nil }
            state = .idle
            return arrow(byte)
        case .character(let before):
            guard byte & 0xC0 == 0x80 else { return begin(byte) }
            return complete(before + [byte])
        }
    }

    private mutating func begin(_ byte: UInt8) -> Key? {
        state = .idle
        switch byte {
        case 0x03: return .interrupt
        case 0x1A: return .suspend
        case 0x1B: state = .escape
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        case 0xC2...0xF4: state = .character([byte])
        default: break
        }
        return nil
    }

    private mutating func complete(_ bytes: [UInt8]) -> Key? {
        let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
        guard bytes.count == length else {
            state = .character(bytes)
            return nil
        }
        state = .idle
        return String(validating: bytes, as: UTF8.self)?.first.map { .character($0) }
    }

    private func arrow(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }
}
