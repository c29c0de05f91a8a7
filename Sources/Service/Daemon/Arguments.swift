import Settings
import Turnstile

/// An option of the command line: `--name`.
public protocol Flag: RawRepresentable<String>, CaseIterable, Hashable {
    /// The error for a missing value, of `--name VALUE` or `--name=VALUE`; nil for a flag.
    var question: String? { get }
}

/// A program's command line: flags, and a file of settings.
public struct Arguments<Name: Flag> {
    public private(set) var flags: [Name: String] = [:]
    public let path: String

    /// Parses the arguments, the program's name first.
    public init(_ arguments: [String]) throws(UsageError) {
        // Otherwise an ignored option, such as a late --version, would start the service. Linux
        // makes an empty list one of an empty name.
        guard !arguments.allSatisfy(\.isEmpty) else {
            throw UsageError("no argument has arrived, nor a name")
        }
        var operands: [String] = []
        var takesFlags = true
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if !takesFlags || !argument.hasPrefix("-") {
                operands.append(argument)
            } else if argument == "--" {
                takesFlags = false
            } else {
                let (name, value) = try Self.flag(argument == "-h" ? "--help" : argument, &rest)
                flags[name] = value
            }
        }
        guard operands.count <= 1 else {
            throw UsageError("one file of settings at most, not also '\(operands[1])'")
        }
        path = operands.first ?? Settings.standardPath
    }

    private static func flag(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> (Name, value: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard argument.hasPrefix("--"), let name = Name(rawValue: String(parts[0].dropFirst(2))),
            parts.count == 1 || name.question != nil
        else { throw UsageError(unknown: argument, among: Name.allCases.map(\.rawValue)) }
        guard let question = name.question else { return (name, "") }
        let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
        guard let value, !value.isEmpty else {
            throw UsageError("--\(name.rawValue): \(question)")
        }
        return (name, value)
    }
}

public struct UsageError: Error {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }

    fileprivate init(unknown argument: String, among flags: [String]) {
        let given = String(argument.drop { $0 == "-" }.prefix { $0 != "=" })
        let nearest = Spelling.nearest(to: given, among: flags)
        description =
            "unknown flag '\(argument)'" + (nearest.map { ", did you mean '--\($0)'?" } ?? "")
    }
}
