/// What a value change dump says, read in the plainest way.
struct VCDReader {
    /// The names of what changes, with the scopes that they are in, by their codes.
    private(set) var names: [String: String] = [:]
    /// The types, by name.
    private(set) var types: [String: String] = [:]
    /// All that is in a section that ends with `$end`, by what it begins with.
    private(set) var sections: [String: String] = [:]
    /// Every change: when, of what, to which value.
    private(set) var changes: [(time: Int64, name: String, value: String)] = []
    /// The times that stand alone, in their order.
    private(set) var times: [Int64] = []
    /// How many changes the first state is told by.
    private(set) var firstCount = 0

    /// What is wrong with a dump.
    struct Mistake: Error {
        /// The word that does not belong there.
        var word: Substring
    }

    init(_ text: String) throws {
        var scopes: [Substring] = []
        var words = text.split { $0 == " " || $0 == "\n" }[...]
        func section() throws -> [Substring] {
            guard let end = words.firstIndex(of: "$end") else { throw Mistake(word: "$end") }
            defer { words = words[(end + 1)...] }
            return Array(words[..<end])
        }
        var isDumping = false
        while let word = words.popFirst() {
            switch word {
            case "$scope": scopes.append(try section()[1])
            case "$upscope": scopes.removeLast(try section().isEmpty ? 1 : 2)
            case "$var":
                let parts = try section()
                let name = (scopes + [parts[3]]).joined(separator: ".")
                guard names.updateValue(name, forKey: String(parts[2])) == nil else {
                    throw Mistake(word: parts[2])
                }
                types[name] = "\(parts[0]) \(parts[1])"
            case "$dumpvars": isDumping = true
            case "$end":
                guard isDumping else { throw Mistake(word: word) }
                isDumping = false
                firstCount = changes.count
            default:
                if word.first == "$" {
                    sections[String(word)] = try section().joined(separator: " ")
                } else {
                    try read(word, &words)
                }
            }
        }
    }

    private mutating func read(_ word: Substring, _ words: inout ArraySlice<Substring>) throws {
        switch word.first {
        case "#":
            guard let time = Int64(word.dropFirst()) else { throw Mistake(word: word) }
            times.append(time)
        case "0", "1": try change(word.dropFirst(), to: word.prefix(1))
        case "r", "s": try change(words.popFirst() ?? "", to: word.dropFirst())
        default: throw Mistake(word: word)
        }
    }

    private mutating func change(_ code: Substring, to value: Substring) throws {
        guard let name = names[String(code)], let time = times.last else {
            throw Mistake(word: code)
        }
        changes.append((time, name, String(value)))
    }

    /// The values that something had, with the time of each.
    subscript(name: String) -> [(time: Int64, value: String)] {
        changes.filter { $0.name == name }.map { ($0.time, $0.value) }
    }

    /// A text as it was before it was escaped.
    static func plain(_ word: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            guard kind == UInt8(ascii: "x") else {
                bytes.append(kind)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            rest = rest.dropFirst(2)
            bytes.append(UInt8(digits, radix: 16) ?? 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
