/// Where in the source a statement of a table stands, or the route of an event.
public struct SourceLocation: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The file, as `Module/File.swift`.
    public let file: String
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    /// A place, as `#fileID`, `#line` and `#column` have it.
    package init(_ file: StaticString, _ line: UInt, _ column: UInt) {
        self.file = file.description
        self.line = line
        self.column = column
    }

    /// By file, then from top to bottom.
    public static func < (a: SourceLocation, b: SourceLocation) -> Bool {
        (a.file, a.line, a.column) < (b.file, b.line, b.column)
    }

    /// `file:line:column`, as the compiler writes it.
    public var description: String { "\(file):\(line):\(column)" }
}
