/// A unit in which a quantity may be written: its raw value follows the number at once, `250ms`.
protocol QuantityUnit: RawRepresentable<String>, CaseIterable {
    /// What is written in such units, in words: `a duration`.
    static var quantity: String { get }
    /// How it is written, for whoever wrote something else.
    static var examples: String { get }
    /// In which order it is asked which unit was meant, where there is none.
    static var likelyFirst: [Self] { get }

    /// How much it is, in the smallest that is counted.
    var size: Int64 { get }
    /// The unit that somebody probably means by `name`.
    init?(misspelt name: String)
}

extension QuantityUnit {
    /// So much in the largest unit that leaves a whole number; in the smallest where none does.
    static func written(_ amount: Int64) -> String {
        let unit = Array(allCases).last { amount >= $0.size && amount % $0.size == 0 }
        guard let unit = unit ?? allCases.first else { return "\(amount)" }
        return "\(amount / unit.size)\(unit.rawValue)"
    }

    /// How much `text` says: a whole number and its unit, with nothing in between. What is allowed
    /// is for the question alone which unit was meant.
    static func read(
        _ text: String, range: ClosedRange<Int64>, allowed: String
    ) throws(SettingsProblem) -> Int64 {
        let number = text.prefix { $0 != " " && !$0.isLetter }
        let name = text.dropFirst(number.count).drop { $0 == " " }
        guard isNumber(String(number)) else {
            throw SettingsProblem(
                "\(quoted(text)) is not \(quantity): write a whole number and its unit, as in "
                    + examples)
        }
        guard let count = Int64(number), count.magnitude < 1_000_000_000 else {
            throw .outOfRange(quoted(text), allowed)
        }
        if name.isEmpty {
            let meant = likelyFirst.first { range.contains(count * $0.size) }
            let question = meant.map { ", did you mean \(count)\($0.rawValue)?" }
            throw SettingsProblem("\(text) has no unit\(question ?? ": allowed is \(allowed)")")
        }
        guard let unit = Self(rawValue: String(name)), number.count + name.count == text.count
        else {
            let meant = Self(misspelt: String(name))
            let question = meant.map { ", did you mean \(number)\($0.rawValue)?" } ?? ""
            let names = alternatives(allCases.map(\.rawValue))
            throw SettingsProblem(
                "\(quoted(text)) is not \(quantity): the unit is \(names) and follows the number "
                    + "at once\(question)")
        }
        return count * unit.size
    }
}
