public import Foundation

/// Where this project's files lie.
public enum Checkout {
    /// The repository's own folder.
    public static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// What `Tests/budgets` allows; nil if it has no such line.
    public static func budget(_ name: String) -> Double? {
        let text = try? String(contentsOf: root.appending(path: "Tests/budgets"), encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}
