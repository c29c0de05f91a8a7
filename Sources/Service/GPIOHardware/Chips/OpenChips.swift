import Hardware

/// The chips that a wiring names, each opened when it is first asked for.
final class OpenChips {
    private var chips: [ChipSelector: (chip: Chip, contents: ChipContents)] = [:]

    func contents(of selector: ChipSelector) throws(HardwareError) -> ChipContents {
        if let known = chips[selector] { return known.contents }
        let chip = try ChipSearch.open(selector)
        do {
            let contents = ChipContents(identity: chip.identity, lines: try chip.lines())
            chips[selector] = (chip, contents)
            return contents
        } catch {
            throw HardwareError(
                .failed, "cannot list the lines of \(chip.identity): \(error.call): \(error.reason)"
            )
        }
    }

    func chip(of line: LineIdentity) -> Chip {
        for (chip, _) in chips.values where chip.identity.name == line.chip { return chip }
        preconditionFailure("\(line) was found on a chip that is not open")
    }
}
