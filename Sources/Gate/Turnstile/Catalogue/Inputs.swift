public import StateMachines

/// A line that the turnstile reads.
///
/// An input is *active* when its name is true, whatever the level on the wire: the bank that reads
/// the line knows its polarity. The documents list the cases in this order; nothing persistent
/// depends on it.
public enum Input: UInt8, Enumerated {
    case coinPulse
    case coinPulse2
    case coinPulse3
    case coinJam
    case rotorA
    case rotorB
    case beamA
    case beamB
    case home
    case intrusion
    case fire
    case releaseEntry
    case releaseExit
    case stop
    case serviceKey
    case emergencyResetKey
    case externalFault
    case powerLow
    case cabinetTamper
    case vaultDoor
    case vaultPresent
    case vaultFull
    case lockFeedback
    case lockFeedbackExit
}

/// One value for each input, at its ``Input/index``: as many as there are cases; a test compares.
typealias PerInput<Value> = InlineArray<24, Value>

extension Input {
    /// The description of the input: the only place for it.
    private var described: InputEntry {
        switch self {
        case .coinPulse:
            InputEntry(
                name: "coin_pulse", summary: "the coin acceptor's pulse output",
                reading: .train,
                need: .conditional(
                    "needed with 'coin_inhibit' and the other lines of an acceptor; this or "
                        + "'release_entry' must be wired where entry is controlled"),
                unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), isEssential: true,
                advice: Advice.acceptor)
        case .coinPulse2:
            InputEntry(
                name: "coin_pulse_2", summary: "a second acceptor's pulse output",
                reading: .train, unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), advice: Advice.acceptor)
        case .coinPulse3:
            InputEntry(
                name: "coin_pulse_3", summary: "a third acceptor's pulse output", reading: .train,
                unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), advice: Advice.acceptor)
        case .coinJam:
            InputEntry(
                name: "coin_jam", summary: "the acceptors' fault contacts, in parallel",
                fault: .coinJam, unreadable: .refusesCoins,
                words: LineWords("jammed", "free", isInName: true), lamp: .trouble)
        case .rotorA:
            InputEntry(
                name: "rotor_a", summary: "the rotor's first sensor on the way in", reading: .lane,
                need: .conditional("both, or else 'beam_a' and 'beam_b'"), debounce: .sensor,
                words: LineWords("covered", "clear", isInName: true), isEssential: true,
                advice: Advice.rotor)
        case .rotorB:
            InputEntry(
                name: "rotor_b", summary: "the rotor's second sensor on the way in", reading: .lane,
                need: .conditional("both, or else 'beam_a' and 'beam_b'"), debounce: .sensor,
                words: LineWords("covered", "clear", isInName: true), isEssential: true,
                advice: Advice.rotor)
        case .beamA:
            InputEntry(
                name: "beam_a",
                summary: "the first light beam on the way in: active is interrupted",
                reading: .lane,
                need: .conditional("both, or else 'rotor_a' and 'rotor_b'"), debounce: .sensor,
                words: LineWords("interrupted", "free"), isEssential: true, advice: Advice.beam)
        case .beamB:
            InputEntry(
                name: "beam_b", summary: "the second light beam on the way in", reading: .lane,
                need: .conditional("both, or else 'rotor_a' and 'rotor_b'"), debounce: .sensor,
                words: LineWords("interrupted", "free"), isEssential: true, advice: Advice.beam)
        case .home:
            InputEntry(
                name: "home", summary: "the home contact of the arm: active is at rest",
                isActiveAtRest: true, debounce: .sensor, words: LineWords("at rest", "turned"),
                lamp: .good, isEssential: true,
                advice: "does the arm stand at rest? is the contact wired, closed while it does?")
        case .intrusion:
            InputEntry(
                name: "intrusion",
                summary:
                    "the detector above or below the arm, closed while it sees nobody: active is "
                    + "somebody there",
                isMomentary: true, unreadable: .none, opensToTell: true,
                guards: .init(calm: "an empty lane", alarm: .intrusion),
                words: LineWords("somebody", "nobody"), lamp: .trouble,
                advice:
                    "is the lane empty, and has the detector a supply? is its contact wired, "
                    + "closed while it sees nobody, 'active_low: false'?",
                key: ContactKey(key: "i", caption: "climb over", gesture: .pressed, hand: .keeper))
        case .fire:
            InputEntry(
                name: "fire",
                summary: "the emergency loop, normally closed: active is an open or broken loop",
                need: .required(
                    because: "the gate must open on a fire alarm, and when the wire to it breaks; "
                        + "wire the normally closed loop"),
                opensToTell: true,
                debounce: InputDebounce(
                    standard: .milliseconds(20), range: .zero...(.milliseconds(100))),
                needsEveryEdge: true, words: LineWords("open", "closed"), lamp: .trouble,
                isEssential: true,
                advice: "is the loop wired and closed? is 'active_low' right: false where it "
                    + "closes to ground?",
                key: ContactKey(key: "f", caption: "fire", gesture: .turned, hand: .emergency))
        case .releaseEntry:
            InputEntry(
                name: "release_entry",
                summary: "the contact of a validator, reader or attendant: lets one person in",
                need: .conditional("this or 'coin_pulse' must be wired where entry is controlled"),
                isMomentary: true, request: .grant(.entry), grants: "lets a person in",
                words: LineWords("pressed", "at rest", isInName: true),
                key: ContactKey(key: "a", caption: "release", gesture: .pressed, hand: .attendant))
        case .releaseExit:
            InputEntry(
                name: "release_exit", summary: "the same for the way out: lets one person out",
                need: .conditional("needed where 'lock_exit' is wired and exit is controlled"),
                isMomentary: true, request: .grant(.exit), grants: "lets a person out",
                words: LineWords("pressed", "at rest", isInName: true),
                key: ContactKey(
                    key: "A", caption: "release out", gesture: .pressed, hand: .attendant))
        case .stop:
            InputEntry(
                name: "stop", summary: "blocks both directions while it is active",
                words: LineWords("closed both ways", "at rest"), lamp: .trouble,
                key: ContactKey(key: "s", caption: "stop", gesture: .turned, hand: .attendant))
        case .serviceKey:
            InputEntry(
                name: "service_key",
                summary:
                    "the mechanic's key: turned, a repair is complete; held, it starts "
                    + "service mode",
                need: .conditional("needed where 'forced_passage' is latch"),
                grants: "acts as the mechanic's key, which opens the gate",
                words: LineWords("turned", "at rest"), advice: Advice.key,
                key: ContactKey(
                    key: "k", caption: "key, held", gesture: .pressedOrHeld("K"), hand: .keeper))
        case .emergencyResetKey:
            InputEntry(
                name: "emergency_reset_key", summary: "the key that ends an emergency",
                need: .conditional("needed where 'fire_reset' is manual"),
                isMomentary: true, request: .resetEmergency,
                grants: "acts as the key that ends an emergency",
                words: LineWords("turned", "at rest"), advice: Advice.key,
                key: ContactKey(key: "z", caption: "reset", gesture: .pressed, hand: .emergency))
        case .externalFault:
            InputEntry(
                name: "fault_ext", summary: "the machine's own fault contact", fault: .external,
                words: LineWords("fault", "no fault", isInName: true), lamp: .trouble,
                key: ContactKey(key: "d", caption: "fault", gesture: .turned, hand: .trouble))
        case .powerLow:
            InputEntry(
                name: "power_low", summary: "the supply's contact for a low voltage",
                fault: .powerLow, words: LineWords("low", "good", isInName: true), lamp: .trouble,
                key: ContactKey(key: "o", caption: "low power", gesture: .turned, hand: .trouble))
        case .cabinetTamper:
            InputEntry(
                name: "cabinet_tamper",
                summary: "the cabinet's door contact, closed with the door: active is open",
                opensToTell: true, guards: .init(calm: "a closed cabinet", alarm: .cabinetOpen),
                words: LineWords("open", "closed"), lamp: .trouble, advice: Advice.door,
                key: ContactKey(key: "c", caption: "cabinet", gesture: .turned, hand: .keeper))
        case .vaultDoor:
            InputEntry(
                name: "vault_door",
                summary: "the coin vault's door contact, closed with the door: active is open",
                opensToTell: true, guards: .init(calm: "a closed vault", alarm: .vaultOpen),
                words: LineWords("open", "closed"), lamp: .trouble, advice: Advice.door,
                key: ContactKey(key: "g", caption: "vault door", gesture: .turned, hand: .keeper))
        case .vaultPresent:
            InputEntry(
                name: "vault_present",
                summary: "the contact of the coin vault: active is in its place",
                isActiveAtRest: true, request: .collectCoins(counted: nil), fault: .vaultMissing,
                unreadable: .refusesCoins,
                guards: .init(calm: "a vault in its place", alarm: .vaultOpen),
                words: LineWords("in its place", "missing"), lamp: .good,
                advice: "is the box in its place? is the contact wired, closed while it is?",
                key: ContactKey(key: "G", caption: "vault", gesture: .turned, hand: .keeper))
        case .vaultFull:
            InputEntry(
                name: "vault_full", summary: "the level switch in the coin vault: active is full",
                fault: .vaultFull, unreadable: .mayRefuseCoins, debounce: .level,
                words: LineWords("full", "has room", isInName: true), lamp: .trouble,
                key: ContactKey(key: "F", caption: "full vault", gesture: .turned, hand: .keeper))
        case .lockFeedback:
            InputEntry(
                name: "lock_feedback",
                summary: "the feedback contact of the lock of the way in: active is released",
                debounce: .sensor, words: LineWords("open", "locked"), advice: Advice.bolt)
        case .lockFeedbackExit:
            InputEntry(
                name: "lock_feedback_exit",
                summary: "the feedback contact of the lock of the way out: active is released",
                debounce: .sensor, words: LineWords("open", "locked"), advice: Advice.bolt)
        }
    }
}

extension Input {
    /// `allCases`, made once.
    static let ordered = allCases

    private static let entries = ordered.map { $0.described }

    // The part that the machine needs for every event, without the texts: each access to an entry
    // costs a call.
    private static let roles = entries.map {
        Role(
            reading: $0.reading, isMomentary: $0.isMomentary, request: $0.request, fault: $0.fault)
    }

    /// Makes the descriptions, so that the first event takes no longer than the next.
    static func prepare() { _ = (roles, InputLevels.guards) }

    /// The description of the input.
    public var entry: InputEntry { Self.entries[index] }

    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String { Self.entries[index].name }

    /// The position of the input among the cases, from 0.
    public var index: Int { Int(rawValue) }

    var role: Role { Self.roles[index] }

    /// The fault that the contact indicates.
    var indicatedFault: Fault? { role.fault }

    /// Whether the contact indicates its fault now.
    func indicatesFault(_ levels: InputLevels) -> Bool {
        indicatedFault != nil && levels[self] != InputLevels.guards.active[self]
    }

    /// The input's part in the machine: see ``InputEntry``.
    struct Role {
        let reading: InputEntry.Reading
        let isMomentary: Bool
        let request: Request?
        let fault: Fault?
    }
}

/// The description of an input: its arm in `Inputs.swift` is the only place for it.
public struct InputEntry: Sendable {
    /// The reader of the input's edges.
    enum Reading: Hashable, Sendable {
        /// An acceptor's decoder, which counts them.
        case train
        /// The decoder of rotor and beams.
        case lane
        /// The gate, which hears of each level that counts.
        case contact
    }

    /// The door or box that an input guards.
    public struct Guarded: Sendable {
        /// How it reads while all is well.
        public var calm: String
        /// The alarm that it raises when it does not, unless the mechanic has the gate.
        var alarm: Alarm
    }

    /// The role's name.
    public var name: String
    /// A clause that starts in lower case and has no full stop.
    public var summary: String
    /// The reader of its edges.
    var reading = Reading.contact
    /// Whether a board can do without it.
    public var need = LineNeed.conditional("optional")
    /// Whether it is active at an idle gate without faults. For a lock's contact that depends on
    /// the lock.
    public var isActiveAtRest = false
    /// Whether it is active for a moment at a time: one that stays active is stuck.
    var isMomentary = false
    /// The request that it makes when it becomes active; nil for none, or if it takes more than the
    /// contact.
    var request: Request?
    /// The fault that lasts while it is not at rest.
    var fault: Fault?
    /// The restriction while the input cannot be read.
    var unreadable = Fault.Effect.outOfService
    /// Whether its contact opens when active, so that a broken wire reads as active. The trade's
    /// contacts mostly close to ground at rest then.
    public var opensToTell = false
    /// How long a level must last to count.
    public var debounce = InputDebounce.contact
    /// Whether the bank must report short levels as well: an emergency loop that chatters faster
    /// than it settles is broken.
    public var needsEveryEdge = false
    /// The effect of a cut wire that reads as active, if it lets people through.
    public var grants: String?
    /// The alarm it guards with: a cut wire must raise it. For other inputs a cut wire keeps the
    /// gate in service.
    public var guards: Guarded?
    /// The words for active and inactive.
    public var words: LineWords
    /// The meaning of its lamp while it is active.
    public var lamp = LampMeaning.notice
    /// Whether its lamp is shown where there is little room.
    public var isEssential = false
    /// The advice if it is not at rest.
    public var advice = Advice.wire
    /// The key that moves it at a simulated gate; nil if the mechanism does.
    public var key: ContactKey?
}

/// Advice for inputs that are not at rest, where several share it.
enum Advice {
    static let wire =
        "is this correct? if not, check the wire and 'active_low'"
    static let acceptor = "is the acceptor wired and supplied? is 'active_low' right?"
    static let rotor = "does the arm stand at rest? is 'active_low' right?"
    static let beam = "is the beam free, and has its emitter a supply?"
    static let key = "is the key turned? is 'active_low' right?"
    static let door =
        "is the door closed? is its contact wired, closed with the door, 'active_low: false'?"
    static let bolt = "is the bolt where it should be? is 'active_low' right: active is released?"
}
