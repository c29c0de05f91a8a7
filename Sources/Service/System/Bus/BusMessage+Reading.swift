import CSystemd
import Glibc

extension BusMessage {
    /// The value of a received message of sd-bus; at most so many values are read.
    init?(reading message: OpaquePointer, mostValues: Int) {
        var type: UInt8 = 0
        // Sound, here and below: the message lives while it is read, what is asked for is written
        // to variables of this function, and texts are copied before the message goes.
        unsafe _ = sd_bus_message_get_type(message, &type)
        guard let kind = Kind(type: CInt(type)) else { return nil }
        self.init(kind: kind)
        sender = unsafe text(sd_bus_message_get_sender(message))
        destination = unsafe text(sd_bus_message_get_destination(message))
        path = unsafe text(sd_bus_message_get_path(message))
        interface = unsafe text(sd_bus_message_get_interface(message))
        member = unsafe text(sd_bus_message_get_member(message))
        var number: UInt64 = 0
        if unsafe sd_bus_message_get_cookie(message, &number) >= 0 { serial = number }
        if unsafe sd_bus_message_get_reply_cookie(message, &number) >= 0 { replySerial = number }
        expectsReply = unsafe kind == .call && sd_bus_message_get_expect_reply(message) > 0
        if kind == .error {
            unsafe errorName = text(sd_bus_message_get_error(message).pointee.name)
        }
        var reader = unsafe BodyReader(message: message, left: mostValues)
        if let body = reader.readAll(closing: nil) { self.body = body } else { isTooLarge = true }
    }
}

extension BusMessage.Kind {
    /// The kind of a message of this number.
    fileprivate init?(type: CInt) {
        switch type {
        case CInt(SD_BUS_MESSAGE_METHOD_CALL): self = .call
        case CInt(SD_BUS_MESSAGE_METHOD_RETURN): self = .reply
        case CInt(SD_BUS_MESSAGE_METHOD_ERROR): self = .error
        case CInt(SD_BUS_MESSAGE_SIGNAL): self = .signal
        case let other:
            precondition(other >= 0, "a type has a number")
            return nil
        }
    }
}

/// A copy of a text of C.
private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
}

/// Reads the body of a message, value by value.
@safe private struct BodyReader {
    private let message: OpaquePointer
    /// How many values are read before it is too much.
    private var left: Int

    init(message: OpaquePointer, left: Int) {
        unsafe self.message = message
        self.left = left
    }

    /// All values up to the end of the container that is open, or of the message; nil where it is
    /// too much, or is not as D-Bus has it.
    mutating func readAll(closing container: CChar?) -> [BusValue]? {
        var values: [BusValue] = []
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            // Sound: both are written by the call, and the contents live as long as the message.
            let result = unsafe sd_bus_message_peek_type(message, &type, &contents)
            if result < 0 { return nil }
            if result == 0 { break }
            left -= 1
            guard left >= 0, let value = unsafe read(type, contents) else { return nil }
            values.append(value)
        }
        // Sound: it is the container that was entered last.
        if container != nil, unsafe sd_bus_message_exit_container(message) < 0 { return nil }
        return values
    }

    /// The next value, of this type.
    private mutating func read(
        _ type: CChar, _ contents: UnsafePointer<CChar>?
    ) -> BusValue? {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "b"): number(type, as: CInt.self).map { .boolean($0 != 0) }
        case UInt8(ascii: "y"): number(type, as: UInt8.self).map { .byte($0) }
        case UInt8(ascii: "n"): number(type, as: Int16.self).map { .int16($0) }
        case UInt8(ascii: "q"): number(type, as: UInt16.self).map { .uint16($0) }
        case UInt8(ascii: "i"): number(type, as: Int32.self).map { .int32($0) }
        case UInt8(ascii: "u"): number(type, as: UInt32.self).map { .uint32($0) }
        case UInt8(ascii: "x"): number(type, as: Int64.self).map { .int64($0) }
        case UInt8(ascii: "t"): number(type, as: UInt64.self).map { .uint64($0) }
        case UInt8(ascii: "d"): number(type, as: Double.self).map { .double($0) }
        case UInt8(ascii: "s"): string(type).map { .string($0) }
        case UInt8(ascii: "o"): string(type).map { .objectPath($0) }
        case UInt8(ascii: "g"): string(type).map { .signature($0) }
        case UInt8(ascii: "h"): number(type, as: CInt.self).map { _ in .descriptor }
        case let letter: unsafe readContainer(letter, type, contents)
        }
    }

    private mutating func readContainer(
        _ letter: UInt8, _ type: CChar, _ contents: UnsafePointer<CChar>?
    ) -> BusValue? {
        // Before it is entered: then the text may go.
        let inner = unsafe text(contents) ?? ""
        // Sound: type and contents are what the call before has said of this very value.
        guard unsafe sd_bus_message_enter_container(message, type, contents) > 0,
            let values = readAll(closing: type)
        else { return nil }
        return switch letter {
        case UInt8(ascii: "a"): .array(of: inner, values)
        case UInt8(ascii: "r"): .structure(values)
        case UInt8(ascii: "v"): values.first.map { .variant($0) }
        case UInt8(ascii: "e"): values.count == 2 ? .entry(values[0], values[1]) : nil
        case let other:
            preconditionFailure("sd-bus has no container \(other)")
        }
    }

    private func number<Number: BitwiseCopyable & ExpressibleByIntegerLiteral>(
        _ type: CChar, as: Number.Type
    ) -> Number? {
        var number: Number = 0
        // Sound: the next value is of this type, and a number of this size is written.
        return unsafe sd_bus_message_read_basic(message, type, &number) > 0 ? number : nil
    }

    private func string(_ type: CChar) -> String? {
        var pointer: UnsafePointer<CChar>?
        // Sound: the next value is a text, to which a pointer is written that lives as long as the
        // message.
        guard unsafe sd_bus_message_read_basic(message, type, &pointer) > 0 else { return nil }
        return unsafe text(pointer)
    }
}
