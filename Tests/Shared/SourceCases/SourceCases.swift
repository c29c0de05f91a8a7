import Checkout
import Foundation

/// The cases of an enum that cannot list them, since they carry values: by name, as they stand in
/// its source.
///
/// A list of samples that leaves one out compiles; beside these names it is found.
public enum SourceCases {
    /// The names of the cases of `type`, each of which has a line of its own in the file at `path`,
    /// such as `Sources/Gate/Turnstile/Catalogue/Records.swift`.
    public static func names(of type: String, in path: String) throws -> Set<String> {
        let source = try String(contentsOf: repository.appending(path: path), encoding: .utf8)
        let body = source.components(separatedBy: "public enum \(type): ").dropFirst().first ?? ""
        let lines = body.components(separatedBy: "\n}\n")[0].components(separatedBy: "\n")
        return Set(
            lines.filter { $0.hasPrefix("    case ") }
                .map { String($0.dropFirst(9).prefix { $0.isLetter || $0.isNumber }) })
    }

    /// The name of the case that `value` is of.
    public static func name(of value: some Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }

    private static let repository = Checkout.root
}
