import System

/// The root of all paths: `/`, or the root of an image or a test.
public struct Root: Sendable {
    private let prefix: String

    public init(_ path: String = "/") {
        prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    func callAsFunction(_ path: String) -> String { prefix + path }

    func status(_ path: String, followsLinks: Bool = true) -> Result<FileStatus, SystemError> {
        Result { () throws(SystemError) in
            try FileStatus(path: self(path), followsLinks: followsLinks)
        }
    }

    /// Whether the path exists; true as well if that cannot be found out.
    func has(_ path: String) -> Bool {
        switch status(path) {
        case .success: true
        case .failure(let error): !error.meansAbsence
        }
    }

    func text(_ path: String) -> Result<String, SystemError> {
        Result { () throws(SystemError) in
            let file = try File(path: self(path), for: .reading, followsLinks: true)
            return String(decoding: try file.read(Self.limit), as: UTF8.self)
        }
    }

    /// The names in a folder; empty if it is missing or unreadable.
    func names(in folder: String) -> [String] { (try? File.names(in: self(folder))) ?? [] }

    /// The path of the first file of this name in the folders; nil if it is missing in all.
    func first(_ name: String, in folders: [String]) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { (try? status($0).get()) != nil }
    }

    private static let limit = 1 << 18
}

extension SystemError {
    /// The error's text without call and path.
    var reason: String { errorText(errno) }
}
