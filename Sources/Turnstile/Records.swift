/// One thing that the log of a turnstile says. Amounts are minor units of the currency.
public enum Record: Hashable, Sendable {
    /// The service is up and the gate works.
    case started
    /// The service stops in an orderly way.
    case stopped
    /// The owner's new policy is in force.
    case policyChanged
    /// The owner's new policy waits until the gate is idle.
    case policyDeferred

    /// A coin was credited.
    case coinAccepted(value: Int, pulses: Int)
    /// A coin that was already on its way when the acceptor was inhibited was credited.
    case coinLate(value: Int, pulses: Int)
    /// A pulse of a width that no coin makes: not credited.
    case coinNoise(width: Duration)
    /// Credit paid for a passage that was released.
    case creditUsed(value: Int)
    /// A fare that was paid and not used became credit again.
    case creditReturned(value: Int)
    /// Credit fell to the operator.
    case creditForfeited(value: Int)

    /// The gate was released for one person to come in.
    case released(by: Authorisation)
    /// Somebody began to turn the rotor of a released gate.
    case passageStarted(Direction)
    /// Somebody passed with an authorisation.
    case passageCompleted(Direction)
    /// Somebody began to pass and went back; the authorisation is still good.
    case passageBackedOut(Direction)
    /// Nobody came while the gate was released.
    case waitTimedOut
    /// Edges of a passage are missing: it counts as made, since nobody can tell.
    case passageLost(Direction)
    /// Somebody passed without an authorisation.
    case passageUnauthorised(Direction)
    /// Somebody passed while the gate stood open in an emergency.
    case passageInEmergency(Direction)

    /// A key or contact asked for what cannot be done now.
    case refused(Input, Refusal)

    /// The alarm was raised.
    case alarmRaised(Alarm)
    /// The alarm is over.
    case alarmCleared(Alarm)
    /// A fault was found.
    case faultRaised(Fault)
    /// A fault is gone.
    case faultCleared(Fault)
    /// The gate is out of service.
    case outOfService(Fault)
    /// The gate is back in service.
    case inService
    /// The emergency loop is open: the gate stands open.
    case emergencyStarted
    /// The loop is closed again; the gate stands open until the reset.
    case emergencyLoopClosed
    /// The emergency is over.
    case emergencyReset
}

/// What a passage was granted by.
public enum Authorisation: Hashable, Sendable {
    /// Credit that covered the fare at that time.
    case credit(fare: Int)
    /// A contact: validator, reader or attendant.
    case contact
}

/// Something that people do and somebody should look at.
public enum Alarm: String, CaseIterable, Hashable, Sendable {
    /// The rotor of a locked gate was forced.
    case forcedPassage = "forced_passage"
    /// Somebody came through a released gate the wrong way.
    case reversePassage = "reverse_passage"
    /// Somebody has stood in the gate for too long.
    case passageDelayed = "passage_delayed"
}

/// Why a key or contact was refused.
public enum Refusal: String, CaseIterable, Hashable, Sendable {
    /// The gate is released for one person already.
    case alreadyReleased = "already_released"
    /// The gate is out of service.
    case outOfService = "out_of_service"
    /// The gate stands open in an emergency.
    case emergency
    /// An emergency cannot be reset while its loop is open.
    case loopOpen = "loop_open"
    /// The cause of the fault is still there.
    case causePresent = "cause_present"
}
