/// What a gate knows that the end of its process must not take away, but for money.
///
/// The shell keeps it where it outlives a crash, a restart and the power, and hands it to the
/// gate that starts next: see ``Recovery``. What people have paid is the ledger's: ``Balances``.
public struct RetainedState: Hashable, Sendable {
    /// Whether there was an emergency that nobody had reset.
    public var isEmergency = false
    /// The faults that wait for the mechanic's key.
    public var faults = FaultSet()
    /// The alarms that wait for the mechanic's key.
    public var alarms = AlarmSet()
    /// Whether the mechanic had the gate.
    public var isInServiceMode = false
    /// Who was on the way through the rotor.
    public var passage: Passage?
    /// How many were let pass by contact and had not come yet, per direction.
    public var contacts = Gate.Stored()

    /// Somebody on the way through.
    public struct Passage: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// What the passage counts as.
        public var kind: PassageKind
        /// What was paid for it, in minor units of the currency; 0 for what is not paid for.
        public var fare: Int

        /// Somebody on the way through.
        public init(_ direction: Direction, _ kind: PassageKind, fare: Int = 0) {
            self.direction = direction
            self.kind = kind
            self.fare = fare
        }
    }

    /// The state of a gate at rest, of which nothing needs to be known.
    public init() {}
}

/// What a gate that starts knows of the one before it.
public enum Recovery: Hashable, Sendable {
    /// This is what it retained.
    case known(RetainedState)
    /// Nobody knows: there is no state, or none that can be read. The gate then starts as after
    /// an emergency whose reset is still to come, where it has an emergency loop.
    case unknown
}

/// Whether there is a ledger, and what it holds.
public enum LedgerConnection: Hashable, Sendable {
    /// There is none: nothing is made durable.
    case none
    /// It is being opened. Coins are refused until ``Event/Kind/ledgerOpened(_:)``.
    case awaited
    /// It is open, and holds this for people.
    case open(Balances)
}

// What is written down, as names that never change.
extension RetainedState {
    /// What a value is of.
    enum Name: String, CaseIterable {
        case emergency, fault, alarm, passage
        case serviceMode = "service_mode"
        case contactsEntry = "contacts_entry"
        case contactsExit = "contacts_exit"
    }

    /// The state as names and values; what is not named is as in a gate at rest.
    public var fields: [(name: String, value: String)] {
        var fields: [(Name, String)] = []
        if isEmergency { fields.append((.emergency, "on")) }
        fields += faults.all.map { (.fault, $0.identifier) }
        fields += Alarm.ordered.filter { alarms[$0] }.map { (.alarm, $0.code) }
        if isInServiceMode { fields.append((.serviceMode, "on")) }
        if let passage {
            let words = [passage.direction.rawValue, passage.kind.rawValue, "\(passage.fare)"]
            fields.append((.passage, words.joined(separator: " ")))
        }
        if contacts.entry > 0 { fields.append((.contactsEntry, "\(contacts.entry)")) }
        if contacts.exit > 0 { fields.append((.contactsExit, "\(contacts.exit)")) }
        return fields.map { ($0.0.rawValue, $0.1) }
    }

    /// The state that these names and values stand for; nil where one of them means nothing.
    public init?(fields: [(name: String, value: String)]) {
        for (name, value) in fields {
            guard let name = Name(rawValue: name), read(value, as: name) else { return nil }
        }
    }

    /// Takes over what `value` says; returns whether it says anything.
    private mutating func read(_ value: String, as name: Name) -> Bool {
        switch name {
        case .emergency:
            isEmergency = value == "on"
            return isEmergency
        case .fault:
            guard let fault = Fault.byIdentifier[value], fault.isLatching else { return false }
            faults[fault] = true
        case .alarm:
            guard let alarm = Alarm.ordered.first(where: { $0.code == value }) else { return false }
            alarms[alarm] = true
        case .serviceMode:
            isInServiceMode = value == "on"
            return isInServiceMode
        case .passage:
            passage = Passage(words: value)
            return passage != nil
        case .contactsEntry:
            contacts.entry = Self.count(value)
            return contacts.entry > 0
        case .contactsExit:
            contacts.exit = Self.count(value)
            return contacts.exit > 0
        }
        return true
    }

    /// A number of authorisations, from 1; 0 for a text that is none, or more than any policy
    /// allows.
    private static func count(_ text: String) -> Int {
        guard let count = Int(text), (1...Policy.mostStored).contains(count) else { return 0 }
        return count
    }
}

extension RetainedState.Passage {
    /// The passage that these words stand for: `entry paid 250`.
    fileprivate init?(words: String) {
        let words = words.split(separator: " ").map(String.init)
        guard words.count == 3, let direction = Direction(rawValue: words[0]),
            let kind = PassageKind(rawValue: words[1]),
            let fare = Int(words[2]), (0...Policy.highestPrice).contains(fare)
        else { return nil }
        self.init(direction, kind, fare: fare)
    }
}

extension Fault {
    /// The fault's code, with its line where there is one: `F5_lock_entry`. It never changes.
    public var identifier: String { code + (line.map { "_\($0)" } ?? "") }

    /// Every fault by its ``identifier``.
    static let byIdentifier: [String: Fault] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) })
}
