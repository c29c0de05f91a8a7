import Foundation
import Settings
import Testing

@testable import Doctor

/// What a reload of the file would change is shown with both places, and whether it can.
@Suite struct DifferenceTests {
    private func difference(_ changes: [(String, String)]) throws -> SettingsDifference {
        let bytes = try Project.bytes("config/two-way.yaml")
        var text = String(decoding: bytes, as: UTF8.self)
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return SettingsDifference(
            from: try SettingsListing(bytes, file: "/run/turnstiled/settings.yaml"),
            to: try SettingsListing(Array(text.utf8), file: "/etc/turnstiled/turnstiled.yaml"))
    }

    private static let policy = [
        ("fare: {price: 150}", "fare: {price: 200}"), ("    pulse_width: 25ms\n", ""),
        ("  max_stored: 5\n", "  max_stored: 5\n  pass_wait: 8s\n"),
        ("  credit_expiry: 2min\n", ""), ("from: 16:00", "from: 15:00"),
    ]

    @Test func aPolicyIsTakenByARunningService() throws {
        let difference = try difference(Self.policy)
        #expect(!difference.needsRestart)
        try expect("\(difference)", toBe: "diff-policy")
    }

    @Test func aReloadWithNewWiringIsRefusedAsAWhole() throws {
        let wiring = ("gate: {name: two-way}", "gate: {name: north}")
        let difference = try difference(Self.policy + [wiring])
        #expect(difference.needsRestart)
        #expect(difference.changes.filter(\.needsRestart).map(\.key) == ["gate.name"])
        try expect("\(difference)", toBe: "diff-restart")
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        let folder = Project.folder.appending(path: "config").path
        let same = try SettingsDifference(
            path: "\(folder)/two-way.yaml", inForce: "\(folder)/two-way.yaml")
        #expect(same.changes == [] && !same.needsRestart)
        let missing = #expect(throws: SettingsErrors.self) {
            try SettingsDifference(path: "\(folder)/two-way.yaml", inForce: "/nowhere")
        }
        #expect(missing?.description == "/nowhere: cannot open: No such file or directory")
        let bad = #expect(throws: SettingsErrors.self) {
            try SettingsDifference(
                path: "\(folder)/bad/fare.yaml", inForce: "\(folder)/two-way.yaml")
        }
        #expect(bad?.description.contains("bad/fare.yaml:") == true)
    }

    @Test func whatIsWrittenInAnotherWayIsNoDifference() throws {
        let difference = try difference([("credit_expiry: 2min", "credit_expiry: 120s")])
        #expect(difference.changes == [])
        #expect(
            "\(difference)"
                == "/etc/turnstiled/turnstiled.yaml: no difference from the settings in force\n")
        #expect(difference.json == "")
    }

    @Test func theSameIsThereInJSON() throws {
        let difference = try difference([
            ("fare: {price: 150}", "fare: {price: 200}"), ("    pulse_width: 25ms\n", ""),
        ])
        let changes = try difference.json.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary)
        }
        #expect(
            changes == [
                [
                    "key": "fare.price", "old": "150", "new": "200", "needs_restart": false,
                    "old_origin": "/run/turnstiled/settings.yaml:8",
                    "new_origin": "/etc/turnstiled/turnstiled.yaml:8",
                ],
                [
                    "key": "coin.second.pulse_width", "old": "25ms", "new": "50ms",
                    "needs_restart": false, "old_origin": "/run/turnstiled/settings.yaml:16",
                    "new_origin": "as coin.pulse_width",
                ],
            ])
    }
}
