/// Something that people do and somebody should look at.
public enum Alarm: String, CaseIterable, Hashable, Sendable {
    /// The rotor of a locked gate was forced.
    case forcedPassage = "forced_passage"
    /// Somebody came the wrong way through a gate that was released for the other one.
    case reversePassage = "reverse_passage"
    /// Somebody slipped in behind somebody else.
    case tailgating
    /// Somebody has stood in the gate for too long.
    case passageDelayed = "passage_delayed"
    /// Somebody went back who had passed the middle.
    case backOutPastMiddle = "back_out_past_middle"
    /// Something stands in a light beam.
    case beamBlocked = "beam_blocked"
    /// An acceptor that was inhibited reports coins.
    case coinStringing = "coin_stringing"
    /// The coin vault is open or gone, and no mechanic has the gate.
    case vaultOpen = "vault_open"
    /// The cabinet is open, and no mechanic has the gate.
    case cabinetOpen = "cabinet_open"
}

extension Alarm {
    /// The alarm's code, which never changes: `A1`.
    public var code: String { "A\(index + 1)" }

    /// Whether the alarm is about somebody who passes: these follow the enforcement, which may be
    /// weak; the others sound the siren at all times.
    public var isAboutPassage: Bool {
        switch self {
        case .forcedPassage, .reversePassage, .tailgating, .passageDelayed, .backOutPastMiddle,
            .beamBlocked:
            true
        case .coinStringing, .vaultOpen, .cabinetOpen: false
        }
    }

    /// Whether the alarm lasts as long as what it is about, which the mechanic's key does not end;
    /// the others are over after ``Policy/alarmHold``, or with the key.
    public var lastsWithItsCause: Bool {
        switch self {
        case .passageDelayed, .beamBlocked, .vaultOpen, .cabinetOpen: true
        case .forcedPassage, .reversePassage, .tailgating, .backOutPastMiddle, .coinStringing: false
        }
    }

    /// The position of the alarm in `allCases`, from 0.
    var index: Int {
        switch self {
        case .forcedPassage: 0
        case .reversePassage: 1
        case .tailgating: 2
        case .passageDelayed: 3
        case .backOutPastMiddle: 4
        case .beamBlocked: 5
        case .coinStringing: 6
        case .vaultOpen: 7
        case .cabinetOpen: 8
        }
    }
}

/// A set of alarms.
public struct AlarmSet: OptionSet, Hashable, Sendable {
    /// One bit per alarm, in the order of `Alarm.allCases`.
    public let rawValue: UInt16

    /// The set with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether `alarm` is in the set.
    public subscript(alarm: Alarm) -> Bool {
        @inline(__always) get { rawValue & 1 << UInt16(alarm.index) != 0 }
        set {
            let bit = AlarmSet(rawValue: 1 << UInt16(alarm.index))
            if newValue { insert(bit) } else { remove(bit) }
        }
    }

    /// The alarms about somebody who passes.
    static let aboutPassages: AlarmSet = Alarm.allCases.reduce(into: []) {
        $0[$1] = $1.isAboutPassage
    }
}

extension Alarm {
    /// `allCases`, made once.
    static let ordered = allCases
}
