import Foundation
import Seeds
import Testing

@testable import Settings

/// The settings in force are shown key by key, with where each comes from.
@Suite struct ListingTests {
    static let files = Project.files(in: "config").filter { $0.hasSuffix(".yaml") }

    private func listing(_ path: String) throws -> SettingsListing {
        try SettingsListing(Project.bytes(of: path), file: path)
    }

    private func listing(sections: String) throws -> SettingsListing {
        try SettingsListing(
            Array("\(sections)\n\(GoodFilesTests.shortest)".utf8), file: "gate.yaml")
    }

    @Test(arguments: files) func showsWhatTheGoldenFileHas(file: String) throws {
        try expect("\(listing("config/\(file)"))", toBe: "show-\(file)")
    }

    @Test(arguments: files) func eachLineThatIsNamedHasTheKey(file: String) throws {
        let listing = try listing("config/\(file)")
        let text = try String(decoding: Project.bytes(of: "config/\(file)"), as: UTF8.self)
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

    @Test func tellsOfEveryKeyThatHasAValue() {
        var random = SeededGenerator.announced()
        for _ in 0..<100 {
            let settings = random.settings()
            let text = settings.yaml
            guard let listing = try? SettingsListing(Array(text.utf8), file: "gate.yaml") else {
                Issue.record("\(random)\n\(text)")
                continue
            }
            let keys = Schema.root.values(of: Draft(settings), at: "").map(\.place)
            let free = ["fare.price", "coin.unit"]
            let listed = listing.entries.map(\.key)
            #expect(keys.filter { !listed.contains($0) && !free.contains($0) } == [], "\(random)")
            let unset = listing.unset.map(\.key)
            #expect(Set(unset).isDisjoint(with: listed), "\(random)")
        }
    }

    @Test func whatFollowsAnotherKeySaysSo() throws {
        let sections = "fare: {price: 100}\ncoin: {unit: 50, second: {train_quiet: 150ms}}"
        let wired = GoodFilesTests.shortest
            .replacing("    fire:", with: "    coin_pulse: {line: 7}\n    fire:")
            .replacing("    fire:", with: "    coin_pulse_2: {line: 8}\n    fire:")
            .replacing("    lock_entry:", with: "    coin_inhibit: {line: 9}\n    lock_entry:")
            .replacing("    lock_entry:", with: "    coin_meter: {line: 10}\n    lock_entry:")
        let listing = try SettingsListing(Array("\(sections)\n\(wired)".utf8), file: "gate.yaml")
        #expect(listing["coin.second.unit"]?.origin == .key("coin.unit"))
        #expect(listing["coin.second.train_quiet"]?.origin == .file("gate.yaml", line: 2))
        #expect(listing["coin.meter_unit"]?.value == "50")
        #expect(listing["coin.meter_unit"]?.origin == .key("coin.unit"))
        #expect(listing["coin.train_quiet"]?.origin == .standard)
    }

    @Test func aGateWithoutCoinsHasNoPrice() throws {
        let listing = try listing(sections: "gate: {name: door}")
        #expect(listing["fare.price"] == nil && listing["coin.unit"] == nil)
        #expect(listing.unset.contains { $0.key == "fare.price" })
        #expect(listing["gate.name"]?.value == "door")
    }

    @Test func theSameIsThereInJSON() throws {
        let listing = try listing("config/two-way.yaml")
        let values = try #require(
            JSONSerialization.jsonObject(with: Data(listing.json.utf8)) as? [[String: String]])
        #expect(
            values
                == listing.entries.map {
                    ["key": $0.key, "value": $0.value, "origin": "\($0.origin)"]
                })
    }
}

/// Compares with a file beside the tests, which `UPDATE_GENERATED=1` writes anew.
func expect(_ text: String, toBe name: String) throws {
    let path = "Tests/Suites/SettingsTests/golden/\(name)"
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
        try text.write(toFile: Project.folder + path, atomically: true, encoding: .utf8)
    }
    let stored = try String(decoding: Project.bytes(of: path), as: UTF8.self)
    #expect(stored == text, "\(path) differs: run with UPDATE_GENERATED=1 to write it anew")
}
