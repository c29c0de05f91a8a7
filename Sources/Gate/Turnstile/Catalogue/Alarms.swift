/// Human behaviour to look into. Faults are the machine's: see ``Fault``.
///
/// The raw value is the number in the alarm's code. It is published and never changes: a new alarm
/// takes the next number, at any position.
public enum Alarm: UInt8, CaseIterable, Hashable, Sendable {
    case forcedPassage = 1
    case reversePassage = 2
    case tailgating = 3
    case passageDelayed = 4
    case backOutPastMiddle = 5
    case beamBlocked = 6
    case coinStringing = 7
    case vaultOpen = 8
    case cabinetOpen = 9
    case intrusion = 10
}

/// The description of the alarm; `part` picks what the caller needs.
@inline(__always)
private func details<Part>(of alarm: Alarm, _ part: Alarm.Describer<Part>) -> Part {
    switch alarm {
    case .forcedPassage:
        part(
            "forced_passage", Alarm.Traits(isAboutPassage: true),
            EntryText(
                "the rotor of the locked gate was forced", id: "dd02c9b7658a4e41b7d60c1d6e50f556",
                .warning,
                """
                The rotor's sensors report a movement that the lock should have prevented.

                See who is at the gate. If nobody is, the arm rests against the lock with play, or
                the lock does not engage: have the mechanism checked. If the policy latches the
                alarm, it sounds until the mechanic's key is turned.
                """))
    case .reversePassage:
        part(
            "reverse_passage", Alarm.Traits(isAboutPassage: true),
            EntryText(
                "somebody came through the wrong way", id: "4d9cb7cee1184a7bbca78c0b684273ad",
                .warning,
                """
                The gate was released for one direction and the rotor turned in the other.

                See who is at the gate. If passengers go the right way, the wires of the two rotor
                sensors are swapped.
                """))
    case .tailgating:
        part(
            "tailgating", Alarm.Traits(isAboutPassage: true),
            EntryText(
                "somebody slipped in behind somebody else", id: "2d127d8de597438aa62f370dacefe326",
                .warning,
                """
                The rotor turned past its middle without an authorisation, in the direction of a
                passage completed just before.

                See who is at the gate. If it happens with single passengers, the lock engages
                too late and the rotor swings on: have the mechanism checked.
                """))
    case .passageDelayed:
        part(
            "passage_delayed", Alarm.Traits(isAboutPassage: true, lastsWithItsCause: true),
            EntryText(
                "somebody has stood in the gate for too long",
                id: "398fb880a82e488eb334e98672e1945b", .warning,
                """
                A passage has not ended within "pass_delay_alarm", a person has stood in the rotor
                of a locked gate for that time, or the lock held open for a passenger will be cut
                soon ("on_time_warning"). The gate stays as it is until the rotor is home; then
                the alarm ends. Only a lock with a "max_on" is cut before that (F14).

                Check whether the passenger needs help, or luggage blocks the arms. If the lane is
                empty, the rotor does not return to rest or a sensor is stuck.
                """))
    case .backOutPastMiddle:
        part(
            "back_out_past_middle", Alarm.Traits(isAboutPassage: true),
            EntryText(
                "a passenger went back after the middle",
                id: "6e1abf73ebc84201b7cbdb0aa76788a7", .warning,
                """
                The rotor had turned past its middle and came back. A mechanism with a reverse
                stop prevents this. No passage was counted, and the authorisation is still good.

                See who is at the gate: two people may have used one authorisation. If nobody did,
                have the mechanism's reverse stop checked.
                """))
    case .beamBlocked:
        part(
            "beam_blocked", Alarm.Traits(isAboutPassage: true, lastsWithItsCause: true),
            EntryText(
                "something stands in a light beam", id: "0bc73ba2e6c9417c946a349b3522a20d",
                .warning,
                """
                A beam of the lane has been interrupted for longer than a passage takes. The alarm
                ends by itself when the beam is free.

                Look for luggage, a person in the lane, and a bag or sticker on the lens. If the
                lane is empty, clean and align the beam, and check its supply.
                """))
    case .coinStringing:
        part(
            "coin_stringing", Alarm.Traits(),
            EntryText(
                "an inhibited acceptor reports coins",
                id: "8684ebfd763d4097a3c4dc73f7b7b8cb", .warning,
                """
                An acceptor sent pulses although it had been inhibited for longer than a coin takes
                to fall. They were not credited. A cheat may be moving a coin on a string, or
                feeding pulses into the cable.

                See who is at the gate. If nobody is, check the inhibit line and its polarity, and
                that the acceptor refuses coins when the line is not driven.
                """))
    case .vaultOpen:
        part(
            "vault_open", Alarm.Traits(lastsWithItsCause: true),
            EntryText(
                "the coin vault is open or gone", id: "bd4389744afc44c997e7aa62c9ff4f4e", .error,
                """
                The door of the vault is open, or the vault is not in its place, and the gate is not
                in service mode. The siren sounds until the door is closed and the vault is in.

                To collect the coins, hold the mechanic's key first: that is service mode. If no
                collection is under way, it may be a theft. If the door is closed and the vault is
                in, check their switches.
                """))
    case .cabinetOpen:
        part(
            "cabinet_open", Alarm.Traits(lastsWithItsCause: true),
            EntryText(
                "the cabinet is open", id: "a2d793c411174a0eab162893ab46d29e", .error,
                """
                The cabinet is open, and the gate is not in service mode. The siren sounds until
                the cabinet is closed.

                To work in the cabinet, hold the mechanic's key first: that is service mode. If no
                mechanic is at work, it may be an intruder. If the cabinet is closed, check its
                tamper switch.
                """))
    case .intrusion:
        part(
            "intrusion", Alarm.Traits(isAboutPassage: true),
            EntryText(
                "somebody climbed over or crept under the arm",
                id: "7b382dc36b3d4767bdc72505ce22dd42", .warning,
                """
                The detector above or below the arm, "intrusion", saw somebody while the gate let
                nobody pass, and not within "tailgating_window" after a passage. No passage was
                counted.

                See who is at the gate. If nobody is, look for a hanging sign or a plant in the
                detector's view, direct sunlight, a lost supply, and a broken wire: its contact
                opens to report.
                """))
    }
}

extension Alarm: Word {
    fileprivate typealias Describer<Part> =
        (_ name: String, Traits, _ text: @autoclosure () -> EntryText) -> Part

    /// How the gate treats an alarm.
    fileprivate struct Traits {
        var isAboutPassage = false
        var lastsWithItsCause = false
    }

    /// The name of the type in the vocabulary.
    public static var list: String { "alarm" }

    /// The alarm's code, which never changes: `A1`.
    public var code: String { "A\(rawValue)" }

    /// The alarm's name, which never changes: `forced_passage`.
    public var name: String { details(of: self) { name, _, _ in name } }

    var sentence: String { text.sentence }

    /// The kind of the alarm's entry.
    public var entryKind: EntryKind { text.kind("alarm_\(name)", "Alarm") }

    private var text: EntryText { details(of: self) { _, _, text in text() } }

    /// Whether it is about a passage: it follows the enforcement, which may be weak.
    public var isAboutPassage: Bool { details(of: self) { _, traits, _ in traits.isAboutPassage } }

    /// Whether it lasts as long as its cause; else ``Policy/alarmHold`` or the key ends it.
    public var lastsWithItsCause: Bool {
        details(of: self) { _, traits, _ in traits.lastsWithItsCause }
    }

    /// The alarm's index in a table of all alarms, from 0, in the order of their numbers.
    var index: Int { Int(rawValue) - 1 }
}

/// One value for each alarm, at its ``Alarm/index``: as many as the highest number, which nothing
/// but ``AlarmPanel`` and a test can compare.
typealias PerAlarm<Value> = InlineArray<10, Value>

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

    /// The alarms about passages.
    static let aboutPassages: AlarmSet = Alarm.allCases.reduce(into: []) {
        $0[$1] = $1.isAboutPassage
    }
}

extension Alarm {
    /// `allCases`, made once.
    static let ordered = allCases
}
