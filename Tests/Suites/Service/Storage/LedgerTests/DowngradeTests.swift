import Checkout
import Foundation
import Testing

@testable import Ledger

/// The package refuses to replace one whose service has brought the ledger forward.
@Suite struct DowngradeTests {
    private static let preinst = Checkout.root.appending(path: "systemd/debian/turnstiled.preinst")

    /// What the package's script says on a board with these folders, where the package knows
    /// ledgers up to `version`; nil where it has no objection.
    private func objection(_ folder: Folder, knowing version: Int64) throws -> String? {
        let script = try String(contentsOf: Self.preinst, encoding: .utf8)
            .replacingOccurrences(of: "/var/lib/turnstiled", with: folder["lib"])
            .replacingOccurrences(of: "/etc/turnstiled", with: folder["etc"])
            .replacingOccurrences(of: "@LEDGER_VERSION@", with: "\(version)")
            .replacingOccurrences(of: "@VERSION@", with: "1.0")
        try folder.write(Data(script.utf8), to: "preinst")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [folder["preinst"], "upgrade"]
        let said = Pipe()
        process.standardError = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : text
    }

    @Test(
        arguments: [
            "lib/ledger.db", "lib/books", "elsewhere/ledger.db",
        ],
        [
            "ledger:\n  path: PATH   # here\n", "ledger: {path: PATH}\n",
            "ledger: {path: 'PATH'}\n",
            "ledger:\n  path: \"PATH\"\n",
        ])
    func `a ledger that is too new is found wherever it is`(
        name: String, settings: String
    ) throws {
        let folder = try Folder()
        for name in ["lib", "etc", "elsewhere"] {
            try FileManager.default.createDirectory(
                atPath: folder[name], withIntermediateDirectories: false)
        }
        let text = settings.replacingOccurrences(of: "PATH", with: folder[name])
        try folder.write(Data(text.utf8), to: "etc/turnstiled.yaml")
        #expect(try objection(folder, knowing: Schema.version) == nil)
        // Open, as while the service runs: what is new is in the log beside the file.
        let file = try folder.opening(name).open().file
        #expect(try objection(folder, knowing: Schema.version) == nil)
        let refusal = try objection(folder, knowing: Schema.version - 1)
        #expect(
            refusal?.contains("the ledger \(folder[name])\nis of version \(Schema.version)") == true
        )
        withExtendedLifetime(file) {}
    }
}
