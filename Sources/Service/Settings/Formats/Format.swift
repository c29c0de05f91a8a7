import Hardware
import System
import Turnstile

/// The textual form of a type's values.
struct Format<Value: Sendable>: Sendable {
    /// The allowed values, to follow "allowed is": `1s to 1min`, `retain or forfeit`.
    let allowed: String
    /// Texts at the edge of what is allowed, for tests.
    let edge: Edge
    /// Parses a text. Throws the mistake without a place, to follow its key.
    let read: @Sendable (Scalar) throws(Mistake) -> Value
    /// The inverse of ``read``.
    let write: @Sendable (Value) -> String
}

/// Texts at the limits of a format, for tests.
struct Edge: Hashable, Sendable {
    var accepted: [String]
    var refused: [String]
}

/// `value` in quotes for a message: printable, and at most a line.
public func quoted(_ value: String) -> String {
    let shown = value.unicodeScalars.prefix(40).map { scalar in
        scalar.isPrintable ? String(scalar) : scalar.escaped(asASCII: true)
    }.joined()
    return "'\(shown)\(value.unicodeScalars.count > 40 ? "…" : "")'"
}

/// `a, b or c`.
public func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

extension Format where Value == String {
    static func name(of names: [String]) -> Format {
        Format(
            allowed: alternatives(names),
            edge: Edge(accepted: names, refused: [names[0] + "_", names[0].uppercased()]),
            read: { scalar throws(Mistake) in
                if names.contains(scalar.text) { return scalar.text }
                throw .notOneOf(names, scalar.text)
            },
            write: { $0 })
    }
}

extension Format where Value: RawRepresentable<String> & CaseIterable {
    /// One of a type's cases, by its raw value.
    static var choice: Format {
        Format<String>.name(of: Value.allCases.map(\.rawValue)).map {
            guard let choice = Value(rawValue: $0) else { preconditionFailure("it is a name") }
            return choice
        } from: {
            $0.rawValue
        }
    }
}

extension Format {
    /// The same texts for values of another type.
    func map<Other>(
        _ make: @escaping @Sendable (Value) -> Other, from: @escaping @Sendable (Other) -> Value
    ) -> Format<Other> {
        Format<Other>(
            allowed: allowed, edge: edge,
            read: { scalar throws(Mistake) in make(try read(scalar)) },
            write: { write(from($0)) })
    }
}

extension Mistake {
    fileprivate static func notOneOf(
        _ names: [String], _ text: String, _ meant: String? = nil
    ) -> Mistake {
        let nearest = meant ?? Spelling.nearest(to: text, among: names)
        let question = nearest.map { " (did you mean '\($0)'?)" } ?? ""
        return Mistake("\(quoted(text)) is not \(alternatives(names))\(question)")
    }
}

extension Format where Value == Bool {
    /// `true` or `false`, and nothing else: YAML's `yes` and `on` mean different things to
    /// different programs.
    static var flag: Format {
        let names = ["true", "false"]
        return Format(
            allowed: "true or false",
            edge: Edge(accepted: names, refused: ["True", "yes", "1"]),
            read: { scalar throws(Mistake) in
                switch scalar.text {
                case "true": return true
                case "false": return false
                case "yes", "Yes", "YES", "on", "On", "ON", "1":
                    throw .notOneOf(names, scalar.text, "true")
                case "no", "No", "NO", "off", "Off", "OFF", "0":
                    throw .notOneOf(names, scalar.text, "false")
                default: throw .notOneOf(names, scalar.text)
                }
            },
            write: { $0 ? "true" : "false" })
    }
}

extension Format where Value == Int {
    /// An amount of money in minor units of the currency.
    static func amount(_ range: ClosedRange<Int>) -> Format {
        number(range) { text in
            let (shown, written) = minorUnits(of: text).map { (text, $0) } ?? ("1.50", "150")
            return "; an amount is in minor units of the currency: \(shown) is written \(written)"
        }
    }

    static func count(_ range: ClosedRange<Int>) -> Format { number(range) { _ in "" } }

    /// A whole number; `advice` follows an error.
    private static func number(
        _ range: ClosedRange<Int>, _ advice: @escaping @Sendable (String) -> String
    ) -> Format {
        let allowed = "\(range.lowerBound) to \(range.upperBound)"
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: ["\(range.lowerBound)", "\(range.upperBound)"],
                refused: ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.50", "1e2"]),
            read: { scalar throws(Mistake) in
                guard isNumber(scalar.text) else {
                    throw Mistake(
                        "\(quoted(scalar.text)) is not a whole number\(advice(scalar.text))")
                }
                if let number = Int(scalar.text), range.contains(number) { return number }
                throw .outOfRange(scalar.text, allowed)
            },
            write: { String($0) })
    }
}

/// Converts an amount with two decimals, `12.50`, to minor units, `1250`; nil for any other text.
public func minorUnits(of text: some StringProtocol) -> String? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 2,
        parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    return Int64(parts.joined()).map { String($0) }
}

extension Mistake {
    static func outOfRange(_ text: String, _ allowed: String) -> Mistake {
        Mistake("\(text) is out of range: allowed is \(allowed)")
    }
}

extension Format where Value == String {
    static func name(limit: Int) -> Format {
        Format(
            allowed: "1 to \(limit) bytes of printable text",
            edge: Edge(
                accepted: ["x", String(repeating: "x", count: limit)],
                refused: ["''", String(repeating: "x", count: limit + 1), #""a\tb""#]),
            read: { scalar throws(Mistake) in try checkedName(scalar.text, limit: limit) },
            write: { $0 })
    }

    static var devicePath: Format {
        Format(
            allowed: "a path that starts with '/'",
            edge: Edge(accepted: ["/dev/gpiochip0"], refused: ["gpiochip0", "''"]),
            read: { scalar throws(Mistake) in
                let path = try checkedName(scalar.text, limit: 255)
                guard path.hasPrefix("/") else {
                    throw Mistake(
                        "\(quoted(path)) does not start with '/', did you mean "
                            + "\(quoted("/dev/" + path))?")
                }
                return path
            },
            write: { $0 })
    }
}

extension Format where Value == String? {
    static var pathOrOff: Format {
        Format(
            allowed: "a path that starts with '/', or off",
            edge: Edge(accepted: ["/ledger.db", "off"], refused: ["ledger.db", "no", "''", "/"]),
            read: { scalar throws(Mistake) in
                if scalar.text == "off" { return nil }
                let path = try checkedName(scalar.text, limit: 255)
                guard path.hasPrefix("/"), !path.hasSuffix("/") else {
                    throw Mistake(
                        "\(quoted(path)) is neither 'off' nor the path of a file from '/' on")
                }
                return path
            },
            write: { $0 ?? "off" })
    }
}

extension Format where Value == LineSelector {
    /// A line by name or, as a number without quotes, by offset.
    static var line: Format {
        Format(
            allowed: "a line's name, or its offset from 0 to \(maximumOffset)",
            edge: Edge(
                accepted: ["COIN", "'17'", "0", "\(maximumOffset)"],
                refused: [
                    "-1", "017", "\(maximumOffset + 1)", "''", String(repeating: "x", count: 32),
                ]),
            read: { scalar throws(Mistake) in
                guard scalar.isPlain, isNumber(scalar.text) else {
                    if scalar.isPlain, Int(scalar.text) != nil {
                        throw Mistake(
                            "\(quoted(scalar.text)) is a number with a needless 0 or +; quote it "
                                + "if it is the line's name")
                    }
                    return .name(try checkedName(scalar.text, limit: kernelNameLimit))
                }
                if let offset = Int(scalar.text), (0...maximumOffset).contains(offset) {
                    return .offset(offset)
                }
                throw .outOfRange("offset \(scalar.text)", "0 to \(maximumOffset)")
            },
            write: { line in
                switch line {
                case .name(let name): "'\(name)'"
                case .offset(let offset): "\(offset)"
                }
            })
    }

    /// A bound.
    private static var maximumOffset: Int { 65_535 }
}

/// The longest name or label that the kernel gives a chip or a line, in bytes.
let kernelNameLimit = 31

/// `text`, if it is a valid name of at most `limit` bytes.
private func checkedName(_ text: String, limit: Int) throws(Mistake) -> String {
    guard text.unicodeScalars.allSatisfy(\.isPrintable) else {
        throw Mistake("\(quoted(text)) holds a character that cannot be printed")
    }
    let spaces = text.unicodeScalars.filter { $0.properties.generalCategory == .spaceSeparator }
    for space in spaces {
        guard let mistake = Typo.lookAlike(in: String(space)) else { continue }
        throw Mistake("\(quoted(text)): \(mistake)")
    }
    guard (1...limit).contains(text.utf8.count) else {
        throw Mistake(
            "\(quoted(text)) has \(text.utf8.count) bytes: allowed is 1 to \(limit)")
    }
    return text
}

/// Whether `text` is a whole number in its only form: digits, no leading zero (octal to some
/// programs), a minus for a negative one.
func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return text.utf8.count - digits.count <= 1 && !digits.isEmpty
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
}
