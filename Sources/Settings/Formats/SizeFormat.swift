/// A unit in which a number of bytes may be written: as disks are sold, in powers of ten.
private enum SizeUnit: String, CaseIterable {
    case megabytes = "MB"
    case gigabytes = "GB"

    /// The unit in bytes.
    var bytes: Int64 {
        switch self {
        case .megabytes: 1_000_000
        case .gigabytes: 1_000_000_000
        }
    }

    /// The unit that somebody probably means by `name`.
    init?(misspelt name: String) {
        switch name.lowercased() {
        case "m", "mb", "mib", "mbyte", "mbytes", "megabyte", "megabytes": self = .megabytes
        case "g", "gb", "gib", "gbyte", "gbytes", "gigabyte", "gigabytes": self = .gigabytes
        default: return nil
        }
    }
}

extension Format where Value == Int64 {
    /// A number of bytes: a whole number and a unit without a space, `500MB`, `2GB`.
    static func size(_ range: ClosedRange<Int64>) -> Format {
        let allowed = "\(written(range.lowerBound)) to \(written(range.upperBound))"
        let unit = SizeUnit.megabytes
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: [written(range.lowerBound), written(range.upperBound)],
                refused: [
                    "\(range.lowerBound / unit.bytes - 1)MB",
                    "\(range.upperBound / unit.bytes + 1)MB", "500", "0", "1.5GB", "500MiB", "MB",
                ]),
            read: { scalar throws(FormatError) in
                let size = try read(scalar.text, range: range, allowed: allowed)
                guard range.contains(size) else { throw .outOfRange(scalar.text, allowed) }
                return size
            },
            write: written)
    }

    /// The size that `text` says. The range is for the question alone.
    private static func read(
        _ text: String, range: ClosedRange<Int64>, allowed: String
    ) throws(FormatError) -> Int64 {
        let number = text.prefix { $0 != " " && !$0.isLetter }
        let name = text.dropFirst(number.count).drop { $0 == " " }
        guard isNumber(String(number)) else {
            throw FormatError(
                "\(quoted(text)) is not a size: write a whole number and its unit, as in 500MB or "
                    + "2GB")
        }
        guard let count = Int64(number), count.magnitude < 1_000_000_000 else {
            throw .outOfRange(quoted(text), allowed)
        }
        if name.isEmpty {
            let meant = SizeUnit.allCases.first { range.contains(count * $0.bytes) }
            let question = meant.map { ", did you mean \(count)\($0.rawValue)?" }
            throw FormatError("\(text) has no unit\(question ?? ": allowed is \(allowed)")")
        }
        guard let unit = SizeUnit(rawValue: String(name)), number.count + name.count == text.count
        else {
            let meant = SizeUnit(misspelt: String(name))
            let question = meant.map { ", did you mean \(number)\($0.rawValue)?" } ?? ""
            throw FormatError(
                "\(quoted(text)) is not a size: the unit is MB or GB and follows the number at "
                    + "once\(question)")
        }
        return count * unit.bytes
    }

    /// The size in the largest unit that leaves a whole number.
    @Sendable private static func written(_ bytes: Int64) -> String {
        let unit = SizeUnit.allCases.last { bytes % $0.bytes == 0 } ?? .megabytes
        return "\(bytes / unit.bytes)\(unit.rawValue)"
    }
}

extension Int64 {
    /// So many bytes as the configuration writes them, whole megabytes: `500MB`.
    var writtenSize: String { Format.size(self...self).write(self) }
}
