import Hardware
import System
import Testing
import Turnstile

@testable import Settings

/// The wiring as people read it; docs/configuration.md holds a whole one.
@Suite struct WiringTableTests {
    private func table(_ file: String, _ change: (inout Wiring) -> Void = { _ in }) throws -> String
    {
        var settings = try Settings.load(path: Project.folder + file)
        change(&settings.wiring)
        return WiringTable(settings).description
    }

    @Test(arguments: Project.files(in: "config").filter { $0.hasSuffix(".yaml") })
    func `each wired line has a row, and no row is wide`(file: String) throws {
        let wiring = try Settings.load(path: "\(Project.folder)config/\(file)").wiring
        let longest = String(repeating: "x", count: kernelNameLimit)
        let text = try table("config/\(file)") { wiring in
            wiring.inputs = wiring.inputs.mapValues { line in
                InputLine(
                    chip: .label(longest), line: .name(longest), bias: .asIs)
            }
            wiring.outputs = wiring.outputs.mapValues { line in
                OutputLine(
                    chip: .label(longest), line: .name(longest), maximumOnTime: .seconds(299),
                    powerLoss: line.powerLoss)
            }
        }
        let rows = text.split(separator: "\n")
        #expect(rows.allSatisfy { $0.count <= 100 }, "\(text)")
        for line in wiring.lines {
            #expect(rows.count { $0.hasPrefix("\(line) ") } == 1)
        }
    }

    @Test func `no name is too long or too wide for it`() throws {
        let wide = String(repeating: "駅", count: 10)
        let text = try table("config/two-way.yaml") { wiring in
            wiring.chip = .path("/dev/" + String(repeating: "x", count: 250))
            wiring.inputs[.fire] = InputLine(chip: .label(wide), line: .name(wide), bias: .pullUp)
        }
        let rows = text.split(separator: "\n")
        #expect(rows.allSatisfy { $0.terminalColumns <= 100 }, "\(text)")
        func column(_ word: Regex<Substring>, in row: String) -> Int? {
            let row = rows.first { $0.hasPrefix(row) }
            return row.flatMap { row in
                row.firstRange(of: word).map { row[..<$0.lowerBound].terminalColumns }
            }
        }
        let start = try #require(column(/active/, in: "input "), "\(text)")
        #expect(column(/high|low/, in: "fire ") == start, "\(text)")
    }

    @Test(arguments: [
        ("lock_entry", "high       low   lock opens"),
        ("lock_entry_hold", "high       low   lock opens"),
        ("lock_exit_hold", "high       low   lock stays locked"),
        ("drop_arm", "high       low   arm stays up"),
        ("coin_inhibit", "low        high  coins are refused"),
        ("alarm", "high       low   silent; 3min at most"),
        ("fire", "high    pull_up  active: an emergency"),
        ("stop", "low     pull_up  inactive"),
        ("vault_full", "high    pull_up  active"),
        ("home", "low     as_is    as the resistor has it"),
    ])
    func `a row says what levels mean and what is so without power`(
        role: String, end: String
    ) throws {
        let text = try table("config/two-way.yaml") { wiring in
            wiring.outputs[.coinEnable]?.activeLow = true
            wiring.inputs[.home]?.bias = .asIs
            wiring.inputs[.vaultFull]?.activeLow = false
            wiring.outputs[.lockExit]?.powerLoss = .failSecure
        }
        let row = text.split(separator: "\n").first { $0.hasPrefix("\(role) ") }
        let cells = (row ?? "").split(separator: " ").joined(separator: " ")
        #expect(cells.hasSuffix(end.split(separator: " ").joined(separator: " ")), "\(text)")
    }

    @Test func `a line names a chip of its own, and of what is long its end is shown`() throws {
        let text = try table("config/two-way.yaml") { wiring in
            wiring.inputs[.stop]?.chip = .label("expander")
            wiring.inputs[.home]?.line = .name(String(repeating: "x", count: 40) + "_HOME")
        }
        #expect(text.contains(#/\nstop +expander STOP  /#), "\(text)")
        #expect(text.contains(#/\nfire +FIRE  /#), "\(text)")
        #expect(text.contains(#/\nhome +…x{26}_HOME  /#), "\(text)")
    }
}
