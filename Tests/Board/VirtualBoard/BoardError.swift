/// What went wrong with the board itself, or with a command that was to succeed on it.
public struct BoardError: Error, CustomStringConvertible {
    /// The whole sentence, with the output of what failed.
    public var description: String

    /// An error with its sentence.
    public init(_ description: String) { self.description = description }
}
