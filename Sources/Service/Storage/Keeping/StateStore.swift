public import Turnstile

/// Keeps the state that outlives the process.
public protocol StateStore: AnyObject {
    /// Keeps `state` in place of the previous one. Never waits for a disk.
    func keep(_ state: RetainedState)

    /// Why the last state is not kept, in whole sentences; nil while all is well. Giving a state
    /// again retries.
    var failure: String? { get }
}
