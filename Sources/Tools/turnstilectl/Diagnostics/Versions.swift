import GPIOHardware
import Hardware
import Ledger
import System
import Trace
import Turnstile

struct Versions {
    /// The service's, where it is known.
    var service: String?
    /// Where systemd is asked for its own.
    var bus: BusConnection.Bus

    var text: String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { name, version in
            "\(name.padded(to: width + 2))\(version)\n"
        }.joined()
    }

    private var rows: [(name: String, version: String)] {
        let kernel = Kernel.running
        return [
            ("turnstilectl", programVersion), ("turnstiled", service ?? "unknown"),
            ("vocabulary", "\(Vocabulary.version)"), ("trace", TraceFormat.version),
            ("library", Capabilities.ofLibgpiod.name), ("sqlite", sqliteVersion),
            ("systemd", systemd), ("kernel", kernel.release),
            ("architecture", kernel.architecture),
            ("system", Self.text(of: "/etc/os-release").flatMap(Self.systemName) ?? "unknown"),
            ("debian", Self.text(of: "/etc/debian_version")?.filter { !$0.isNewline } ?? "none"),
        ]
    }

    private var systemd: String {
        let patience = Duration.seconds(10)
        do throws(SystemError) {
            let connection = try BusConnection(to: bus)
            try connection.awaitReady(within: patience)
            let reply = try connection.call(
                .call(
                    "Get", on: "org.freedesktop.DBus.Properties", at: "/org/freedesktop/systemd1",
                    of: "org.freedesktop.systemd1",
                    [.string("org.freedesktop.systemd1.Manager"), .string("Version")]),
                within: patience)
            if let error = reply.errorText { return "unknown: \(error)" }
            return reply.body.first?.text ?? "unknown"
        } catch {
            return "unknown: \(error)"
        }
    }

    /// The system's name for people in a text as os-release(5) has it.
    static func systemName(in text: String) -> String? {
        let key = "PRETTY_NAME="
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line.map { $0.dropFirst(key.count).filter { $0 != "\"" && $0 != "'" } }
    }

    private static func text(of path: String) -> String? {
        let file = try? File(path: path, for: .reading, followsLinks: true)
        return (try? file?.read(4_096)).map { String(decoding: $0, as: UTF8.self) }
    }
}
