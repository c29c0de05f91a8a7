public import Foundation

/// Where this project's files lie.
public enum Checkout {
    /// The repository's own folder.
    public static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
}
