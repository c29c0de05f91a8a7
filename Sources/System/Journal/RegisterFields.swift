import Turnstile

extension Registers {
    /// For people: the registers that show something, one a line.
    var list: String {
        let collected = Dictionary(uniqueKeysWithValues: sinceCollection.values)
        let shown = sinceInit.values.filter { $0.1 != 0 }
        guard !shown.isEmpty else { return "\nnothing was counted yet" }
        return shown.map { name, value in
            "\n\(name) \(value), \(collected[name] ?? 0) since the collection"
        }.joined()
    }

    /// For programs: all registers.
    var fields: [JournalEntry.Field] {
        sinceInit.values.map { .init(.register, "\($0)=\($1)") }
            + sinceCollection.values.map { .init(.collected, "\($0)=\($1)") }
    }
}

extension RegisterValues {
    /// What the registers show, by names that never change, in an order that does not either.
    fileprivate var values: [(String, Int64)] {
        var values = [
            ("starts", starts), ("value_in", valueIn), ("fares_used", faresUsed),
            ("fare_in_use", fareInUse), ("credit_held", creditHeld), ("credit_expired", expired),
            ("credit_forfeited", forfeited), ("refunded", refunded),
        ]
        for direction in Direction.allCases {
            for kind in PassageKind.allCases {
                let count = passages[Register.PassageCategory(direction, kind)]
                values.append(("passages_\(direction)_\(kind)", count))
            }
            values.append(("releases_\(direction)", releases[direction]))
        }
        for acceptor in Acceptor.allCases {
            let line = acceptor.line.name
            values.append(("unknown_trains_\(line)", unknownTrains[acceptor]))
            values.append(("noise_pulses_\(line)", noisePulses[acceptor]))
        }
        values += coins(accepted, "accepted") + coins(late, "late")
        values += coins(inhibited, "inhibited") + coins(rejected, "rejected")
        values += summed(alarms.all.map { ("alarm_\($0.key.code)", $0.value) })
        values += summed(faults.all.map { ("fault_\($0.key.code)", $0.value) })
        return values
    }

    /// The coins by acceptor and value: `accepted_coin_pulse_100`.
    private func coins(_ counts: Counts<Coin>, _ what: String) -> [(String, Int64)] {
        summed(
            counts.all.map {
                ("\(what)_\($0.key.acceptor.line.name)_\($0.key.value)", $0.value)
            }
        )
    }

    /// One value per name, in the order of the names.
    private func summed(_ values: [(String, Int64)]) -> [(String, Int64)] {
        Dictionary(values, uniquingKeysWith: +).sorted { $0.key < $1.key }.map { ($0, $1) }
    }
}
