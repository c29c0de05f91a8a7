/// `1 pulse`, `2 pulses`: a number and what it counts; `many` is the plural where it is not `one`
/// with an s.
public func counted(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
}

extension Unicode.Scalar {
    /// Whether the scalar steers what shows it: a terminal, the direction of what stands beside it,
    /// the end of a line; or whether nobody sees it.
    var isSteering: Bool {
        if value < 0x7F { return value < 0x20 }
        let category = properties.generalCategory
        return category == .format && properties.isDefaultIgnorableCodePoint
            || category == .control || category == .lineSeparator
            || category == .paragraphSeparator
    }
}

extension Duration {
    /// The duration in the largest unit in which it is a whole number: `30 s`, `1500 ms`;
    /// what is less than 1 µs is left out.
    public var text: String {
        let microseconds = wholeMicroseconds
        if microseconds % 1_000_000 == 0 { return "\(microseconds / 1_000_000) s" }
        if microseconds % 1_000 == 0 { return "\(microseconds / 1_000) ms" }
        return "\(microseconds) µs"
    }

    /// The duration for people, in one unit: `12 s`, `5 min`, `3 h`, `2 d`; nothing for a negative.
    public var rounded: String {
        let seconds = max(0, components.seconds)
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7200 { return "\(seconds / 60) min" }
        if seconds < 172_800 { return "\(seconds / 3600) h" }
        return "\(seconds / 86_400) d"
    }
}
