import CrashImages
import Foundation
import VirtualBoard

/// A day at the gate, short and full, with all that its disk was told meanwhile and all that its
/// lines did.
struct DiskDay {
    /// What was on the disk before.
    let disk: URL
    /// What it was told.
    let log: WriteLog
    /// What the lines did and what the disk had done by then.
    let trace: [TracePoint]
    /// What the coins were worth that people dropped.
    let coins: Int
    /// The events that the service told of, from its first start on.
    let told: [String]

    /// Has the day happen on a board, and keeps the disk and its log in `folder`.
    static nonisolated(nonsending) func recorded(
        on debian: Debian, in folder: URL
    ) async throws -> DiskDay {
        var recording: (trace: [TracePoint], coins: Int, told: [String]) = ([], 0, [])
        try await Board.withService(debian, .twoWay) { board in
            try await board.startWaveform()
            try await board.startDiskTrace()
            var day = Visitors(board)
            for number in 0..<20 { try await day.visit(number) }
            try await board.check("systemctl stop turnstiled; sync -f /var/lib/turnstiled")
            try await board.markDisk()
            recording.trace = try await board.stopTrace()
            recording.coins = day.coins
            recording.told = try await board.journal("--unit=turnstiled").compactMap(\.event)
            try await board.powerCut(recording: folder)
        }
        return DiskDay(
            disk: folder.appending(path: "state.ext4"),
            log: try WriteLog(contentsOf: folder.appending(path: "state.log")),
            trace: recording.trace, coins: recording.coins, told: recording.told)
    }
}

/// Who comes to the gate on that day.
private struct Visitors {
    private let board: Board
    private(set) var coins = 0

    init(_ board: Board) { self.board = board }

    /// Somebody pays and passes, and whatever else this visit is for.
    mutating nonisolated(nonsending) func visit(_ number: Int) async throws {
        try await pay(number)
        // In between the service lives long enough to put what it wrote in its place in the file.
        switch number {
        case 3, 14: try await flee()
        case 8, 18: try await startAgain { try await $0.signal("KILL") }
        case 9: try await startAgain { try await $0.check("systemctl restart turnstiled") }
        default: break
        }
        try await board.wait(for: .coinEnable, .high, within: .seconds(10))
        // Whoever has paid before it needs a push to be let in again.
        try await board.turnRotor(.entry, 0..<1)
        if number % 5 == 2 {
            try await board.release(.rotorA)  // thinks better of it
            try await board.turnRotor(.entry, 0..<1)
        }
        try await board.turnRotor(.entry, 1..<4)
        if number % 4 == 1 { try await collect() }
    }

    /// Drops coins for a fare, into whatever acceptors, and more until the lock is released.
    private mutating nonisolated(nonsending) func pay(_ number: Int) async throws {
        let fares: [[(pulses: Int, of: Int, into: BoardLine, value: Int)]] = [
            Array(repeating: (1, 50, .coin, 50), count: 5),
            [(2, 25, .coin2, 100), (2, 25, .coin2, 100), (1, 25, .coin2, 50)],
            [(5, 50, .coin, 250)],
            [(3, 60, .coin3, 50), (2, 25, .coin2, 100), (2, 50, .coin, 100)],
        ]
        let fare = fares[number % fares.count]
        let moves = fare.flatMap {
            Board.coin(pulses: $0.pulses, of: .milliseconds($0.of), into: $0.into)
        }
        coins += fare.reduce(0) { $0 + $1.value }
        try await board.play(moves)
        // On a busy host a pulse may become so long that it is none.
        while try await board.level(of: .lockEntryHold) == .low {
            coins += 50
            try await board.insertCoin()
        }
    }

    /// The emergency loop opens, and the mechanic ends it two seconds and more after that.
    private nonisolated(nonsending) func flee() async throws {
        try await board.edge(.fire, .high, brings: .dropArm, .low)
        try await board.play([
            Board.Move(after: .milliseconds(2500), .fire, .low),
            Board.Move(after: .milliseconds(2500), .fire, .low),
        ])
        try await board.tap(.emergencyReset)
        try await board.wait(for: .dropArm, .high)
    }

    /// The service ends, and starts again.
    private nonisolated(nonsending) func startAgain(
        by end: nonisolated(nonsending) (Board) async throws -> Void
    ) async throws {
        let mark = try await board.journalMark()
        try await end(board)
        try await board.event("started", since: mark)
    }

    /// The vault is taken out and put back.
    private nonisolated(nonsending) func collect() async throws {
        try await board.edge(.vault, .low, brings: .coinEnable, .low)
        try await board.edge(.vault, .high, brings: .coinEnable, .high)
    }
}
