// Saturating sums of counts. No file can contain numbers that crash the service: a sum that does
// not fit ends at the highest number, and then disagrees with the others (see `Registers.check`).
extension FixedWidthInteger {
    /// The sum, or the nearest number that there is.
    func plus(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        if !overflows { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, or the nearest number that there is.
    func minus(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        if !overflows { return difference }
        return other < 0 ? .max : .min
    }

    /// The product, or the nearest number that there is.
    func times(_ other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        if !overflows { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}
