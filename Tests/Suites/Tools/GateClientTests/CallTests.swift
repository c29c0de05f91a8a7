import StateMachines
import System
import Testing
import Turnstile

@testable import Bus
@testable import GateClient

/// What the client calls arrives as it was meant.
@Suite struct CallTests {
    private static let now = Instant(nanoseconds: 7_000_000_000)
    private static let noon = TimeOfDay(minute: 720)!
    private static let requests: [Request] =
        Request.forms + [
            .withdraw(.exit), .setMode(.entry, .free, until: nil),
            .setMode(.exit, nil, until: now + .seconds(60)), .setEnforcement(.weak, until: nil),
            .setEnforcement(nil, until: now + .seconds(3_600)),
            .setModeUntil(.entry, .locked, noon), .setEnforcementUntil(.weak, noon),
            .test(.lampGo, for: .milliseconds(1_500)), .collectCoins(counted: 1_250),
        ]

    @Test(arguments: requests) func `a request arrives as it was meant`(request: Request) throws {
        let call = GateCall(request, at: Self.now)
        var operation = Question.Operation.request(request)
        if case .adopt(let policy) = request { operation = .adopt(policy.fields) }
        #expect(try call.method.parse(call.arguments, at: Self.now) == .ask(operation))
        #expect(call.kind == request.kind)
    }

    /// On the bus 0 µs is for good.
    @Test func `what is for less than a microsecond is not for good`() {
        let short = GateCall(.setMode(.entry, .free, until: .zero + .nanoseconds(1)))
        #expect(short.arguments.last == .uint64(1))
        #expect(GateCall(.setEnforcement(.weak, until: nil)).arguments.last == .uint64(0))
    }
}
