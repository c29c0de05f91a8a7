import Hardware
import Turnstile

/// Warnings about names and choices of lines.
extension Reader {
    mutating func warnOfLines(_ draft: Draft) {
        warn(ofChip: draft.chip, at: "hardware.chip")
        for input in Input.allCases {
            guard let line = draft.inputs[input] else { continue }
            let place = place(of: input)
            if !warn(of: line.line, line.chip, at: place, draft) {
                warn(ofResistor: line, line.chip ?? draft.chip, at: place)
            }
        }
        for output in Output.allCases {
            guard let line = draft.outputs[output]?.line else { continue }
            let place = place(of: output)
            if !warn(of: line.line, line.chip, at: place, draft) {
                warn(ofStart: line, line.chip ?? draft.chip, at: "\(place).line")
            }
        }
    }

    /// Warnings common to inputs and outputs; returns whether the line was a wrong choice.
    private mutating func warn(
        of line: LineSelector, _ chip: ChipSelector?, at place: String, _ draft: Draft
    ) -> Bool {
        warn(ofChip: chip, at: "\(place).chip")
        warn(ofName: line, at: "\(place).line")
        return warn(ofHeader: line, chip ?? draft.chip, at: "\(place).line")
    }

    private mutating func warn(ofChip chip: ChipSelector?, at place: String) {
        switch chip {
        case .label(let text)? where text.hasPrefix("/"),
            .name(let text)? where text.hasPrefix("/"):
            let key = if case .label? = chip { "label" } else { "name" }
            warn(
                .chipByOtherKey,
                "\(quoted(text)) is a path, and no \(key): write {path: \(text)} or, since paths "
                    + "change with the kernel, the label that gpiodetect shows in brackets",
                at: "\(place).\(key)")
        case .label(let label)? where isName(label):
            warn(
                .chipByOtherKey,
                "\(quoted(label)) is a chip's name, and no label: write {name: \(label)} or, since "
                    + "names change with the kernel, the label that gpiodetect shows in brackets",
                at: "\(place).label")
        case .name(let name)? where !isName(name):
            warn(
                .chipByOtherKey,
                "\(quoted(name)) is no chip's name, which is gpiochip and a number: a label is "
                    + "written {label: \(name)}",
                at: "\(place).name")
        case .label?, .name?, .path?, nil: break
        }
    }

    private func isName(_ text: String) -> Bool {
        let prefix = "gpiochip"
        return text.hasPrefix(prefix) && isNumber(String(text.dropFirst(prefix.count)))
    }

    private mutating func warn(ofName line: LineSelector, at place: String) {
        guard case .name(let name) = line, isNumber(name) else { return }
        warn(
            .quotedNumber,
            "\(quoted(name)) is read as a name, because of the quotes: write \(name) for the line "
                + "at that offset; if a line really has this name, write its offset",
            at: place)
    }

    /// Warns of a Raspberry Pi's line that is not on the header, or is the board's own; returns
    /// whether it is.
    private mutating func warn(
        ofHeader line: LineSelector, _ chip: ChipSelector?, at place: String
    ) -> Bool {
        guard let number = RaspberryPiHeader.number(of: line, on: chip) else { return false }
        if RaspberryPiHeader.identification.contains(number) {
            warn(
                .pinOfTheBoard,
                "GPIO \(number) is the board's own: at each start it drives GPIO 0 and 1 to look "
                    + "for a board on top; choose a line from GPIO 4 to 27",
                at: place)
            return true
        }
        guard case .offset = line, number > RaspberryPiHeader.last else { return false }
        let legacy = number - RaspberryPiHeader.legacyBase
        let hint =
            if let meant = RaspberryPiHeader.number(ofPin: number) {
                "pin \(number) of the header is GPIO \(meant)"
            } else if (0...RaspberryPiHeader.last).contains(legacy) {
                "\(number) in /sys/class/gpio is GPIO \(legacy)"
            } else {
                "of a compute module name the line as gpioinfo does"
            }
        warn(
            .notOnTheHeader,
            "\(number) is not on the header of a Raspberry Pi, which has GPIO 0 to "
                + "\(RaspberryPiHeader.last): \(hint)",
            at: place)
        return true
    }

    private mutating func warn(
        ofResistor line: InputLine, _ chip: ChipSelector?, at place: String
    ) {
        guard line.bias == .pullDown else { return }
        if let number = RaspberryPiHeader.number(of: line.line, on: chip),
            RaspberryPiHeader.fixedPullUps.contains(number)
        {
            warn(
                .resistorNotThere,
                "pull_down, while the board has pull-ups of 1.8 kΩ on GPIO 2 and 3, which are "
                    + "stronger: an open line reads high; choose a line from GPIO 4 to 27",
                at: "\(place).bias")
        }
        guard case .label(let label)? = chip,
            let family = Self.expandersWithoutPullDown.first(where: label.hasPrefix)
        else { return }
        warn(
            .resistorNotThere,
            "pull_down, which no \(family)… has, and the kernel says nothing of it: an open line "
                + "reads anything, or high; fit a resistor to ground and write as_is, or turn the "
                + "contact round and write pull_up",
            at: "\(place).bias")
    }

    /// Prefixes of the labels of expanders without pull-downs.
    private static var expandersWithoutPullDown: [String] { ["mcp23", "pcf85", "pca85"] }

    /// Warns of an output that would be on before the service runs.
    private mutating func warn(
        ofStart line: OutputLine, _ chip: ChipSelector?, at place: String
    ) {
        guard let number = RaspberryPiHeader.number(of: line.line, on: chip) else { return }
        if number == RaspberryPiHeader.consoleOutput {
            warn(
                .pinOfTheBoard,
                "GPIO \(number) is the serial console's output: at each start the board writes "
                    + "its messages there, and the device rattles; choose another line",
                at: place)
        } else if RaspberryPiHeader.pulledUp.contains(number), !line.activeLow {
            let resistor = RaspberryPiHeader.fixedPullUps.contains(number) ? "1.8 kΩ" : "50 kΩ"
            warn(
                .energisedUntilStart,
                "GPIO \(number) is pulled up by \(resistor) from the power on until the service "
                    + "runs, and high energises: choose one from GPIO 9 to 27, which are pulled "
                    + "down, or a driver that needs more to switch on",
                at: place)
        }
    }
}
