public import StateMachines
public import Turnstile

extension World {
    /// What may happen in the world. But for ``timePassed(until:)`` all happens at once.
    public enum Event: Hashable, Sendable {
        case timePassed(until: Instant)

        /// Somebody put a coin into the slot: its value in minor units of the currency. A slot
        /// that is not there, since its pulse line is not wired, takes none.
        case coinInserted(value: Int, into: Acceptor = .first)
        /// Somebody moves a coin on a string up and down in an acceptor: it sends so many pulses,
        /// accepting or not, and has nothing in its box.
        case coinFished(pulses: Int, in: Acceptor = .first)
        /// Somebody strikes an acceptor: the coins in its slot fall past the gate at once, and even
        /// if it refuses.
        case acceptorStruck(Acceptor = .first)

        /// Somebody walks into the arm, this way and this fast (above 0); where the bolt holds it
        /// they wait for a while. Past a dropped arm they walk unseen.
        case armPushed(Direction, degreesPerSecond: Int = 150)
        /// Somebody breaks through, whatever the bolt does.
        case armForced(Direction, degreesPerSecond: Int = 300)
        /// Somebody squeezes in behind whoever passes this way: when the arm comes to rest they
        /// turn it on, before the bolt can catch it. Behind nobody they push.
        case tailgated(Direction, degreesPerSecond: Int = 150)
        /// Whoever held the arm let go: the spring turns it to the nearest rest. In light beams
        /// there is no arm; the person walks on, or back, whichever is shorter.
        case armLetGo
        /// Whoever is passing stands still where they are, in a light beam perhaps.
        case stoodStill
        /// Whoever had begun to pass steps back, this fast (above 0).
        case steppedBack(degreesPerSecond: Int = 150)
        /// Somebody raises the arm that dropped: it stays up if the magnet holds it.
        case armRaised
        /// The common supply of the rotor's sensors, or of the beams, has both show this for so
        /// long, whatever they see.
        case sensorsDisturbed(isActive: Bool, for: Duration)

        /// A contact became active or inactive and stays so: the emergency loop, a fault contact,
        /// a door, a key that is left in its lock. A line of the gate's own sensors goes on from
        /// there when these next move it.
        case contactMoved(Input, isActive: Bool)
        /// A key was turned, or a button pressed, for this long.
        case contactPressed(Input, for: Duration = .milliseconds(300))
        case outputDriven(Output, energised: Bool)

        case defectAppeared(Defect)
        case defectRepaired(Defect)
        case everythingRepaired
        /// The next edges, this many, find the queue full and are lost; the loss is reported with
        /// the last of them.
        case queueOverflowed(edges: Int)
        /// The next edge of this line goes missing and nobody notices.
        case edgeMissed(Input)
    }
}
