import StateMachines
import System
import Testing
import Turnstile

@testable import Controller

/// What the service manager hears, and what is said where it hears nothing.
@Suite struct SignsOfLifeTests {
    private static func looked(
        _ problem: String?, _ situation: WatchdogPolicy.Situation = .other
    ) -> SignsOfLife.Event { .looked(problem, situation, at: .zero) }

    /// What happens, and what is answered to the last of it.
    @Test(
        arguments: [
            ([looked(nil)], [.feed]),
            ([looked("broken")], [.remember, .note("broken")]),
            ([looked("broken"), looked("broken")], []),
            ([looked("broken"), looked("worse")], [.note("worse")]),
            ([looked("broken"), looked(nil)], [.feed]),
            ([looked("broken", .emergency)], [.feed]),
            // People come to depend on the service while nothing is told.
            ([looked("broken"), .situationChanged(.occupied, at: .zero)], [.feed]),
            ([looked("broken"), .situationChanged(.other, at: .zero)], nil),
            ([looked(nil), .situationChanged(.emergency, at: .zero)], nil),
            ([looked("broken", .service), .situationChanged(.emergency, at: .zero)], nil),
            // What is said was over in between.
            (
                [
                    looked("broken"), .situationChanged(.service, at: .zero),
                    .looked("broken", .other, at: .second(10)),
                ], [.feed]
            ),
            (
                [
                    looked("broken"), .situationChanged(.service, at: .zero),
                    .looked("broken", .other, at: .second(10)),
                    .looked("broken", .other, at: .second(20)),
                ], [.remember, .note("broken")]
            ),
        ] as [([SignsOfLife.Event], [SignsOfLife.Command]?)])
    func `a sign is given, or it is said why not`(
        events: [SignsOfLife.Event], said: [SignsOfLife.Command]?
    ) {
        var indicators = SignsOfLife(WatchdogPolicy())
        #expect(indicators.answers(to: events).last == .some(said))
    }

    @Test func `whoever is in the lane depends on the gate, whatever it shows`() {
        for state in [Status.State.locked, .released(.entry), .stopped] {
            #expect(WatchdogPolicy.Situation(state, isLaneClear: false) == .occupied)
            #expect(WatchdogPolicy.Situation(state, isLaneClear: true) == .other)
        }
        #expect(WatchdogPolicy.Situation(.awaitingReset, isLaneClear: true) == .emergency)
    }
}
