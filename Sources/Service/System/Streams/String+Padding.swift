extension String {
    /// Appends blanks up to `width` characters.
    public func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Prepends zeros up to `width` characters.
    public func zeroPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
