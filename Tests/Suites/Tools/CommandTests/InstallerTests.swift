import Console
import Foundation
import Hardware
import SimulatedHardware
import StateMachines
import System
import Testing
import Turnstile

@testable import turnstilectl

/// What an installer types.
@Suite struct InstallerTests {
    private static let settings = Command.repository.appending(path: "config/turnstiled.yaml").path

    /// A simulated gate in virtual time, of which these inputs are heard.
    private func bank(_ inputs: [Input]) throws -> SimulatedBank {
        let lines = inputs.enumerated().map { index, input in
            (input, InputLine(line: .offset(index)))
        }
        let wiring = Wiring(
            chip: .label("test"), inputs: Dictionary(lines) { $1 }, outputs: [:])
        var policy = Policy.blank
        policy.coins[.first].values = .proportional(unit: 50)
        return try SimulatedBank(
            World(Physics(wiring: wiring, policy: policy), seed: 1), wiring: wiring)
    }

    private func text(_ page: [[Span]]) -> [String] { page.map { $0.map(\.text).joined() } }

    @Test func `coins are measured as they fall`() throws {
        let bank = try bank([.coinPulse])
        let recorder = LineRecorder(LineEdges(bank, [.input(.coinPulse)]), [.coinPulse])
        // Somebody on whom the acceptor does not look: it takes what falls past its gate.
        for pulses in [1, 3, 3] {
            bank.perform(.coinFished(pulses: pulses))
            bank.advance(to: bank.now + .seconds(3))
            try recorder.takeEdges()
        }
        let news = try #require(recorder.takeNews())
        #expect(news.hasSuffix(" edges") && recorder.takeNews() == nil)
        let measured = MeasurementPage(subject: .acceptor(.first), recorder: recorder)
        #expect(
            measured.object.map(\.0) == [
                "lines", "widths_nsec", "gaps_nsec", "coins", "bounces", "longest_bounce_nsec",
                "pulse_width_usec", "train_quiet_usec", "warnings",
            ])
        let page = text(measured.lines)
        #expect(page.first == "7 pulses, 3 coins")
        #expect(page.contains { $0.hasPrefix("  pulse_width: ") })
        #expect(page.contains { $0.contains("came: 1: 1 coin, 3: 2 coins") })
        #expect(!page.contains { $0.hasPrefix("warning") }, "\(page)")
    }

    @Test func `sensors are measured as the arm turns`() throws {
        let bank = try bank([.rotorA, .rotorB])
        let source = LineEdges(bank, [.input(.rotorA), .input(.rotorB)])
        let recorder = LineRecorder(source, [.rotorA, .rotorB])
        for _ in 0..<3 {
            bank.perform(.armForced(.entry))
            bank.advance(to: bank.now + .seconds(3))
            try recorder.takeEdges()
        }
        let measured = MeasurementPage(subject: .sensors(.rotorA, .rotorB), recorder: recorder)
        #expect(
            measured.object.map(\.0) == [
                "lines", "entries", "exits", "verdict", "bounces", "longest_bounce_nsec",
                "debounce_usec", "warnings",
            ])
        let page = text(measured.lines)
        #expect(page[0] == "3 turns inwards, 0 outwards")
        #expect(page[1] == "the sensors are as they are named")
        #expect(page.contains { $0.hasPrefix("    rotor_a: {debounce: ") })
    }

    @Test func `what cannot be measured is told, with what can`() throws {
        let command = try Command("lines", "measure", "fire", at: nil)
        #expect(command.code == 64)
        #expect(command.errors.contains("'rotor_a rotor_b'"))
    }

    @Test func `without a chip the lines are shown, and nothing is measured`() throws {
        let lines = try Command("lines", "--settings", Self.settings, at: nil)
        #expect(lines.code == 0)
        let rows = lines.output.split(separator: "\n")
        let roles = rows.compactMap { $0.split(separator: " ").first }
        #expect(roles.prefix(3) == ["role", "coin_pulse", "rotor_a"])
        let measured = try Command(
            "lines", "measure", "coin_pulse", "--for", "1s", "--settings", Self.settings, at: nil)
        #expect(measured.code == 69 && measured.output == "")
        #expect(measured.errors.contains("GPIO chip"))
    }

    @Test func `lines are objects as well`() throws {
        let lines = try Command("lines", "--json", "--settings", Self.settings, at: nil)
        let objects = try lines.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count == 11)
        #expect(objects[0]["role"] as? String == "coin_pulse")
        #expect(objects[0]["active_low"] as? Bool == true)
        // Nothing is known of a place where there is no chip.
        #expect(objects[0]["line"] == nil)
        #expect((objects[0]["problem"] as? String)?.isEmpty == false)
    }

    @Test func `settings are shown with where they come from`() throws {
        let shown = try Command("settings", "show", Self.settings, at: nil)
        #expect(shown.code == 0)
        #expect(
            shown.output.split(separator: "\n").contains {
                $0.hasPrefix("fare.price: 150 ") && $0.contains("turnstiled.yaml:")
            })
    }

    @Test func `settings are objects in UTF-8 whatever the terminal shows`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "gate.yaml")
        let text = try String(contentsOfFile: Self.settings, encoding: .utf8)
        try Data(text.replacing(/name: [^\n]+/, with: "name: Zürich", maxReplacements: 1).utf8)
            .write(to: file)
        let shown = try Command(
            shell: "LANG=C turnstilectl settings show --json \(file.path)", at: nil)
        let objects = try shown.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
        }
        #expect(objects.first { $0["key"] == "gate.name" }?["value"] == "Zürich")
    }

    @Test func `settings that are not there are told`() throws {
        for arguments in [["show"], ["diff"], ["show", "/nowhere.yaml"]] {
            let command = try Command(["settings"] + arguments, at: nil)
            #expect(command.code == 66 && command.output == "")
            #expect(command.errors.contains("No such file"))
            let isFile = arguments.count == 2
            #expect(command.errors.contains("settings show FILE") != isFile)
        }
    }

    @Test func `the doctor finds what is wrong here, and ends with 2`() throws {
        let report = try Command("doctor", "--settings", "/nowhere.yaml", at: nil)
        #expect(report.code == 2)
        #expect(report.output.hasPrefix("wrong    settings"))
        let json = try Command("doctor", "--json", "--settings", "/nowhere.yaml", at: nil)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["verdict"] as? String == "wrong" && json.code == 2)
        #expect(json.output.split(separator: "\n").count == 1)
        #expect(report.output.hasSuffix(" ok\n"), "it ends with its last line")
    }
}
