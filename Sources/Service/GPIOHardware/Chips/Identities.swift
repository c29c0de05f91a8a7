/// A chip as people know it.
struct ChipIdentity: Hashable, CustomStringConvertible {
    /// The kernel's name: `gpiochip0`.
    var name: String
    /// The driver's or firmware's name: `pinctrl-bcm2835`.
    var label: String
    /// How many lines it has; their offsets count from 0.
    var lineCount: Int

    /// `gpiochip0 "pinctrl-bcm2835"`.
    var description: String { "\(name) \"\(label)\"" }
}

/// A line as people know it.
struct LineIdentity: Hashable, CustomStringConvertible {
    /// The kernel's name of its chip: `gpiochip0`.
    var chip: String
    var offset: Int
    /// Its name, empty for a line without one.
    var name: String

    /// `line COIN (gpiochip0/4)`, or `line gpiochip0/4` for a line without a name.
    var description: String {
        let place = "\(chip)/\(offset)"
        return name.isEmpty ? "line \(place)" : "line \(name) (\(place))"
    }
}

/// The kernel's information about a line.
struct LineState: Hashable {
    var identity: LineIdentity
    /// Whether a process or the kernel itself uses it.
    var isUsed: Bool
    /// The holder's name; empty if it gave none.
    var consumer: String
    var isOutput = false
}

extension String {
    /// A name from the kernel. A line's holder chooses its own: terminal control sequences and
    /// invalid text are marked.
    init(kernelName bytes: some Collection<UInt8>) {
        let told = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let shown = told.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        self.init(UnicodeScalarView(shown))
    }
}
