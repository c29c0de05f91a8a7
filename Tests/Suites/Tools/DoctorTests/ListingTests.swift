import Foundation
import Settings
import Testing

@testable import Doctor

/// The settings in force are shown key by key, with where each comes from.
@Suite struct ListingTests {
    static let files = ["raspberry-pi.yaml", "turnstiled.yaml", "two-way.yaml"]

    private func listing(_ path: String) throws -> SettingsListing {
        try SettingsListing(Project.bytes(path), file: path)
    }

    @Test(arguments: files) func showsWhatTheGoldenFileHas(file: String) throws {
        try expect("\(listing("config/\(file)"))", toBe: "show-\(file)")
    }

    @Test(arguments: files) func eachLineThatIsNamedHasTheKey(file: String) throws {
        let listing = try listing("config/\(file)")
        let text = try Project.text("config/\(file)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var stated = 0
        for entry in listing.entries {
            guard case .file(let path, let line) = entry.origin else { continue }
            stated += 1
            let name = try #require(entry.key.split(separator: ".").last)
            #expect(path == "config/\(file)" && lines[line - 1].contains(name), "\(entry)")
        }
        #expect(stated > 15)
    }

    @Test func whatFollowsAnotherKeySaysSo() throws {
        let text = try Project.text("config/turnstiled.yaml")
            .replacing("#coin_pulse_2:", with: "coin_pulse_2:")
            .replacing("#coin_meter:", with: "coin_meter:")
            .replacing(
                "  #second: {values: {1: 20, 3: 50}, pulse_width: 25ms, train_quiet: 150ms}",
                with: "  second: {train_quiet: 150ms}")
        let listing = try SettingsListing(Array(text.utf8), file: "gate.yaml")
        #expect(listing["coin.second.unit"]?.origin == .key("coin.unit"))
        #expect(listing["coin.second.train_quiet"]?.origin == .file("gate.yaml", line: 30))
        #expect(listing["coin.meter_unit"]?.value == "50")
        #expect(listing["coin.meter_unit"]?.origin == .key("coin.unit"))
        #expect(listing["coin.late_coin_window"]?.origin == .file("gate.yaml", line: 24))
    }

    @Test func aGateWithoutCoinsHasNoPrice() throws {
        let text = try Project.text("config/turnstiled.yaml")
        let lines = text.split(separator: "\n").filter { line in
            !["fare:", "  price:", "  unit:", "    coin_"].contains { line.hasPrefix($0) }
        }
        let listing = try SettingsListing(
            Array(lines.joined(separator: "\n").utf8), file: "gate.yaml")
        #expect(listing["fare.price"] == nil && listing["coin.unit"] == nil)
        #expect(listing.unset.contains { $0.key == "fare.price" })
        #expect(listing["gate.name"]?.value == "turnstile")
    }

    @Test func theSameIsThereInJSON() throws {
        let listing = try listing("config/two-way.yaml")
        let values = try listing.json.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
        }
        #expect(
            values
                == listing.entries.map {
                    ["key": $0.key, "value": $0.value, "origin": "\($0.origin)"]
                })
    }
}
