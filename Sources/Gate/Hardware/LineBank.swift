public import StateMachines
public import Turnstile

/// The lines of one gate, real or simulated.
///
/// A bank speaks of roles and of *active* and *energised*; chips, offsets and polarities stay
/// inside it. It is used from one thread.
public protocol LineBank: AnyObject {
    /// The bank's capabilities, constant while it is open.
    var capabilities: Capabilities { get }

    /// File descriptors that become readable when events wait; they stay the same while the bank
    /// is open.
    var descriptors: [CInt] { get }

    /// Passes on the queued events of all lines, oldest first, and removes them.
    ///
    /// `ready`: the descriptors that the last poll reported readable. Never blocks: without events
    /// it returns at once. Takes only events that were there at the call, so that a storm of edges
    /// cannot hold the caller; later ones leave a descriptor readable. `body` may drive outputs.
    func takeEvents(at ready: [CInt], _ body: (LineEvent) -> Void) throws(HardwareError)

    /// The inputs that are active now. An input that is not wired is not; one that cannot be read
    /// is handed to `failed`, in the order of `Input`, and left out.
    func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels

    /// Drives `output`. An output that is not wired takes the level and drives nothing.
    func set(_ output: Output, energised: Bool) throws(HardwareError)

    /// The outputs whose lines carry "energised" now, read back from the lines. An output that is
    /// not wired reads as it was last set; one that cannot be read is handed to `failed`, in the
    /// order of `Output`, and left out.
    func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet

    /// Drives every output to its safe level, then gives all lines back. A closed bank has no
    /// lines, and closing it again does nothing. Throws for the first output that could not be
    /// driven, when all have been tried and given back.
    func close() throws(HardwareError)

    /// The descriptors of inputs that the service manager should keep and does not keep yet, each
    /// with its name. They stay the bank's.
    var toKeep: [(name: String, descriptor: CInt)] { get }

    /// Whether edges of this input from before the start are queued.
    func wasKept(_ input: Input) -> Bool
}

extension LineBank {
    /// Nothing can be kept.
    public var toKeep: [(name: String, descriptor: CInt)] { [] }

    /// Nothing was kept.
    public func wasKept(_ input: Input) -> Bool { false }

    /// The same, of whichever descriptors are readable.
    public func takeEvents(_ body: (LineEvent) -> Void) throws(HardwareError) {
        try takeEvents(at: descriptors, body)
    }

    /// Whether `input` is active now.
    public func isActive(_ input: Input) throws(HardwareError) -> Bool {
        var failure: HardwareError?
        let levels = readInputs { if $0 == input { failure = $1 } }
        if let failure { throw failure }
        return levels[input]
    }

    /// Whether the line of `output` carries "energised" now.
    public func isEnergised(_ output: Output) throws(HardwareError) -> Bool {
        var failure: HardwareError?
        let energised = readOutputs { if $0 == output { failure = $1 } }
        if let failure { throw failure }
        return energised[output]
    }
}

/// The capabilities of a line bank.
public struct Capabilities: Hashable, Sendable {
    /// The bank's name for the log: `libgpiod 2.2.1`, `simulation`.
    public var name: String
    /// Inputs are debounced below this bank. Where not, the core does it.
    public var debounces: Bool
    /// Lost edges are noticed and reported. Where not, they vanish unseen.
    public var detectsLostEdges: Bool

    /// Capabilities, all of them.
    public init(name: String, debounces: Bool, detectsLostEdges: Bool) {
        self.name = name
        self.debounces = debounces
        self.detectsLostEdges = detectsLostEdges
    }
}

/// An event of a bank's lines. No `Event`: at a loss of edges the levels are the shell's to find,
/// and the bank knows their number.
public enum LineEvent: Hashable, Sendable {
    /// An input became active or inactive at this monotonic time.
    case edge(Input, isActive: Bool, at: Instant)
    /// `count` edges, or more, were lost some time before `at`: the queue of the kernel overflowed.
    case lost(count: Int, at: Instant)

    /// When it happened, or was noticed.
    public var time: Instant {
        switch self {
        case .edge(_, _, let time), .lost(_, let time): time
        }
    }
}

/// An error of a line bank: the call, its object, and the reason.
public struct HardwareError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, by what the caller can do next.
    public enum Kind: Hashable, Sendable {
        /// The chip is not there: its driver may be late, or the wiring names another one.
        case missing
        /// The chip exists and must not be opened yet: retry.
        case notReady
        /// Another process holds the line.
        case busy
        /// The wiring names something that does not exist, or that the hardware cannot do.
        case misconfigured
        /// A call failed on a device that worked before.
        case failed
    }

    /// The kind of failure.
    public var kind: Kind
    /// The line, where one line is at fault.
    public var line: Line?
    /// The whole sentence: call, chip, line, errno, and the holder of a busy line.
    public var description: String

    /// An error with its sentence.
    public init(_ kind: Kind, line: Line? = nil, _ description: String) {
        self.kind = kind
        self.line = line
        self.description = description
    }
}
