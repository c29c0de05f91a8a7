public import StateMachines
public import Turnstile

extension World {
    /// The events of the world. All but ``timePassed(until:)`` take no time.
    public enum Event: Hashable, Sendable {
        case timePassed(until: Instant)

        /// A coin is put into the slot: its value in minor units of the currency. An acceptor whose
        /// pulse line is not wired takes none.
        case coinInserted(value: Int, into: Acceptor = .first)
        /// A coin on a string is moved up and down in an acceptor: it sends so many pulses,
        /// accepting or not, and no coin reaches the vault.
        case coinFished(pulses: Int, in: Acceptor = .first)
        /// A blow to an acceptor: the coins in its slot fall past its gate at once, even if it
        /// refuses coins.
        case acceptorStruck(Acceptor = .first)

        /// A person walks into the arm, this way and this fast (above 0); if the bolt holds it they
        /// wait for a while. Past a dropped arm they walk unseen.
        case armPushed(Direction, degreesPerSecond: Int = 150)
        /// A person breaks through, whatever the bolt does.
        case armForced(Direction, degreesPerSecond: Int = 300)
        /// A second person squeezes in behind one who passes this way: when the arm comes to rest
        /// they turn it further, before the bolt can catch it. Without a first person they push.
        case tailgated(Direction, degreesPerSecond: Int = 150)
        /// The person lets go of the arm: the spring turns it to the nearest rest. In light beams
        /// there is no arm; they walk on, or back, whichever is shorter.
        case armLetGo
        /// The person who is passing stands still, perhaps in a light beam.
        case stoodStill
        /// The person who had begun to pass steps back, this fast (above 0).
        case steppedBack(degreesPerSecond: Int = 150)
        /// The dropped arm is raised by hand: it stays up if the magnet holds it.
        case armRaised
        /// A disturbance of the common supply: both sensors of the rotor, or both beams, show this
        /// for so long.
        case sensorsDisturbed(isActive: Bool, for: Duration)

        /// A contact became active or inactive and stays so: the emergency loop, a fault contact, a
        /// door, a key that is left in its lock. A sensor of the gate itself changes again with its
        /// next movement.
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
        /// The next edge of this line is lost unnoticed.
        case edgeMissed(Input)
    }
}
