import CSystemd
import Glibc

/// Writes values to a message of sd-bus that is not sent yet.
@safe struct BodyWriter {
    private let message: OpaquePointer

    init(message: OpaquePointer) { unsafe self.message = message }

    /// Writes these values, one after the other.
    func write(_ values: [BusValue]) throws(SystemError) {
        for value in values { try write(value) }
    }

    private func write(_ value: BusValue) throws(SystemError) {
        switch value {
        case .boolean(let isSo): try write("b", CInt(isSo ? 1 : 0))
        case .byte(let number): try write("y", number)
        case .int16(let number): try write("n", number)
        case .uint16(let number): try write("q", number)
        case .int32(let number): try write("i", number)
        case .uint32(let number): try write("u", number)
        case .int64(let number): try write("x", number)
        case .uint64(let number): try write("t", number)
        case .double(let number): try write("d", number)
        case .string(let text): try write("s", text)
        case .objectPath(let text): try write("o", text)
        case .signature(let text): try write("g", text)
        case .array(let element, let elements): try write("a", element, elements)
        case .entry(let key, let value):
            try write("e", key.signature + value.signature, [key, value])
        case .structure(let members):
            try write("r", members.map(\.signature).joined(), members)
        case .variant(let value): try write("v", value.signature, [value])
        case .descriptor:
            throw SystemError(call: "sd_bus_message_append_basic", subject: "h", errno: EINVAL)
        }
    }

    private func write(_ type: Unicode.Scalar, _ number: some BitwiseCopyable) throws(SystemError) {
        var number = number
        // Sound, here and below: the call reads a value of this type, which lives until it returns,
        // and copies it to the message, which outlives its writer.
        try check(
            unsafe sd_bus_message_append_basic(message, CChar(type.value), &number),
            "sd_bus_message_append_basic", "\(type)")
    }

    private func write(_ type: Unicode.Scalar, _ text: String) throws(SystemError) {
        let result = unsafe text.withCString {
            unsafe sd_bus_message_append_basic(message, CChar(type.value), $0)
        }
        try check(result, "sd_bus_message_append_basic", text)
    }

    private func write(
        _ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]
    ) throws(SystemError) {
        try check(
            unsafe sd_bus_message_open_container(message, CChar(type.value), contents),
            "sd_bus_message_open_container", contents)
        try write(values)
        try check(
            unsafe sd_bus_message_close_container(message), "sd_bus_message_close_container",
            contents)
    }
}
