/// A call as it is on the wire, for whoever sends what a well-behaved client would not.
public struct RawMessage: Sendable {
    /// Its bytes.
    public private(set) var bytes: [UInt8]

    /// A call with a text for an argument, or without.
    public init(
        _ member: String, on interface: String, at path: String, of destination: String,
        _ text: String? = nil, number: UInt32 = 1, isLittle: Bool = true
    ) {
        func word(_ number: Int) -> [UInt8] {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return isLittle ? bytes : bytes.reversed()
        }
        var names: [UInt8] = []
        func add(_ code: UInt8, _ type: Character, _ value: [UInt8]) {
            names += Array(repeating: 0, count: -names.count & 7)
            names += [code, 1, type.asciiValue!, 0] + value + [0]
        }
        add(1, "o", word(path.utf8.count) + path.utf8)
        add(2, "s", word(interface.utf8.count) + interface.utf8)
        add(3, "s", word(member.utf8.count) + member.utf8)
        add(6, "s", word(destination.utf8.count) + destination.utf8)
        if text != nil { add(8, "g", [1, UInt8(ascii: "s")]) }
        let body = text.map { word($0.utf8.count) + $0.utf8 + [0] } ?? []
        bytes = [UInt8(ascii: isLittle ? "l" : "B"), 1, 0, 1] + word(body.count)
        bytes += word(Int(number)) + word(names.count) + names
        bytes += Array(repeating: 0, count: -names.count & 7) + body
    }
}
