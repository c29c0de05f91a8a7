import StateMachines
import Turnstile

/// A record, and when that happened which it tells of.
struct Entry: Hashable, Sendable {
    var record: Record
    var time: Instant
}

/// What all records of a gate come to: what is held for people, and what was counted.
struct Contents: Hashable, Sendable {
    /// What is held for people.
    var balances = Balances()
    /// What was counted.
    var registers = Registers()

    /// Follows what the record says.
    mutating func count(_ record: Record) {
        balances.count(record)
        registers.count(record)
    }
}

extension Balances {
    /// What is held, by names that never change.
    var numbers: [String: Int64] {
        get {
            var numbers: [String: Int64] = [
                "credit": Int64(credit), "fare_in_use": Int64(fareInUse),
                "fare_begun": isFareBegun ? 1 : 0,
            ]
            for acceptor in Acceptor.allCases {
                let name = "counted_\(acceptor.line.name)"
                numbers["\(name)_pulses"] = Int64(counted[acceptor]?.pulses ?? 0)
                numbers["\(name)_value"] = Int64(counted[acceptor]?.value ?? 0)
            }
            return numbers
        }
        set {
            // One that does not fit is found out: it is not what it was when it is asked for.
            func number(_ name: String) -> Int { Int(clamping: newValue[name] ?? 0) }
            credit = number("credit")
            fareInUse = number("fare_in_use")
            isFareBegun = number("fare_begun") != 0
            for acceptor in Acceptor.allCases {
                let name = "counted_\(acceptor.line.name)"
                let pulses = number("\(name)_pulses")
                let coin = Coin(acceptor, pulses: pulses, value: number("\(name)_value"))
                counted[acceptor] = pulses == 0 ? nil : coin
            }
        }
    }
}
