import Foundation
import Testing

/// What systemd's journal hears of the daemon where there is one.
@Suite(.enabled(if: DaemonProcess.canHaveJournal, "needs leave to make namespaces"))
struct JournalTests {
    @Test(
        arguments: [
            (["--simulate"], "so the service does not start"), (["--check-config"], "refused"),
        ])
    func `mistakes in the settings are errors that a filter finds`(
        flags: [String], outcome: String
    ) throws {
        let file = "config/bad/several.yaml"
        let daemon = try DaemonProcess(flags + [file], hasJournal: true)
        let said = try (0..<6).map { _ in try daemon.awaitEntry() }
        for entry in said {
            #expect(entry.hasPrefix("MESSAGE=\(file):"))
            #expect(entry.contains("\nPRIORITY=3\nMESSAGE_ID="))
            #expect(entry.contains("\nTURNSTILE_EVENT=configuration_mistake\n"))
        }
        #expect(Set(said).count == said.count)
        #expect(said[5].hasPrefix("MESSAGE=\(file): 5 mistakes, \(outcome)\n"))
        let end = daemon.end()
        #expect(end.code == 78)
        #expect(end.text.isEmpty)
    }

    @Test func `mistakes that were said at the start are not said again by the end`() throws {
        let file = "config/bad/fare.yaml"
        let end = try DaemonProcess(["--safe-state", file], hasJournal: true).end()
        #expect(end.code == 78)
        #expect(end.text.hasPrefix("\(file):4:3: "))
    }
}
