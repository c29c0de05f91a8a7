import StateMachines
import Turnstile

/// The table of a page's texts, which are spelled once.
///
/// Names and values share the table. Numbers begin with 0 on each page.
struct TextTable {
    private var numbers: [String: Int] = [:]

    mutating func write(_ text: String, to writer: inout ByteWriter) {
        if let number = numbers[text] { return writer.append(varint: number << 1 | 1) }
        numbers[text] = numbers.count
        let bytes = text.utf8
        writer.append(varint: bytes.count << 1)
        writer.append(bytes)
    }
}

/// The table for a reader.
struct TextList {
    private var texts: [String] = []

    mutating func read(_ reader: inout ByteReader) throws(TraceFlaw) -> String {
        let head = try reader.varint()
        guard head & 1 == 0 else {
            guard head >> 1 < UInt64(texts.count) else { throw .malformed("an unknown text") }
            return texts[Int(head >> 1)]
        }
        guard head >> 1 <= UInt64(reader.count) else { throw .cutShort }
        let text = String(decoding: try reader.take(Int(head >> 1)), as: UTF8.self)
        texts.append(text)
        return text
    }
}

/// Fields with their moments taken out, so that repeated events have equal fields.
struct Template: Hashable {
    /// Each moment in them is 0.
    var fields: Fields
    /// The moments in order: nanoseconds of monotonic time.
    var moments: [Int64] = []

    /// Splits fields.
    init(_ fields: Fields) {
        self.fields = fields
        self.fields.exchangeMoments { moment in
            moments.append(moment)
            return 0
        }
    }
}

extension Fields {
    var valueCount: Int { all.reduce(0) { $0 + $1.value.valueCount } }

    mutating func exchangeMoments(_ exchange: (Int64) -> Int64) {
        for index in all.indices { all[index].exchangeMoments(exchange) }
    }
}

extension Fields.Field {
    /// A moment is written relative to its step.
    private var isMoment: Bool { name == .time || name == .until || name == .since }

    fileprivate mutating func exchangeMoments(_ exchange: (Int64) -> Int64) {
        if isMoment, case .integer(let moment) = value {
            value = .integer(exchange(moment))
        } else {
            value.exchangeMoments(exchange)
        }
    }
}

extension FieldValue {
    fileprivate var valueCount: Int {
        switch self {
        case .boolean, .integer, .text: 1
        case .fields(let fields): 1 + fields.valueCount
        case .list(let values): values.reduce(1) { $0 + $1.valueCount }
        }
    }

    fileprivate mutating func exchangeMoments(_ exchange: (Int64) -> Int64) {
        switch self {
        case .boolean, .integer, .text: break
        case .fields(var fields):
            fields.exchangeMoments(exchange)
            self = .fields(fields)
        case .list(var values):
            for index in values.indices { values[index].exchangeMoments(exchange) }
            self = .list(values)
        }
    }
}

/// The tag before a value.
private enum ValueTag: UInt8 {
    case no, yes, integer, text, fields, list
}

extension ByteWriter {
    /// Writes the number of fields, then the name and value of each.
    mutating func append(_ fields: Fields, _ texts: inout TextTable) {
        append(varint: fields.all.count)
        for field in fields.all {
            texts.write(field.name.rawValue, to: &self)
            append(field.value, &texts)
        }
    }

    private mutating func append(_ value: FieldValue, _ texts: inout TextTable) {
        switch value {
        case .boolean(let isSo): append(isSo ? ValueTag.yes : .no)
        case .integer(let number):
            append(ValueTag.integer)
            append(signed: number)
        case .text(let text):
            append(ValueTag.text)
            texts.write(text, to: &self)
        case .fields(let fields):
            append(ValueTag.fields)
            append(fields, &texts)
        case .list(let values):
            append(ValueTag.list)
            append(varint: values.count)
            for value in values { append(value, &texts) }
        }
    }

    private mutating func append(_ tag: ValueTag) { append(tag.rawValue) }
}

extension ByteReader {
    /// The deepest nesting: more than any written one.
    private static let depthLimit = 16

    /// Reads fields. Unknown names are of a later version, and left out.
    mutating func fields(_ texts: inout TextList, depth: Int = 0) throws(TraceFlaw) -> Fields {
        guard depth < Self.depthLimit else { throw .malformed("fields within fields") }
        var fields = Fields()
        for _ in 0..<(try itemCount()) {
            let name = FieldName(rawValue: try texts.read(&self))
            let value = try value(&texts, depth: depth + 1)
            if let name { fields.all.append(Fields.Field(name, value)) }
        }
        return fields
    }

    private mutating func value(
        _ texts: inout TextList, depth: Int
    ) throws(TraceFlaw) -> FieldValue {
        switch ValueTag(rawValue: try byte()) {
        case .no: return .boolean(false)
        case .yes: return .boolean(true)
        case .integer: return .integer(try signed())
        case .text: return .text(try texts.read(&self))
        case .fields: return .fields(try fields(&texts, depth: depth))
        case .list:
            guard depth < Self.depthLimit else { throw .malformed("lists within lists") }
            var values: [FieldValue] = []
            for _ in 0..<(try itemCount()) { values.append(try value(&texts, depth: depth + 1)) }
            return .list(values)
        case nil: throw .malformed("an unknown kind of value")
        }
    }
}
