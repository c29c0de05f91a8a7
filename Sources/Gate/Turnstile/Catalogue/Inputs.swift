public import StateMachines

/// A line that tells the turnstile something.
///
/// An input is *active* when what it is named after is the case, whatever level the wire carries:
/// the bank that reads the line knows its polarity. The order of the cases is that of the
/// documentation; nothing that lasts depends on it.
public enum Input: UInt8, Enumerated {
    /// The coin acceptor's pulse line: active for the width of each pulse.
    case coinPulse
    /// That of a second acceptor.
    case coinPulse2
    /// That of a third acceptor.
    case coinPulse3
    /// The fault contact of the acceptors, all in parallel.
    case coinJam
    /// The first rotor sensor that a person on the way in moves.
    case rotorA
    /// The second one; with ``rotorA`` it tells direction and progress.
    case rotorB
    /// The first light beam that a person on the way in breaks, where there is no rotor.
    case beamA
    /// The second one.
    case beamB
    /// The arm stands at rest.
    case home
    /// The emergency loop: active while the loop is open, by a call point or by a broken wire.
    case fire
    /// A dry contact of a validator, reader or attendant: each activation grants one passage in.
    case releaseEntry
    /// The same for a passage out.
    case releaseExit
    /// Blocks both directions while it is active.
    case stop
    /// The mechanic's key: turned, the repair is complete; held, service mode.
    case serviceKey
    /// The key that ends an emergency.
    case emergencyResetKey
    /// The machine's own fault contact.
    case externalFault
    /// The supply is low.
    case powerLow
    /// The cabinet is open.
    case cabinetTamper
    /// The door of the coin vault is open.
    case vaultDoor
    /// The coin vault is in its place.
    case vaultPresent
    /// The coin vault is full, or nearly so: its level switch.
    case vaultFull
    /// The lock of the way in is released: it really moved.
    case lockFeedback
    /// The same of the way out.
    case lockFeedbackExit
}

/// One value for each input, at its ``Input/index``: as many as there are cases, which nothing
/// but ``DebouncedContacts`` and a test can compare.
typealias PerInput<Value> = InlineArray<23, Value>

extension Input {
    /// What is said of the input, and nowhere else.
    private var described: InputEntry {
        switch self {
        case .coinPulse:
            InputEntry(
                "coin_pulse", "the coin acceptor's pulse output", .pulses(.first),
                need: .conditional(
                    "needed with 'coin_inhibit' and all else of an acceptor; this or "
                        + "'release_entry' must be wired where entry is controlled"),
                unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), isEssential: true,
                advice: Advice.acceptor)
        case .coinPulse2:
            InputEntry(
                "coin_pulse_2", "that of a second acceptor", .pulses(.second),
                unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), advice: Advice.acceptor)
        case .coinPulse3:
            InputEntry(
                "coin_pulse_3", "that of a third acceptor", .pulses(.third),
                unreadable: .refusesCoins, debounce: .pulses,
                words: LineWords("pulse", "no coin", isInName: true), advice: Advice.acceptor)
        case .coinJam:
            InputEntry(
                "coin_jam", "the acceptors' fault contacts, in parallel",
                fault: .coinJam, unreadable: .refusesCoins,
                words: LineWords("jammed", "free", isInName: true), lamp: .trouble)
        case .rotorA:
            InputEntry(
                "rotor_a", "the rotor's first sensor on the way in", .lane,
                need: .conditional("both, or else 'beam_a' and 'beam_b'"), debounce: .sensor,
                words: LineWords("covered", "clear", isInName: true), isEssential: true,
                advice: Advice.rotor)
        case .rotorB:
            InputEntry(
                "rotor_b", "the rotor's second sensor on the way in", .lane,
                need: .conditional("both, or else 'beam_a' and 'beam_b'"), debounce: .sensor,
                words: LineWords("covered", "clear", isInName: true), isEssential: true,
                advice: Advice.rotor)
        case .beamA:
            InputEntry(
                "beam_a", "the first light beam on the way in: active is interrupted", .lane,
                need: .conditional("both, or else 'rotor_a' and 'rotor_b'"), debounce: .sensor,
                words: LineWords("interrupted", "free"), isEssential: true, advice: Advice.beam)
        case .beamB:
            InputEntry(
                "beam_b", "the second light beam on the way in", .lane,
                need: .conditional("both, or else 'rotor_a' and 'rotor_b'"), debounce: .sensor,
                words: LineWords("interrupted", "free"), isEssential: true, advice: Advice.beam)
        case .home:
            InputEntry(
                "home", "the contact that tells that the arm stands at rest",
                isActiveAtRest: true, debounce: .sensor, words: LineWords("at rest", "turned"),
                lamp: .good, isEssential: true,
                advice: "does the arm stand at rest? is the contact wired, closed while it does?")
        case .fire:
            InputEntry(
                "fire", "the emergency loop, normally closed: active is an open or broken loop",
                need: .required(
                    because: "a gate that people pass must open when the fire alarm says so, and "
                        + "when the wire to it breaks; wire the normally closed loop"),
                opensToTell: true,
                debounce: InputDebounce(.milliseconds(20), .zero...(.milliseconds(100))),
                needsEveryEdge: true, words: LineWords("open", "closed"), lamp: .trouble,
                isEssential: true,
                advice: "is the loop wired and closed? is 'active_low' right: false where it "
                    + "closes to ground?",
                key: ContactKey("f", "fire", .turned, .emergency))
        case .releaseEntry:
            InputEntry(
                "release_entry",
                "the contact of a validator, reader or attendant: lets one person in",
                need: .conditional("this or 'coin_pulse' must be wired where entry is controlled"),
                request: .grant(.entry), grants: "lets somebody in",
                words: LineWords("pressed", "at rest", isInName: true),
                key: ContactKey("a", "release", .pressed, .attendant))
        case .releaseExit:
            InputEntry(
                "release_exit", "the same for the way out: lets one person out",
                need: .conditional("needed where 'lock_exit' is wired and exit is controlled"),
                request: .grant(.exit), grants: "lets somebody out",
                words: LineWords("pressed", "at rest", isInName: true),
                key: ContactKey("A", "release out", .pressed, .attendant))
        case .stop:
            InputEntry(
                "stop", "blocks both directions while it is active",
                words: LineWords("closed both ways", "at rest"), lamp: .trouble,
                key: ContactKey("s", "stop", .turned, .attendant))
        case .serviceKey:
            InputEntry(
                "service_key",
                "the mechanic's key: turned, a repair is complete; held, it starts service mode",
                need: .conditional("needed where 'forced_passage' is latch"),
                grants: "acts as the mechanic's key, which opens the gate",
                words: LineWords("turned", "at rest"), advice: Advice.key,
                key: ContactKey("k", "key, held", .pressedOrHeld("K"), .keeper))
        case .emergencyResetKey:
            InputEntry(
                "emergency_reset_key", "the key that ends an emergency",
                need: .conditional("needed where 'fire_reset' is manual"),
                request: .resetEmergency, grants: "acts as the key that ends an emergency",
                words: LineWords("turned", "at rest"), advice: Advice.key,
                key: ContactKey("z", "reset", .pressed, .emergency))
        case .externalFault:
            InputEntry(
                "fault_ext", "the machine's own fault contact", fault: .external,
                words: LineWords("fault", "no fault", isInName: true), lamp: .trouble,
                key: ContactKey("d", "fault", .turned, .trouble))
        case .powerLow:
            InputEntry(
                "power_low", "the supply's contact that tells that it is low", fault: .powerLow,
                words: LineWords("low", "good", isInName: true), lamp: .trouble,
                key: ContactKey("o", "low power", .turned, .trouble))
        case .cabinetTamper:
            InputEntry(
                "cabinet_tamper",
                "the cabinet's door contact, closed with the door: active is open",
                opensToTell: true, guards: .init("a closed cabinet", alarm: .cabinetOpen),
                words: LineWords("open", "closed"),
                lamp: .trouble, advice: Advice.door,
                key: ContactKey("c", "cabinet", .turned, .keeper))
        case .vaultDoor:
            InputEntry(
                "vault_door",
                "the coin vault's door contact, closed with the door: active is open",
                opensToTell: true, guards: .init("a closed vault", alarm: .vaultOpen),
                words: LineWords("open", "closed"),
                lamp: .trouble, advice: Advice.door,
                key: ContactKey("g", "vault door", .turned, .keeper))
        case .vaultPresent:
            InputEntry(
                "vault_present", "the contact that tells that the coin vault is in its place",
                isActiveAtRest: true, request: .collectCoins(counted: nil), fault: .vaultMissing,
                unreadable: .refusesCoins, guards: .init("a vault in its place", alarm: .vaultOpen),
                words: LineWords("in its place", "missing"), lamp: .good,
                advice: "is the box in its place? is the contact wired, closed while it is?",
                key: ContactKey("G", "vault", .turned, .keeper))
        case .vaultFull:
            InputEntry(
                "vault_full", "the level switch in the coin vault: active is full",
                fault: .vaultFull, unreadable: .mayRefuseCoins, debounce: .level,
                words: LineWords("full", "has room", isInName: true), lamp: .trouble,
                key: ContactKey("F", "full vault", .turned, .keeper))
        case .lockFeedback:
            InputEntry(
                "lock_feedback", "the contact that tells that the lock of the way in is released",
                debounce: .sensor, words: LineWords("open", "locked"), advice: Advice.bolt)
        case .lockFeedbackExit:
            InputEntry(
                "lock_feedback_exit",
                "the contact that tells that the lock of the way out is released",
                debounce: .sensor, words: LineWords("open", "locked"), advice: Advice.bolt)
        }
    }
}

extension Input {
    /// `allCases`, made once.
    static let ordered = allCases

    private static let entries = ordered.map { $0.described }

    // What the machine asks as it goes, apart from all that people read.
    private static let readings = entries.map { $0.reading }
    private static let faults = entries.map { $0.fault }
    private static let requests = entries.map { $0.request }

    /// Makes what is said of the inputs, so that the first event takes no longer than the next.
    static func prepare() {
        _ = (readings, faults, requests, InputLevels.activeAtRest)
        _ = (InputLevels.cabinetGuards, InputLevels.vaultGuards)
    }

    /// All that there is to say of the input.
    public var entry: InputEntry { Self.entries[index] }

    /// The role's name in the configuration, in the journal and in the ledger. It never changes.
    public var name: String { Self.entries[index].name }

    /// The position of the input among the cases, from 0.
    public var index: Int { Int(rawValue) }

    /// Who makes something of the input's edges.
    var reading: InputEntry.Reading { Self.readings[index] }

    /// The acceptor whose pulse line this is, if it is one.
    var acceptor: Acceptor? { if case .pulses(let acceptor) = reading { acceptor } else { nil } }

    /// The fault that lasts while the contact tells of it, at the start as well: while it is not as
    /// it is at rest. Nil for an input that tells of none by its level alone.
    var toldFault: Fault? { Self.faults[index] }

    /// Whether the contact tells of its fault now.
    func tellsFault(_ levels: InputLevels) -> Bool {
        toldFault != nil && levels[self] != InputLevels.activeAtRest[self]
    }

    /// What whoever moves the contact asks for as it becomes active; nil where that depends on more
    /// than the contact, or is nothing.
    var request: Request? { Self.requests[index] }
}

/// All that there is to say of an input: its arm in `Inputs.swift` is the one place for it.
public struct InputEntry: Sendable {
    /// Who makes something of the edges.
    enum Reading: Hashable, Sendable {
        /// An acceptor's decoder, which counts them.
        case pulses(Acceptor)
        /// The decoder of rotor and beams.
        case lane
        /// The gate, which hears of each level that counts.
        case contact
    }

    /// What an input guards.
    public struct Guarded: Sendable {
        /// How it reads while all is well.
        public let calm: String
        /// The alarm while it does not, unless the mechanic has the gate.
        let alarm: Alarm

        init(_ calm: String, alarm: Alarm) {
            self.calm = calm
            self.alarm = alarm
        }
    }

    /// The role's name.
    public let name: String
    /// What it is: a clause that starts in lower case and has no full stop.
    public let summary: String
    /// Whether a board can do without it.
    public let need: LineNeed
    let reading: Reading
    /// Whether it is active while nobody is at the gate and all is well. Of the contact of a lock
    /// that depends on the lock.
    public let isActiveAtRest: Bool
    let request: Request?
    let fault: Fault?
    /// What the gate does not do while the input cannot be read.
    let unreadable: Fault.Effect
    /// Whether its contact opens to tell something, so that a broken wire tells it as well. Most
    /// contacts of the trade close to ground then.
    public let opensToTell: Bool
    /// How long a level must last to count.
    public let debounce: InputDebounce
    /// Whether the bank must not filter out what is too short to count: an emergency loop that
    /// chatters faster than it settles is broken.
    public let needsEveryEdge: Bool
    /// What a cut wire brings about that makes it active, where that lets people through.
    public let grants: String?
    /// What it guards, where it does: a cut wire is to raise the alarm. Of the others a cut wire is
    /// one of two harms, and the contacts of the trade choose the one that leaves the gate in
    /// service.
    public let guards: Guarded?
    /// What it means that it is active, or not.
    public let words: LineWords
    /// What its lamp means while it is active.
    public let lamp: LampMeaning
    /// Whether its lamp is shown where there is little room.
    public let isEssential: Bool
    /// What to look at where it is not as it is at rest.
    public let advice: String
    /// The key that moves it at a simulated gate; nil for what the mechanism moves.
    public let key: ContactKey?

    /// A contact that closes to tell something of which the gate can do without, but for what is
    /// said.
    fileprivate init(
        _ name: String, _ summary: String, _ reading: Reading = .contact,
        need: LineNeed = .optional, isActiveAtRest: Bool = false, request: Request? = nil,
        fault: Fault? = nil, unreadable: Fault.Effect = .outOfService, opensToTell: Bool = false,
        debounce: InputDebounce = .contact, needsEveryEdge: Bool = false, grants: String? = nil,
        guards: Guarded? = nil, words: LineWords, lamp: LampMeaning = .notice,
        isEssential: Bool = false, advice: String = Advice.wire, key: ContactKey? = nil
    ) {
        self.name = name
        self.summary = summary
        self.need = need
        self.reading = reading
        self.isActiveAtRest = isActiveAtRest
        self.request = request
        self.fault = fault
        self.unreadable = unreadable
        self.opensToTell = opensToTell
        self.debounce = debounce
        self.needsEveryEdge = needsEveryEdge
        self.grants = grants
        self.guards = guards
        self.words = words
        self.lamp = lamp
        self.isEssential = isEssential
        self.advice = advice
        self.key = key
    }
}

/// What to look at where an input is not as it is at rest, where several share that.
private enum Advice {
    static let wire =
        "is it really so? else look at the wire, and whether 'active_low' is right"
    static let acceptor = "is the acceptor wired and supplied? is 'active_low' right?"
    static let rotor = "does the arm stand at rest? is 'active_low' right?"
    static let beam = "is the beam free, and has its emitter a supply?"
    static let key = "is the key turned? is 'active_low' right?"
    static let door =
        "is the door closed? is its contact wired, closed with the door, 'active_low: false'?"
    static let bolt = "is the bolt where it should be? is 'active_low' right: active is released?"
}
