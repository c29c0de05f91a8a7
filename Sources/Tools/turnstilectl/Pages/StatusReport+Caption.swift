import Turnstile

extension StatusReport.Reason {
    /// The event, before `in 6 s`. A timeout that may become a fault is called a check: most find
    /// nothing.
    var caption: String {
        switch self {
        case .contactSettles: "a contact settles"
        case .rotorSettles: "the rotor settles"
        case .coinCounted: "coin counted"
        case .passageWait: "end of the wait for a passage"
        case .alarmEnds: "alarm ends"
        case .creditExpires: "credit expires"
        case .beamBlocked: "check of the light beam"
        case .armNotHome: "check of the arm"
        case .lockNotResponding: "check of the lock"
        case .service: "next step of service mode"
        case .termsChange: "another mode or enforcement"
        case .contactStuck: "check for a stuck contact"
        case .passageDelayed: "check for a delayed passage"
        case .lockRests: "lock rests, or is released again"
        case .outageLasts: "check for an outage that lasts"
        case .lateCoinsOver: "end of the wait for late coins"
        case .earlyCoinsOver: "pulses of the acceptor count as coins again"
        case .countPulse: "end of a counting pulse"
        }
    }
}
