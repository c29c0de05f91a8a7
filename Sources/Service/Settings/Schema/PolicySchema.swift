import Turnstile

extension Schema {
    /// The section `gate`.
    static let gate = Section(
        initial: Draft(),
        [
            Key("name", \.gate, .name(limit: 64), "the gate's name in the log")
        ])

    /// The section `fare`.
    static let fare = Section(
        initial: Draft(),
        [
            Key(
                "price", \.policy.price, .amount(1...Policy.highestPrice),
                need: whereCoinsAreTaken,
                "what one passage costs, in minor units of the currency (150 is 1.50)")
        ])

    /// The authorisations that any gate holds at once.
    static let mostStored = Policy.mostStored

    /// The section `passage`.
    static let passage = Section(
        initial: Draft(),
        [
            Key(
                "pass_wait", \.policy.passWait, .duration(.seconds(1)...(.seconds(60))),
                "how long a released gate waits for somebody to come"),
            Key(
                "max_stored", \.policy.maxStored, .count(1...mostStored),
                "how many authorisations are held at once, the one in use included"),
            Key(
                "on_wait_timeout", \.policy.onWaitTimeout, .choice,
                "whether the fare stays as credit or falls to the operator when nobody came"),
            Key(
                "overpay", \.policy.overpay, .choice,
                "whether credit above the fare that is no fare itself stays or falls to the "
                    + "operator"),
            Key(
                "coin_while_unlocked", \.policy.coinWhileUnlocked, .choice,
                "what becomes of a coin while the gate is unlocked for the way in: it pays for the "
                    + "next passage, is not taken, or is taken with thanks"),
            Key(
                "credit_expiry", \.policy.creditExpiry,
                .duration(.seconds(10)...(.seconds(7200)), orNever: true),
                "how long credit is held for nobody"),
            Key(
                "relock_at", \.policy.relockAt, .choice,
                "whether the gate locks again at the middle of a passage or once it is complete"),
            Key(
                "pass_delay_alarm", \.policy.passDelayAlarm,
                .duration(.seconds(5)...(.seconds(120))),
                "how long a passage may take, or somebody stand in the rotor of a locked gate, "
                    + "before they count as stuck in it"),
            Key(
                "tailgating_window", \.policy.tailgatingWindow,
                .duration(.zero...(.seconds(10))),
                "how soon after a passage somebody who follows has slipped in behind"),
            Key(
                "rotor_step", \.policy.rotorStep,
                .duration(.zero...(.milliseconds(100))),
                "the least time in which somebody turns the rotor from one sensor's change to "
                    + "the other's: both within it are noise, or a fault where they stay so, and "
                    + "nothing closes before the sensors rest for as long; 0ms: nothing is noise"),
            Key(
                "repair_resumes", \.policy.repairResumes, .choice,
                "whether a repaired gate is locked or as it was when it broke; after an outage "
                    + "that is over by itself within 'pass_wait' it is as it was"),
        ])

    /// The section `alarm`.
    static let alarm = Section(
        initial: Draft(),
        [
            Key(
                "forced_passage", \.policy.forcedPassage, .choice,
                "whether a forced passage sounds the alarm for 'alarm_hold' or latches it until "
                    + "the mechanic's key is turned"),
            Key(
                "alarm_hold", \.policy.alarmHold, .duration(.seconds(1)...(.seconds(300))),
                "how long the alarm sounds"),
            Key(
                "beam_blocked", \.policy.beamBlocked, .duration(.seconds(3)...(.seconds(255))),
                "how long a light beam may be interrupted before something blocks it"),
        ])

    /// The section `emergency`.
    static let emergency = Section(
        initial: Draft(),
        [
            Key(
                "fire_reset", \.policy.fireReset, .choice,
                "whether the emergency ends by the reset key or by itself, once the loop is "
                    + "closed again")
        ])

    /// The section `remote`.
    static let remote = Section(
        initial: Draft(),
        [
            Key(
                "emergency_reset", \.policy.remoteEmergencyReset, .choice,
                "whether an operator may end an emergency from afar, once the loop is closed and "
                    + "nobody is in the gate"),
            Key(
                "repair", \.policy.remoteRepair, .choice,
                "whether an operator may say from afar that a repair is complete"),
            Key(
                "service", \.policy.remoteService, .choice,
                "whether an operator may begin service mode from afar"),
        ])

    /// The section `service`.
    static let service = Section(
        initial: Draft(),
        [
            Key(
                "service_hold", \.policy.serviceHold, .duration(.seconds(1)...(.seconds(10))),
                "how long the mechanic's key is held for service mode")
        ])

    /// The section `mechanism`.
    static let mechanism = Section(
        initial: Draft(),
        [
            Key(
                "lock_pull", \.policy.lockPull,
                .duration(.milliseconds(50)...(.milliseconds(1000))),
                "how long a pull-and-hold lock is pulled with full power, before it is held"),
            Key(
                "lock_response", \.policy.lockResponse,
                .duration(.milliseconds(50)...(.milliseconds(900))),
                "how long a lock may take to follow, where its feedback is wired"),
            Key(
                "home_settle", \.policy.homeSettle,
                .duration(.milliseconds(200)...(.seconds(10))),
                "how long the contact 'home' may disagree with the sensors"),
            Key(
                "count_pulse", \.policy.countPulse,
                .duration(.milliseconds(50)...(.milliseconds(1000))),
                "how long a pulse of the counters and of 'coin_reject' lasts, and the pause "
                    + "after it"),
        ])

    /// The section `records`.
    static let records = Section(
        initial: Draft(),
        [
            Key(
                "register_snapshot", \.registerSnapshot,
                .duration(.seconds(300)...(.seconds(24 * 3600))),
                "how often all registers are recorded")
        ])

    /// The section `ledger`.
    static let ledger = Section(
        initial: Draft(),
        [
            Key(
                "path", \.ledger, .pathOrOff,
                "the ledger's file, in a folder that the service may write to; off: a crash or a "
                    + "loss of power takes what people have paid"),
            Key(
                "records", \.ledgerLimits.records, .count(10_000...100_000_000),
                "how many records are kept; what they come to, per day and collection, is kept "
                    + "for good"),
            Key(
                "age", \.ledgerLimits.age,
                .duration(.seconds(30 * 86_400)...(.seconds(7_305 * 86_400))),
                need: .conditional("as long as there are no more than `records`"),
                "how long a record is kept; it goes a day or two later"),
            Key(
                "room", \.ledgerLimits.room, .size(16_000_000...1_000_000_000_000),
                need: .conditional("all that the disk has"),
                "what the ledger may take of the disk; full, it refuses coins"),
        ])

    /// The section `trace`.
    static let trace = Section(
        initial: Draft(),
        [
            Key(
                "size", \.trace.size, .sizeOrOff(2_000_000...1_000_000_000),
                "what it may take of the disk, of which the oldest goes first; off: no incident "
                    + "can be looked at later"),
            Key(
                "age", \.trace.age, .duration(.seconds(3600)...(.seconds(720 * 3600))),
                "how long a time it tells of at most"),
        ])

    /// What an acceptor needs.
    static let whereCoinsAreTaken = Need.conditional("needed where 'coin_pulse' is wired")
}
