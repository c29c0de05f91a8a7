extension String {
    /// The text with blanks behind it where it has fewer characters than this.
    public func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text with zeros before it where it has fewer characters than this.
    public func zeroPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
