import VirtualBoard

/// Which way a person goes.
enum Way {
    case entry, exit
}

/// What sees a person go.
enum Sensors {
    case rotor, beams
}

// What people do at the gate.
extension Board {
    /// Drops coins of one pulse each into the first acceptor.
    nonisolated(nonsending) func insertCoins(_ count: Int) async throws {
        for _ in 0..<count { try await insertCoin() }
    }

    /// Drops the coins of a fare, and waits until somebody may come in: the fare is durable first,
    /// which takes as long as the disk does.
    nonisolated(nonsending) func payFare(coins: Int = 5) async throws {
        let mark = try await journalMark()
        try await insertCoins(coins)
        try await event("released", since: mark)
    }

    /// Drops a coin into an acceptor, which makes so many pulses of it.
    nonisolated(nonsending) func insertCoin(
        pulses: Int = 1, of width: Duration = .milliseconds(50), into acceptor: BoardLine = .coin
    ) async throws {
        try await play(Self.coin(pulses: pulses, of: width, into: acceptor))
    }

    /// The moves of an acceptor's line for a coin, and the silence after it.
    static func coin(
        pulses: Int = 1, of width: Duration = .milliseconds(50), into acceptor: BoardLine = .coin
    ) -> [Move] {
        // Gaps are as long as with most acceptors, or a busy host makes two coins of one.
        let gap = max(width, .milliseconds(50))
        let pulse = [Move(after: gap, acceptor, .high), Move(after: width, acceptor, .low)]
        return (0..<pulses).flatMap { _ in pulse }
            + [Move(after: .milliseconds(250), acceptor, .low)]
    }

    /// Turns the rotor by some of the four quarters of a passage.
    nonisolated(nonsending) func turnRotor(
        _ way: Way = .entry, _ quarters: Range<Int> = 0..<4
    ) async throws {
        try await play(Self.turn(way, quarters))
    }

    /// The moves of the sensors, and of a rotor's home contact, for some quarters of a passage.
    static func turn(
        _ way: Way = .entry, _ quarters: Range<Int> = 0..<4, before sensors: Sensors = .rotor,
        quarter: Duration = .milliseconds(100)
    ) -> [Move] {
        let (a, b): (BoardLine, BoardLine) =
            sensors == .rotor ? (.rotorA, .rotorB) : (.beamA, .beamB)
        let (first, second) = way == .entry ? (a, b) : (b, a)
        let turn = [
            [Move(after: quarter, first, .high), Move(.home, .low)],
            [Move(after: quarter, second, .high)],
            [Move(after: quarter, first, .low)],
            [Move(after: quarter, second, .low), Move(.home, .high)],
        ]
        return turn[quarters].flatMap { $0 }
    }

    /// Closes a contact for a moment.
    nonisolated(nonsending) func tap(_ contact: BoardLine) async throws {
        try await play([
            Move(contact, .high), Move(after: .milliseconds(100), contact, .low),
            // The next closing is another one.
            Move(after: .milliseconds(100), contact, .low),
        ])
    }
}
