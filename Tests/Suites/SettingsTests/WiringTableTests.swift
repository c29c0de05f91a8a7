import Hardware
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

    @Test(arguments: [
        ("lock_entry", "high       low   lock opens"),
        ("lock_exit_hold", "high       low   lock opens"),
        ("drop_arm", "high       low   arm stays up"),
        ("coin_inhibit", "low        high  coins are refused"),
        ("alarm", "high       low   silent; 3min at most"),
        ("fire", "high    pull_up  active: an emergency"),
        ("stop", "low     pull_up  inactive"),
        ("home", "low     as_is    as the resistor has it"),
    ])
    func `a row says what levels mean and what is so without power`(
        role: String, end: String
    ) throws {
        let text = try table("config/two-way.yaml") { wiring in
            wiring.outputs[.coinEnable]?.activeLow = true
            wiring.inputs[.home]?.bias = .asIs
        }
        let row = text.split(separator: "\n").first { $0.hasPrefix("\(role) ") }
        let cells = (row ?? "").split(separator: " ").joined(separator: " ")
        #expect(cells.hasSuffix(end.split(separator: " ").joined(separator: " ")), "\(text)")
    }
}
