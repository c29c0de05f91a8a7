/// Something that people do and somebody should look at.
///
/// The raw value is the number in the alarm's code. It is published and never changes: a new alarm
/// takes the next one, wherever it stands.
public enum Alarm: UInt8, CaseIterable, Hashable, Sendable {
    /// The rotor of a locked gate was forced.
    case forcedPassage = 1
    /// Somebody came the wrong way through a gate that was released for the other one.
    case reversePassage = 2
    /// Somebody slipped in behind somebody else.
    case tailgating = 3
    /// Somebody has stood in the gate for too long.
    case passageDelayed = 4
    /// Somebody went back who had passed the middle.
    case backOutPastMiddle = 5
    /// Something stands in a light beam.
    case beamBlocked = 6
    /// An acceptor that was inhibited reports coins.
    case coinStringing = 7
    /// The coin vault is open or gone, and no mechanic has the gate.
    case vaultOpen = 8
    /// The cabinet is open, and no mechanic has the gate.
    case cabinetOpen = 9
}

extension Alarm {
    /// The alarm's code, which never changes: `A1`.
    public var code: String { "A\(rawValue)" }

    /// The alarm's name, which never changes: `forced_passage`.
    public var name: String {
        switch self {
        case .forcedPassage: "forced_passage"
        case .reversePassage: "reverse_passage"
        case .tailgating: "tailgating"
        case .passageDelayed: "passage_delayed"
        case .backOutPastMiddle: "back_out_past_middle"
        case .beamBlocked: "beam_blocked"
        case .coinStringing: "coin_stringing"
        case .vaultOpen: "vault_open"
        case .cabinetOpen: "cabinet_open"
        }
    }

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

    /// The alarm's place in what holds something for each of them, from 0: that of its number.
    var index: Int { Int(rawValue) - 1 }
}

/// One value for each alarm, at its ``Alarm/index``: as many as the highest number, which nothing
/// but ``AlarmPanel`` and a test can compare.
typealias PerAlarm<Value> = InlineArray<9, Value>

/// A set of alarms.
public struct AlarmSet: OptionSet, Hashable, Sendable {
    /// One bit per alarm, in the order of their numbers.
    public let rawValue: UInt16

    /// The set with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether `alarm` is in the set.
    public subscript(alarm: Alarm) -> Bool {
        @inline(__always) get { rawValue & Self.bit(of: alarm) != 0 }
        set {
            let bit = AlarmSet(rawValue: Self.bit(of: alarm))
            if newValue { insert(bit) } else { remove(bit) }
        }
    }

    @inline(__always) private static func bit(of alarm: Alarm) -> UInt16 {
        1 &<< UInt16(alarm.rawValue &- 1)
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
