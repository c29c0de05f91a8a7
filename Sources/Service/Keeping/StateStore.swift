public import Turnstile

/// Where the state is kept that the end of the process must not take away.
public protocol StateStore: AnyObject {
    /// Keeps `state` in place of what was kept before. It never waits for a disk.
    func keep(_ state: RetainedState)

    /// Why the state that was last given is not kept where it should be, as whole sentences; nil
    /// while all is well. A state that is given again is tried again.
    var failure: String? { get }
}
