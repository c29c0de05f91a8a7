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
        return switch one(of: Request.Kind.allCases.filter { $0 != .adopt }) {
        case .grant: .grant(way)
        case .withdraw: .withdraw(way)
        case .setMode: .setMode(way, chance(40) ? nil : one(of: Mode.allCases), until: until)
        case .setEnforcement:
            .setEnforcement(chance(40) ? nil : one(of: Enforcement.allCases), until: until)
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
}
