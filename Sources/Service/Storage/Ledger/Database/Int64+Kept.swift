import Turnstile

// Numbers read from a file are bounded, so that sums of hundreds of them cannot overflow.
extension Int64 {
    /// More than any gate reaches.
    static let mostKept = RegisterValues.mostCounted

    /// Nil for a number that no gate reaches.
    init?(kept number: Int64) {
        guard number.magnitude <= Self.mostKept.magnitude else { return nil }
        self = number
    }

    init?(kept text: some StringProtocol) {
        guard let number = Int64(text) else { return nil }
        self.init(kept: number)
    }
}
