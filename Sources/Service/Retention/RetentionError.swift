import System

/// Why something cannot be kept in a file, or read from it.
public struct RetentionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The whole sentence: the file, what was tried, and what is wrong.
    public var description: String

    /// The file at `path` is not what it should be, in words that follow its path.
    init(_ path: String, _ problem: String) { description = "\(path): \(problem)" }

    init(_ error: SystemError) { description = "\(error)" }

    /// What `body` returns; what it throws, as an error of this kind.
    static func wrap<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(RetentionError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw RetentionError(error)
        }
    }
}
