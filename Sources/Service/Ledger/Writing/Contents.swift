import StateMachines
import Turnstile

/// A record, and when that happened which it tells of.
struct Entry: Hashable, Sendable {
    var record: Record
    var time: Instant
}

/// What all records of a gate come to: what is held for people, and what was counted.
struct Contents: Hashable, Sendable {
    var balances = Balances()
    var registers = Registers()

    mutating func count(_ record: Record) {
        balances.count(record)
        registers.count(record)
    }
}
