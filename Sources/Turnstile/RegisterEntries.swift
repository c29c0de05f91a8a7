// The registers by name, for whoever keeps them beyond the end of the service.

/// A register that nobody knows, by its name.
public struct UnknownRegister: Error, Hashable {
    /// What is called so.
    public var name: String
}

extension Registers {
    /// What was counted, by names that never change their meaning: `accepted.coin_pulse.2.100` are
    /// the coins of two pulses and a value of 100 on that line. What is missing is 0.
    public var entries: [String: Int64] {
        var entries = [
            "starts": starts, "fares_used": faresUsed, "fare_in_use": fareInUse,
            "expired": expired, "forfeited": forfeited, "credit_at_beginning": creditAtBeginning,
        ]
        func add<Key>(_ counts: Counts<Key>, _ what: String, _ name: (Key) -> String) {
            for (key, count) in counts.all { entries["\(what).\(name(key))"] = count }
        }
        add(accepted, "accepted", \.registerName)
        add(late, "late", \.registerName)
        add(inhibited, "inhibited", \.registerName)
        add(rejected, "rejected", \.registerName)
        add(unknownTrains, "unknown_trains", \.line.rawValue)
        add(noisePulses, "noise_pulses", \.line.rawValue)
        add(passages, "passages") { "\($0.direction.rawValue).\($0.kind.rawValue)" }
        add(releases, "releases", \.rawValue)
        add(alarms, "alarms", \.code)
        add(faults, "faults", \.registerName)
        return entries.filter { $0.value != 0 }
    }

    /// The registers of which these are the ``entries``.
    public init(entries: [String: Int64]) throws(UnknownRegister) {
        self.init()
        for (name, count) in entries {
            guard restore(name.split(separator: ".")[...], count) else {
                throw UnknownRegister(name: name)
            }
        }
    }

    /// Takes one entry, by the words of its name; false for one that nobody knows.
    private mutating func restore(_ words: ArraySlice<Substring>, _ count: Int64) -> Bool {
        guard let what = words.first else { return false }
        let name = words.dropFirst()
        switch what {
        case "starts" where name.isEmpty: starts = count
        case "fares_used" where name.isEmpty: faresUsed = count
        case "fare_in_use" where name.isEmpty: fareInUse = count
        case "expired" where name.isEmpty: expired = count
        case "forfeited" where name.isEmpty: forfeited = count
        case "credit_at_beginning" where name.isEmpty: creditAtBeginning = count
        case "accepted": return accepted.restore(Coin(registerName: name), count)
        case "late": return late.restore(Coin(registerName: name), count)
        case "inhibited": return inhibited.restore(Coin(registerName: name), count)
        case "rejected": return rejected.restore(Coin(registerName: name), count)
        case "unknown_trains": return unknownTrains.restore(Acceptor(registerName: name), count)
        case "noise_pulses": return noisePulses.restore(Acceptor(registerName: name), count)
        case "passages": return passages.restore(Passage(registerName: name), count)
        case "releases": return releases.restore(Direction(registerName: name), count)
        case "alarms":
            return alarms.restore(Alarm.ordered.first { [Substring($0.code)] == name }, count)
        case "faults":
            return faults.restore(Fault.all.first { $0.registerWords == name }, count)
        case _: return false
        }
        return true
    }
}

extension Counts {
    /// Takes what was counted before; false without a key.
    fileprivate mutating func restore(_ key: Key?, _ count: Int64) -> Bool {
        guard let key else { return false }
        counts[key] = count
        return true
    }
}

extension Coin {
    fileprivate var registerName: String { "\(acceptor.line.rawValue).\(pulses).\(value)" }

    fileprivate init?(registerName words: ArraySlice<Substring>) {
        guard words.count == 3, let acceptor = Acceptor(registerName: words.prefix(1)),
            let pulses = Int(words[words.startIndex + 1]), let value = Int(words.last ?? "")
        else { return nil }
        self.init(acceptor, pulses: pulses, value: value)
    }
}

extension Acceptor {
    fileprivate init?(registerName words: ArraySlice<Substring>) {
        guard let acceptor = Self.ordered.first(where: { [Substring($0.line.rawValue)] == words })
        else { return nil }
        self = acceptor
    }
}

extension Direction {
    fileprivate init?(registerName words: ArraySlice<Substring>) {
        guard let direction = Self.allCases.first(where: { [Substring($0.rawValue)] == words })
        else { return nil }
        self = direction
    }
}

extension Registers.Passage {
    fileprivate init?(registerName words: ArraySlice<Substring>) {
        guard words.count == 2, let direction = Direction(registerName: words.prefix(1)),
            let kind = words.last.flatMap({ PassageKind(rawValue: String($0)) })
        else { return nil }
        self.init(direction, kind)
    }
}

extension Fault {
    fileprivate var registerName: String { line.map { "\(code).\($0)" } ?? code }

    fileprivate var registerWords: ArraySlice<Substring> {
        registerName.split(separator: ".")[...]
    }
}
