/// A unit in which a quantity may be written: its raw value follows the number at once, `250ms`.
protocol QuantityUnit: RawRepresentable<String>, CaseIterable {
    /// The quantity, in words: `a duration`.
    static var quantity: String { get }
    /// The form, for an error message.
    static var examples: String { get }
    /// The order of suggestions for a missing unit.
    static var likelyFirst: [Self] { get }

    /// The unit's size, in the smallest unit.
    var size: Int64 { get }
    /// The unit probably meant by `name`.
    init?(misspelt name: String)
}

extension QuantityUnit {
    /// The quantity in the largest unit with a whole number, or in the smallest.
    static func written(_ amount: Int64) -> String {
        let unit = Array(allCases).last { amount >= $0.size && amount % $0.size == 0 }
        guard let unit = unit ?? allCases.first else { return "\(amount)" }
        return "\(amount / unit.size)\(unit.rawValue)"
    }

    /// Parses a whole number and its unit without a space. The range only serves to suggest a
    /// missing unit.
    static func read(
        _ text: String, range: ClosedRange<Int64>, allowed: String
    ) throws(Mistake) -> Int64 {
        let number = text.prefix { $0 != " " && !$0.isLetter }
        let name = text.dropFirst(number.count).drop { $0 == " " }
        guard isNumber(String(number)) else {
            throw Mistake(
                "\(quoted(text)) is not \(quantity): write a whole number and its unit, as in "
                    + examples)
        }
        guard let count = Int64(number), count.magnitude < 1_000_000_000 else {
            throw .outOfRange(quoted(text), allowed)
        }
        if name.isEmpty {
            let meant = likelyFirst.first { range.contains(count * $0.size) }
            let question = meant.map { ", did you mean \(count)\($0.rawValue)?" }
            throw Mistake("\(text) has no unit\(question ?? ": allowed is \(allowed)")")
        }
        guard let unit = Self(rawValue: String(name)), number.count + name.count == text.count
        else {
            let meant = Self(misspelt: String(name))
            let question = meant.map { ", did you mean \(number)\($0.rawValue)?" } ?? ""
            let names = alternatives(allCases.map(\.rawValue))
            throw Mistake(
                "\(quoted(text)) is not \(quantity): the unit is \(names) and follows the number "
                    + "at once\(question)")
        }
        return count * unit.size
    }
}
