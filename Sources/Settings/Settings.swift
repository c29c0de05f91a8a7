public import Hardware
public import Turnstile

/// All that the configuration file says, checked.
public struct Settings: Hashable, Sendable {
    /// The gate's name, for the log.
    public var gate: String
    /// What the owner decides.
    public var policy: Policy
    /// Which line has which role.
    public var wiring: Wiring

    /// Settings.
    public init(gate: String, policy: Policy, wiring: Wiring) {
        self.gate = gate
        self.policy = policy
        self.wiring = wiring
    }
}
