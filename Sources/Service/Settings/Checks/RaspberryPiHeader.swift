import Hardware

/// The header of a Raspberry Pi: its lines, and their state after a reset.
///
/// From BCM2835 ARM Peripherals, table 6-31 (page 102): GPIO 0 to 8 are pulled up after a reset,
/// GPIO 9 to 27 down. BCM2711 ARM Peripherals and RP1 Peripherals say the same of their boards'
/// headers. The rest is from the boards' schematics.
enum RaspberryPiHeader {
    /// The labels of its chips, from the first board to the fifth.
    static let labels: Set<String> = ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"]

    /// The GPIO of a line, by its offset or name; nil on other chips.
    static func number(of line: LineSelector, on chip: ChipSelector?) -> Int? {
        guard case .label(let label)? = chip, labels.contains(label) else { return nil }
        switch line {
        case .offset(let offset): return offset
        case .name(let name): return name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) : nil
        }
    }

    /// The last GPIO on the header.
    static let last = 27
    /// Pulled up from the reset on; the others are pulled down.
    static let pulledUp = 0...8
    /// Pulled up by a resistor of 1.8 kΩ on the board, which cannot be turned off.
    static let fixedPullUps = 2...3
    /// Driven by the firmware to detect a HAT.
    static let identification = 0...1
    /// The serial console of firmware and kernel.
    static let consoleOutput = 14
    /// The offset of GPIO numbers in `/sys/class/gpio`, since Linux 6.6.
    static let legacyBase = 512

    /// The GPIO at a pin of the header; nil for a supply or ground.
    static func number(ofPin pin: Int) -> Int? {
        pins.first { $0.pin == pin }?.number
    }

    private static let pins: [(pin: Int, number: Int)] = [
        (3, 2), (5, 3), (7, 4), (8, 14), (10, 15), (11, 17), (12, 18), (13, 27), (15, 22),
        (16, 23), (18, 24), (19, 10), (21, 9), (22, 25), (23, 11), (24, 8), (26, 7), (27, 0),
        (28, 1), (29, 5), (31, 6), (32, 12), (33, 13), (35, 19), (36, 16), (37, 26), (38, 20),
        (40, 21),
    ]
}
