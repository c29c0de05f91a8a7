import Turnstile

// Numbers of a file, which may say anything: what a gate never comes to is not let in, so that what
// is let in can be added up by the hundred and takes no sum beyond its bounds.
extension Int64 {
    /// What no gate comes to.
    static let mostKept = RegisterValues.mostCounted

    /// The number; nil for one that no gate comes to, or comes down to.
    init?(kept number: Int64) {
        guard number.magnitude <= Self.mostKept.magnitude else { return nil }
        self = number
    }

    init?(kept text: some StringProtocol) {
        guard let number = Int64(text) else { return nil }
        self.init(kept: number)
    }
}
