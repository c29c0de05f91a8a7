enum Key: Hashable, Sendable {
    case character(Character)
    /// A character of a pasted text.
    case pasted(Character)
    case left, right, up, down
    case pageUp, pageDown, home, end
    case escape, enter, backspace, tab
    /// Ctrl-C.
    case interrupt
    /// Ctrl-Z.
    case suspend

    /// Whether its effect depends on the height of the log.
    var scrolls: Bool {
        switch self {
        case .up, .down, .pageUp, .pageDown, .home: true
        case .character, .pasted, .left, .right, .end, .escape, .enter, .backspace, .tab,
            .interrupt, .suspend:
            false
        }
    }
}

/// Decodes a terminal's bytes into keys. A key's bytes may come in pieces.
struct KeyDecoder: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case idle
        /// After ESC: the key itself, or the beginning of a sequence.
        case escape
        /// In a control sequence, before its final byte; with its first number.
        case control(Int)
        /// After `ESC [ [`, the prefix of a Linux console's function keys: one byte follows.
        case function
        /// In a character of several bytes, after these.
        case character([UInt8])
    }

    private var state = State.idle
    /// Whether the input is pasted, between `ESC [ 200 ~` and `ESC [ 201 ~`.
    private var isPasting = false

    /// The keys that `bytes` complete. A trailing ESC is the key.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys = bytes.compactMap { byte in key(byte).flatMap { typed($0) } }
        // The end mark of a pasted text may come in pieces.
        if state == .escape, !isPasting {
            state = .idle
            keys.append(.escape)
        }
        return keys
    }

    /// The key, or the pasted character. Ctrl-C ends a paste whose end mark is missing.
    private mutating func typed(_ key: Key) -> Key? {
        guard isPasting else { return key }
        switch key {
        case .character(let character): return .pasted(character)
        case .interrupt:
            isPasting = false
            return key
        case _: return nil
        }
    }

    private mutating func key(_ byte: UInt8) -> Key? {
        switch state {
        case .idle:
            return begin(byte)
        case .escape:
            switch byte {
            // A control sequence, and an application key.
            case UInt8(ascii: "["), UInt8(ascii: "O"): state = .control(0)
            // Alt and a key that begins with ESC itself.
            case 0x1B: break
            // Alt and a character is ignored.
            case 0x20..<0x7F, 0x80...: state = .idle
            // A key right after ESC, such as Ctrl-C on a slow line.
            default: return begin(byte)
            }
            return nil
        case .control(let number):
            // An invalid byte aborts the sequence, and is a key.
            guard byte >= 0x20, byte < 0x7F else { return begin(byte) }
            if byte == UInt8(ascii: "["), number == 0 {
                state = .function
                return nil
            }
            guard byte >= 0x40 else {
                let digit = Int(byte) - 0x30
                // No key here has a longer number.
                let isNumber = (0...9).contains(digit) && (0...99).contains(number)
                state = .control(isNumber ? number * 10 + digit : -1)
                return nil
            }
            state = .idle
            if byte == UInt8(ascii: "~"), number == 200 || number == 201 {
                isPasting = number == 200
                return nil
            }
            return key(byte, number)
        case .function:
            state = .idle
            return nil
        case .character(let before):
            guard byte & 0xC0 == 0x80 else { return begin(byte) }
            return complete(before + [byte])
        }
    }

    private mutating func begin(_ byte: UInt8) -> Key? {
        state = .idle
        switch byte {
        // Ctrl-C and Ctrl-D.
        case 0x03, 0x04: return .interrupt
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
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

    /// The key of a control sequence with this final byte and number, 0 for none.
    private func key(_ final: UInt8, _ number: Int) -> Key? {
        switch (final, number) {
        case (UInt8(ascii: "A"), _): .up
        case (UInt8(ascii: "B"), _): .down
        case (UInt8(ascii: "C"), _): .right
        case (UInt8(ascii: "D"), _): .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1), (UInt8(ascii: "~"), 7): .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4), (UInt8(ascii: "~"), 8): .end
        case (UInt8(ascii: "~"), 5): .pageUp
        case (UInt8(ascii: "~"), 6): .pageDown
        default: nil
        }
    }
}
