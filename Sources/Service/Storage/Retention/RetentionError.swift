import System

/// Why a file of retained state cannot be written or read.
public struct RetentionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A whole sentence: the file, the call, and what is wrong.
    public var description: String

    /// `problem` follows the path.
    init(_ path: String, _ problem: String) { description = "\(path): \(problem)" }

    init(_ error: SystemError) { description = "\(error)" }

    /// Converts the errors of `body`.
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
