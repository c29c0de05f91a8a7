import GateClient
import Scenario
import StateMachines
import System
import Turnstile

/// A simulated gate on the bus, as a scenario is played on it.
final class GateStage: Stage {
    /// How long the gate is asked again that has too much to do.
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(100)

    private let connection: GateConnection
    private var records: [Record] = []
    /// How many records the gate could not tell.
    private var missing: UInt64 = 0

    /// The gate on the bus, whose records are followed from now on.
    init(on connection: GateConnection) throws(GateError) {
        self.connection = connection
        try connection.listen()
        // Fails if no service runs.
        _ = try connection.state()
    }

    var now: Instant { MonotonicTimer.now }

    func perform(_ move: WrittenMove) throws {
        try retryWhileBusy { () throws(GateError) in try connection.simulate(move.words) }
    }

    func ask(for request: Request) throws -> Answer.Result {
        let call = GateCall(request, at: now)
        return try retryWhileBusy { () throws(GateError) in try connection.ask(call) }.result
    }

    func report() throws -> StatusReport { try connection.state().report }

    func takeRecords() throws -> [Record] {
        try receive()
        guard missing == 0 else {
            // Without it the expectations cannot be checked.
            throw CommandError(
                "\(missing) records were missed: too many came at once; play it again")
        }
        defer { records = [] }
        return records
    }

    func wait(until end: Instant) throws { connection.wait(until: end) }

    private func receive() throws(GateError) {
        while let event = try connection.next() {
            switch event {
            case .recorded(let told): if let record = told.record { records.append(record) }
            case .ownerChanged(isThere: false): throw .lost
            case .recordsLost(let count): missing += count
            case .line, .changed, .ownerChanged(isThere: true): continue
            }
        }
    }

    private func retryWhileBusy<Result>(
        _ ask: () throws(GateError) -> Result
    ) throws(GateError) -> Result {
        let end = now + Self.patience
        while true {
            do throws(GateError) {
                return try ask()
            } catch {
                guard case .busy = error, now < end else { throw error }
            }
            // Events meanwhile do not shorten the wait.
            let next = now + Self.pause
            while now < next {
                try receive()
                connection.wait(until: next)
            }
        }
    }
}
