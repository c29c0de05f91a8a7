/// The units of sizes: powers of ten, as for disks.
private enum SizeUnit: String, QuantityUnit {
    case megabytes = "MB"
    case gigabytes = "GB"

    static var quantity: String { "a size" }
    static var examples: String { "500MB or 2GB" }
    static var likelyFirst: [SizeUnit] { allCases }

    var size: Int64 {
        switch self {
        case .megabytes: 1_000_000
        case .gigabytes: 1_000_000_000
        }
    }

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
        let (first, last) = (range.lowerBound.writtenSize, range.upperBound.writtenSize)
        let allowed = "\(first) to \(last)"
        let unit = SizeUnit.megabytes
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: [first, last],
                refused: [
                    "\(range.lowerBound / unit.size - 1)MB",
                    "\(range.upperBound / unit.size + 1)MB", "500", "0", "1.5GB", "500MiB", "MB",
                ]),
            read: { scalar throws(Mistake) in
                let size = try SizeUnit.read(scalar.text, range: range, allowed: allowed)
                guard range.contains(size) else { throw .outOfRange(scalar.text, allowed) }
                return size
            },
            write: \.writtenSize)
    }
}

extension Format where Value == Int64? {
    static func sizeOrOff(_ range: ClosedRange<Int64>) -> Format {
        let size = Format<Int64>.size(range)
        return Format(
            allowed: "\(size.allowed), or off",
            edge: Edge(
                accepted: size.edge.accepted + ["off"], refused: size.edge.refused + ["no", "''"]),
            read: { scalar throws(Mistake) in
                scalar.text == "off" ? nil : try size.read(scalar)
            },
            write: { $0.map(size.write) ?? "off" })
    }
}

extension Int64 {
    /// In the largest unit with a whole number: `500MB`, `2GB`.
    var writtenSize: String { SizeUnit.written(self) }
}
