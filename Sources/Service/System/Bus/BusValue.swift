/// A value as D-Bus has it, with its type.
public indirect enum BusValue: Hashable, Sendable {
    /// `b`.
    case boolean(Bool)
    /// `y`.
    case byte(UInt8)
    /// `n`.
    case int16(Int16)
    /// `q`.
    case uint16(UInt16)
    /// `i`.
    case int32(Int32)
    /// `u`.
    case uint32(UInt32)
    /// `x`.
    case int64(Int64)
    /// `t`.
    case uint64(UInt64)
    /// `d`.
    case double(Double)
    /// `s`; it ends at its first NUL, of which D-Bus has none.
    case string(String)
    /// `o`.
    case objectPath(String)
    /// `g`.
    case signature(String)
    /// Values of one type, whose signature comes first. A dictionary is an array of entries.
    case array(of: String, [BusValue])
    /// A key and its value; only in an array.
    case entry(BusValue, BusValue)
    /// Values of several types.
    case structure([BusValue])
    /// A value that brings its type along.
    case variant(BusValue)
    /// `h`: a Unix descriptor. We accept none; only the type is known.
    case descriptor
}

extension BusValue {
    /// The type, by the letters of D-Bus: `a{sv}`.
    public var signature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a\(element)"
        case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
        case .structure(let members): "(\(members.map(\.signature).joined()))"
        case .variant: "v"
        case .descriptor: "h"
        }
    }

    /// A dictionary `a{sv}` of these, in their order.
    public static func dictionary(_ pairs: [(String, BusValue)]) -> BusValue {
        dictionary(of: "v", pairs.map { ($0.0, .variant($0.1)) })
    }

    /// A dictionary from texts to values of one type, in their order.
    public static func dictionary(of type: String, _ pairs: [(String, BusValue)]) -> BusValue {
        .array(of: "{s\(type)}", pairs.map { .entry(.string($0.0), $0.1) })
    }

    /// A list of texts, `as`.
    public static func strings(_ texts: [String]) -> BusValue {
        .array(of: "s", texts.map { .string($0) })
    }
}

// A value whose type the sender chose: nil if it has another type.
extension BusValue {
    /// The value itself, where it is in a variant.
    public var unwrapped: BusValue {
        if case .variant(let value) = self { value.unwrapped } else { self }
    }

    /// A text, a path or a signature.
    public var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        case .boolean, .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .array,
            .entry, .structure, .variant, .descriptor:
            nil
        }
    }

    /// Yes or no.
    public var boolean: Bool? {
        if case .boolean(let isSo) = unwrapped { isSo } else { nil }
    }

    /// A whole number of any type, where 64 bits with a sign have room for it.
    public var integer: Int64? {
        switch unwrapped {
        case .byte(let number): Int64(number)
        case .int16(let number): Int64(number)
        case .uint16(let number): Int64(number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        case .boolean, .double, .string, .objectPath, .signature, .array, .entry, .structure,
            .variant, .descriptor:
            nil
        }
    }

    /// The elements of an array or a structure.
    public var elements: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        case .boolean, .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
            .objectPath, .signature, .entry, .variant, .descriptor:
            nil
        }
    }

    /// The entries of a dictionary whose keys are texts; values are taken out of their variants.
    public var pairs: [(key: String, value: BusValue)]? {
        guard case .array(let type, let entries) = unwrapped, type.hasPrefix("{s") else {
            return nil
        }
        return entries.compactMap {
            guard case .entry(let key, let value) = $0, let key = key.text else { return nil }
            return (key, value.unwrapped)
        }
    }
}
