public import StateMachines
public import Turnstile

extension World {
    /// What may happen in the world. But for ``timePassed(until:)`` all happens at once.
    public enum Event: Hashable, Sendable {
        /// Time went on until this moment.
        case timePassed(until: Instant)
        /// Somebody put a coin into the slot: its value in minor units of the currency.
        case coinInserted(value: Int)
        /// Somebody walks into the arm, this way and this fast (above 0); where the bolt holds it
        /// they wait for a while.
        case armPushed(Direction, degreesPerSecond: Int = 150)
        /// Somebody breaks through, whatever the bolt does.
        case armForced(Direction, degreesPerSecond: Int = 300)
        /// Whoever held the arm let go: the spring turns it to the nearest rest.
        case armLetGo
        /// Whoever had begun to pass steps back, this fast (above 0).
        case steppedBack(degreesPerSecond: Int = 150)
        /// A contact became active or inactive and stays so: the emergency loop, a fault contact,
        /// a key that is left in its lock. A line of the rotor or the acceptor goes on from there
        /// when these next move it.
        case contactMoved(Input, isActive: Bool)
        /// A key was turned, or a button pressed, for this long.
        case contactPressed(Input, for: Duration = .milliseconds(300))
        /// The controller drove an output.
        case outputDriven(Output, energised: Bool)
        /// Something broke.
        case defectAppeared(Defect)
        /// One thing was repaired.
        case defectRepaired(Defect)
        /// All that was broken was repaired.
        case everythingRepaired
        /// The next edges, this many, find the queue full and are lost; the loss is reported with
        /// the last of them.
        case queueOverflowed(edges: Int)
        /// The next edge of this line goes missing and nobody notices.
        case edgeMissed(Input)
    }
}

/// Something that is broken, until it is repaired.
public enum Defect: Hashable, Sendable {
    /// The wire is cut: the emergency loop is open, any other input stays inactive. A rotor sensor
    /// without its wire is dead.
    case brokenWire(Input)
    /// The input is stuck: a coin in the acceptor's way, a welded contact.
    case stuckActive(Input)
    /// The line cannot be read, and reports nothing.
    case unreadable(Input)
    /// The line cannot be driven.
    case undrivable(Output)
    /// The line does not follow: it stays as it is, whatever it is driven to.
    case stuckOutput(Output)
}
