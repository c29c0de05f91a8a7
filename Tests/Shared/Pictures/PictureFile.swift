import Checkout
public import Foundation

/// A file in docs/pictures.
public enum PictureFile {
    /// The repository that this was built from.
    public static let repository = Checkout.root
    /// Where the documents' pictures are.
    public static let folder = repository.appending(path: "docs/pictures")

    /// Whether the file has this text; writes it first where `UPDATE_GENERATED` is set.
    public static func holds(_ text: String, in name: String) throws -> Bool {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return try String(contentsOf: file, encoding: .utf8) == text
    }
}
