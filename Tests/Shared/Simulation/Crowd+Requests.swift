import StateMachines
import Turnstile

// Operators, who ask for everything, whatever goes on at the gate.
extension Crowd {
    /// Two operators.
    private static let operators: [Requester] =
        [Operator(number: 1000, name: "anna"), Operator(number: 1001, name: "bert")]
        .compactMap { $0.map { .person($0) } }

    /// One thing or several, one soon after the other.
    mutating func askFromAfar(_ start: Instant) -> Instant {
        let requester = chance(80) ? Self.operators[0] : Self.operators[1]
        var time = start
        for _ in 0..<Int.random(in: 1...4, using: &randomness) {
            agenda.plan(.ask(request(at: time), by: requester), at: time)
            time = time + (chance(30) ? after(500...8_000) : after(0...400))
        }
        return time
    }

    private mutating func request(at time: Instant) -> Request {
        let way = one(of: Direction.allCases)
        let until = chance(80) ? time + after(-500...60_000) : nil
        // Without a draw, so that earlier seeds keep their meaning.
        let clock = until.flatMap { TimeOfDay(minute: Int($0.nanoseconds / 1_000_000 % 3_000)) }
        let none: Set<Request.Kind> = [.adopt, .setModeUntil, .setEnforcementUntil]
        return switch one(of: Request.Kind.allCases.filter { !none.contains($0) }) {
        case .grant: .grant(way)
        case .grantGroup: .grantGroup(way, count: chance(50) ? 2 : 4)
        case .withdraw: .withdraw(way)
        case .setMode: mode(way, chance(40) ? nil : one(of: Mode.allCases), until, clock)
        case .setEnforcement:
            .setEnforcement(chance(40) ? nil : one(of: Enforcement.allCases), until: until)
        case .setModeUntil, .setEnforcementUntil: .setEnforcement(nil, until: nil)
        case .confirmRepair: .confirmRepair
        case .acknowledgeAlarms, .adopt: .acknowledgeAlarms
        case .resetEmergency: .resetEmergency
        case .beginService: .beginService
        case .endService: .endService
        case .selfTest: .selfTest
        case .test:
            .test(one(of: Output.allCases), for: chance(60) ? after(-500...30_000) : nil)
        case .collectCoins: .collectCoins(counted: chance(80) ? 100 : nil)
        }
    }

    private func mode(
        _ way: Direction, _ mode: Mode?, _ until: Instant?, _ clock: TimeOfDay?
    ) -> Request {
        guard let mode, let clock else { return .setMode(way, mode, until: until) }
        return .setModeUntil(way, mode, clock)
    }
}
