import StateMachines
import Testing
import Turnstile

@testable import Controller

/// What is kept of the state, and when.
@Suite struct RetentionWatchTests {
    private static let rest = RetainedState()
    private static let emergency = {
        var state = RetainedState()
        state.isEmergency = true
        return state
    }()

    /// What happens, and what is answered to the last of it.
    @Test(
        arguments: [
            // Before the start nobody knows what was before.
            ([.happened(emergency)], nil),
            ([.happened(rest), .began, .happened(rest)], [.keep(rest)]),
            ([.began, .happened(rest)], [.keep(rest)]),
            ([.began, .happened(rest), .happened(rest)], nil),
            ([.began, .happened(rest), .happened(emergency)], [.keep(emergency)]),
            (
                [.began, .happened(emergency), .happened(rest), .happened(emergency)],
                [.keep(emergency)]
            ),
            // What is not kept is said once for each reason, and tried at each look.
            ([.began, .happened(rest), .looked(nil)], []),
            ([.began, .happened(rest), .looked("full")], [.note("full"), .keep(rest)]),
            ([.began, .happened(rest), .looked("full"), .looked("full")], [.keep(rest)]),
            (
                [.began, .happened(rest), .looked("full"), .looked("gone")],
                [.note("gone"), .keep(rest)]
            ),
            (
                [.began, .happened(rest), .looked("full"), .looked(nil), .looked("full")],
                [.note("full"), .keep(rest)]
            ),
            (
                [.began, .happened(rest), .looked("full"), .happened(emergency), .looked("full")],
                [.keep(emergency)]
            ),
        ] as [([RetentionWatch.Event], [RetentionWatch.Command]?)])
    func `each state is handed over once, and again while it is not kept`(
        events: [RetentionWatch.Event], said: [RetentionWatch.Command]?
    ) {
        var watch = RetentionWatch()
        #expect(watch.answers(to: events).last == .some(said))
    }
}
