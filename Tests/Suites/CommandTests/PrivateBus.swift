import Foundation
import Testing

/// A bus of a test's own: a `dbus-daemon` that ends with it.
final class PrivateBus {
    private let daemon = Process()
    private let folder: URL
    /// Where it is.
    let address: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = folder.appending(path: "bus.conf")
        try Self.settings(folder).write(to: settings, atomically: false, encoding: .utf8)
        let output = Pipe()
        daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        daemon.arguments = [
            "--nofork", "--nopidfile", "--print-address=1", "--config-file=\(settings.path)",
        ]
        daemon.standardInput = FileHandle.nullDevice
        daemon.standardOutput = output
        // It says that it may not have more descriptors, of which it needs none.
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        // The daemon says where it is once it listens.
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            try #require(!piece.isEmpty, "dbus-daemon does not start")
            line += piece
        }
        address = String(decoding: line.dropLast(), as: UTF8.self)
    }

    deinit {
        daemon.terminate()
        daemon.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func settings(_ folder: URL) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder.path)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}
