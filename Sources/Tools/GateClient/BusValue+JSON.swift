public import System
internal import Turnstile

extension BusValue {
    public var json: String {
        switch self {
        case .boolean(let isSo): isSo ? "true" : "false"
        case .byte(let number): "\(number)"
        case .int16(let number): "\(number)"
        case .uint16(let number): "\(number)"
        case .int32(let number): "\(number)"
        case .uint32(let number): "\(number)"
        case .int64(let number): "\(number)"
        case .uint64(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : "null"
        case .string(let text), .objectPath(let text), .signature(let text): text.json
        case .array, .structure: pairs.map(BusValue.json) ?? list
        case .entry(let key, let value): "[\(key.json), \(value.json)]"
        case .variant(let value): value.json
        case .descriptor: "null"
        }
    }

    private var list: String {
        "[" + (elements ?? []).map { $0.json }.joined(separator: ", ") + "]"
    }

    public static func json(_ pairs: [(key: String, value: BusValue)]) -> String {
        "{" + pairs.map { "\($0.key.json): \($0.value.json)" }.joined(separator: ", ") + "}"
    }
}

extension String {
    fileprivate var json: String { FieldValue.text(self).description }
}
