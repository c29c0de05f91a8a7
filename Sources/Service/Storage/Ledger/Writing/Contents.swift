import StateMachines
import Turnstile

/// A record, and when it happened.
struct Entry: Hashable, Sendable {
    var record: Record
    var time: Instant
}

/// The totals of all records of a gate: balances and registers.
struct Contents: Hashable, Sendable {
    var balances = Balances()
    var registers = Registers()

    mutating func count(_ record: Record) {
        balances.count(record)
        registers.count(record)
    }
}
