import Foundation
import Testing

@testable import Settings

/// What stands where the settings should be is read only where it is a file, and small.
///
/// A test that would wait for a FIFO or read a device without an end hangs, and says so by that.
@Suite final class ReadFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What is said of the file at `path`.
    private func said(of path: String) -> String? {
        let errors = #expect(throws: SettingsErrors.self) { _ = try Settings.load(path: path) }
        return errors?.description
    }

    @Test func aFileThatIsNotThereSaysWhy() {
        #expect(
            said(of: "/nowhere/gate.yaml")
                == "/nowhere/gate.yaml: cannot open: No such file or directory")
    }

    @Test func `a machine without settings is told where samples are`() {
        let installed = Settings.samplesHint { $0.hasPrefix("/usr/local/") }
        #expect(
            installed == ": copy a sample there, from /usr/local/share/doc/turnstiled/examples")
        #expect(Settings.samplesHint { _ in false } == "")
    }

    @Test func aFolderIsRefused() {
        #expect(said(of: folder) == "\(folder): is a folder: name a regular file")
    }

    @Test func aFIFOThatNobodyWritesIsRefusedAtOnce() {
        let path = folder + "/fifo"
        // Sound: Swift lends the call the path as a C string.
        unsafe #expect(mkfifo(path, 0o600) == 0)
        #expect(said(of: path) == "\(path): is a FIFO: name a regular file")
    }

    @Test func aSocketIsRefused() throws {
        let path = folder + "/socket"
        // Sound: Swift lends the call the path as a C string.
        let made = unsafe mknod(path, S_IFSOCK | 0o600, 0)
        try #require(made == 0)
        #expect(said(of: path) == "\(path): is a socket: name a regular file")
    }

    @Test(arguments: ["/dev/zero", "/dev/null"]) func aDeviceIsRefused(path: String) {
        #expect(said(of: path) == "\(path): is a device: name a regular file")
    }

    /// The file has a hole of 100 MB: it would take memory to read it, and takes none to make it.
    @Test func aHugeFileIsNotRead() throws {
        let path = folder + "/huge"
        try Data().write(to: URL(filePath: path))
        // Sound: Swift lends the call the path as a C string.
        unsafe #expect(truncate(path, 100_000_000) == 0)
        #expect(
            said(of: path) == "\(path): the file is larger than 64 KiB, which is too large")
    }

    @Test func theLargestFileIsRead() throws {
        let path = folder + "/full"
        let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: Settings.maximumSize)
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try readFile(path, limit: Settings.maximumSize) == bytes)
        #expect(throws: Mistake.isLarger(than: bytes.count - 1)) {
            _ = try readFile(path, limit: bytes.count - 1)
        }
    }

    /// The kernel says of such a file that it has 0 bytes.
    @Test func aFileWhoseSizeIsNotKnownIsReadToItsLimit() throws {
        #expect(try !readFile("/proc/self/mounts", limit: 1 << 20).isEmpty)
        #expect(throws: Mistake.isLarger(than: 10)) {
            _ = try readFile("/proc/self/mounts", limit: 10)
        }
    }

    @Test func aLinkLeadsToTheFile() throws {
        let path = folder + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: Project.folder + "config/turnstiled.yaml")
        #expect(try Settings.load(path: path).gate == "turnstile")
    }
}
