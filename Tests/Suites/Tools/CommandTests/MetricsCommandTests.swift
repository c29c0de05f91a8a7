import Foundation
import Testing

/// The file of metrics, as a collector finds it.
@Suite struct MetricsCommandTests {
    /// A file of its own.
    private let file = FileManager.default.temporaryDirectory
        .appending(path: "\(UUID().uuidString).prom")

    private var written: String {
        get throws { try String(contentsOf: file, encoding: .utf8) }
    }

    @Test func `the metrics are printed, or take the place of a file`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try "turnstile_up 7\n".write(to: file, atomically: true, encoding: .utf8)
        let gate = try FakeGate()
        let printed = try Command("metrics", at: gate.address)
        let command = try Command("metrics", "-o", file.path, at: gate.address)
        gate.stop()
        #expect(printed.code == 0 && command.code == 0 && command.output == "")
        #expect(printed.output.contains("\nturnstile_up 1\n"))
        #expect(printed.output.contains("\nturnstile_starts_total 12\n"))
        #expect(try written == printed.output)
    }

    @Test func `69: a service that does not answer is told, and the reason`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let gate = try FakeGate()
        gate.stop()
        let command = try Command("metrics", "-o", file.path, at: gate.address)
        #expect(command.code == 69)
        #expect(command.errors.contains("systemctl status turnstiled"))
        #expect(try written.hasSuffix("\nturnstile_up 0\n"))
    }

    @Test func `64: the metrics have no other format`() throws {
        let command = try Command("metrics", "--json", at: nil)
        #expect(command.code == 64 && command.output == "")
    }
}
