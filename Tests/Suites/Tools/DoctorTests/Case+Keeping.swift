@testable import Doctor

// What a ledger keeps, and what it is signed with.
extension Case {
    private static let setRoom: @Sendable (Machine) throws -> Void = { machine in
        for file in [Machine.settings, Machine.kept] {
            try machine.replace(
                "\nhardware:", with: "\nledger: {records: 20000, room: 16MB}\nhardware:", in: file)
        }
    }

    static let keeping = [
        Case(
            "a ledger whose room runs out", "ledger size", .warning, "15 MB, 90 % of",
            disk: setRoom, facts: { $0.ledger?.used = 14_400_000 }),
        Case(
            "a ledger that is full", "ledger size", .wrong, "no coins are taken",
            disk: setRoom, facts: { $0.ledger?.used = 16_000_000 }),
        Case(
            "a ledger of an earlier version", "last checkpoint", .warning, "missing",
            facts: { $0.ledger?.last = nil }),
        Case(
            "a ledger that nobody signs any more", "last checkpoint", .warning, "9 h old",
            facts: { $0.now += .seconds(9 * 3_600) }),
        Case(
            "a clock that was put back", "last checkpoint", .warning, "yet to come",
            facts: { $0.now -= .seconds(86_400) }),
        Case(
            "a key that the group may read", "ledger key", .warning, "may read",
            disk: { try $0.setMode(0o640, of: "\(Machine.ledger).key") }),
        Case(
            "a key of somebody else", "ledger key", .warning, "belongs to",
            disk: { machine in
                try machine.write("turnstiled:x:4242:990::/:/bin/false\n", to: "etc/passwd")
            }),
        Case(
            "a key that is gone", "ledger key", .warning, "there is no /var/lib",
            disk: { try $0.remove("\(Machine.ledger).key") }),
        Case(
            "a key beside the one that the unit hands over", "ledger key", .warning, "still",
            disk: { try $0.handOverKey() }),
    ]
}
