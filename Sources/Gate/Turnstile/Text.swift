/// `1 pulse`, `2 pulses`: a number and its noun; `many` is the plural unless it is `one` with an s.
public func counted(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
}

extension Unicode.Scalar {
    /// Whether the scalar has an effect on its display: on a terminal, on the direction of its
    /// neighbours, on the line; or is invisible.
    var isSteering: Bool {
        if value < 0x7F { return value < 0x20 }
        let category = properties.generalCategory
        return category == .format && properties.isDefaultIgnorableCodePoint
            || category == .control || category == .lineSeparator
            || category == .paragraphSeparator
    }
}

extension Duration {
    /// The duration in the largest unit in which it is a whole number: `30 s`, `1500 ms`; fractions
    /// of 1 µs are dropped.
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
