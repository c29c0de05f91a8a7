import Hardware
import System
import Turnstile

/// A wiring as a table for people: the meaning of each level, and the state without power.
public struct WiringTable: CustomStringConvertible {
    /// No wider than 100 columns, with a final line feed.
    public let description: String

    public init(_ settings: Settings) {
        let wiring = settings.wiring
        let inputs = Input.allCases.compactMap { input in
            wiring.inputs[input].map { line in
                [
                    input.name, Self.place(line.line, line.chip), line.activeLow ? "low" : "high",
                    line.bias.rawValue, line.whenCut(input),
                ]
            }
        }
        let outputs = Output.allCases.compactMap { output in
            wiring.outputs[output].map { line in
                [
                    output.name, Self.place(line.line, line.chip), line.activeLow ? "low" : "high",
                    line.activeLow ? "high" : "low",
                    wiring.unpowered(output)
                        + (wiring.maximumOnTimes[output].map { "; \($0.written) at most" } ?? ""),
                ]
            }
        }
        let chip = Self.cut(wiring.chip.written.name, at: 60)
        description =
            "chip \(chip), unless a line names another one\n\n"
            + Self.text([["input", "line", "active", "bias", "with its wire cut"]] + inputs) + "\n"
            + Self.text([["output", "line", "energised", "safe", "without power"]] + outputs)
    }

    private static func text(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].terminalColumns }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).dropLast().map { cell, width in
                cell + String(repeating: " ", count: width - cell.terminalColumns + 2)
            }
            return "\(cells.joined())\(row[row.count - 1])\n"
        }.joined()
    }

    private static func place(_ line: LineSelector, _ chip: ChipSelector?) -> String {
        let name =
            switch line {
            case .name(let name): name
            case .offset(let offset): "\(offset)"
            }
        return cut(chip.map { "\($0.written.name) \(name)" } ?? name, at: 32)
    }

    /// Shortens a text at its beginning, with a mark, to this many columns.
    private static func cut(_ text: String, at columns: Int) -> String {
        text.terminalColumns <= columns
            ? text : "…\(text.suffix(terminalColumns: columns - 1))"
    }
}

extension Wiring {
    /// The state without power; a holding coil's is its lock's.
    fileprivate func unpowered(_ output: Output) -> String {
        let isFailSafe = outputs[output.way?.lock ?? output]?.powerLoss == .failSafe
        return isFailSafe
            ? output.entry.unpoweredFailSafe ?? output.entry.unpowered
            : output.entry.unpowered
    }
}

extension InputLine {
    /// The input's state if its wire is cut.
    fileprivate func whenCut(_ input: Input) -> String {
        guard let isActive = isActiveWhenCut else { return "as the resistor has it" }
        let state = isActive ? "active" : "inactive"
        return input == .fire && isActive ? "active: an emergency" : state
    }
}
