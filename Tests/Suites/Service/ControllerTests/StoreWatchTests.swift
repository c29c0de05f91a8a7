import Exploration
import StateMachines
import Testing

@testable import Controller

/// The store's health by itself.
@Suite struct StoreWatchTests {
    private static let hangs = "the ledger has not answered for 2.0 seconds"

    private static func asked(_ seconds: Double) -> StoreWatch.Event {
        .asked(at: .second(seconds))
    }
    private static func looked(_ seconds: Double) -> StoreWatch.Event {
        .looked(at: .second(seconds))
    }
    private static func opened(_ seconds: Double) -> StoreWatch.Event {
        .opened(at: .second(seconds))
    }

    /// What happens to a store, and what is answered to the last of it.
    @Test(
        arguments: [
            // A store owes nothing until it is asked, and then it has its time.
            ([looked(100)], nil),
            ([asked(0), looked(2)], nil),
            ([asked(0), looked(2.001)], [.note(hangs), .reportFailure]),
            ([asked(0), asked(1), looked(2.001)], [.note(hangs), .reportFailure]),
            ([asked(0), looked(3), looked(4)], nil),
            ([asked(0), .answersTaken, .durable], [.reportDurable]),
            ([asked(0), .answersTaken, .durable, looked(3)], nil),
            // One that was asked anew since is not done.
            ([asked(0), .answersTaken, asked(1), .durable], nil),
            ([asked(0), .answersTaken, .durable, asked(1), .durable], nil),
            ([asked(0), .answersTaken, .durable, asked(2), looked(3)], nil),
            ([asked(0), .answersTaken, asked(1), .answersTaken, .durable], [.reportDurable]),
            // So has one that is to be opened.
            ([.opening(at: .second(0)), looked(2)], nil),
            ([.opening(at: .second(0)), looked(2.5)], [.note(hangs), .reportFailure]),
            ([.opening(at: .second(0)), asked(1), looked(2.5)], [.note(hangs), .reportFailure]),
            ([.opening(at: .second(0)), opened(1)], []),
            ([.opening(at: .second(0)), opened(1), looked(9)], nil),
            // What it was asked for meanwhile it owes from then on.
            ([.opening(at: .second(0)), asked(0), opened(1.5), looked(3)], nil),
            (
                [.opening(at: .second(0)), asked(0), opened(1.5), looked(4)],
                [.note(hangs), .reportFailure]
            ),
            // A failure is told once, and noted once for each reason, until it is over.
            ([.failed("full")], [.note("full"), .reportFailure]),
            ([.failed("full"), .failed("full")], nil),
            ([.failed("full"), .failed("gone")], [.note("gone")]),
            ([asked(0), .failed("full"), looked(3)], nil),
            ([.failed("full"), .answersTaken, .durable], [.reportDurable]),
            ([.failed("full"), .durable, .failed("full")], [.note("full"), .reportFailure]),
            ([.failed("full"), opened(1), .failed("full")], [.note("full"), .reportFailure]),
        ] as [([StoreWatch.Event], [StoreWatch.Command]?)])
    func `is asked, answers and fails`(events: [StoreWatch.Event], said: [StoreWatch.Command]?) {
        var watch = StoreWatch()
        #expect(watch.answers(to: events).last == .some(said))
    }

    @Test func `whoever waits for too long is told of it once, and of its end`() {
        let graph = StateGraph(from: World()) { world in
            World.Event.allCases.filter { $0 != .tick || world.ticks < 6 }
        }
        #expect(graph.isComplete)
        #expect(graph.violation { $0.mistake == nil } == nil)
        #expect(
            graph.violation(ofStep: { step in
                step.event != .look || step.after.isFailing
                    || step.after.ticks - (step.after.askedAt ?? step.after.ticks) <= 2
            }) == nil)
    }
}

/// A store that is asked and answers, or does not, and a machine that is told.
private struct World: StateMachine, Hashable {
    enum Event: CaseIterable { case ask, take, store, fail, failOtherwise, look, tick }

    private(set) var watch = StoreWatch()
    private(set) var ticks = 0
    /// When the first of the questions was asked that are open.
    private(set) var askedAt: Int?
    /// Whether one was asked since the answers were taken.
    private var isAskedAnew = false
    /// Whether the machine takes the store for one that fails.
    private(set) var isFailing = false
    /// What the machine was told that it should not have been.
    private(set) var mistake: String?

    private var now: Instant { .second(Double(ticks)) }

    mutating func handle(_ event: Event) -> Outcome<Never> {
        switch event {
        case .ask:
            askedAt = askedAt ?? ticks
            isAskedAnew = true
            tell(.asked(at: now))
        case .take:
            isAskedAnew = false
            tell(.answersTaken)
        case .store: tell(.durable)
        case .fail: tell(.failed("full"))
        case .failOtherwise: tell(.failed("gone"))
        case .look: tell(.looked(at: now))
        case .tick: ticks += 1
        }
        return .handled
    }

    private mutating func tell(_ event: StoreWatch.Event) {
        for command in watch.handle(event).commands {
            switch command {
            case .reportDurable:
                if isAskedAnew { mistake = "an answer to what was asked since" }
                askedAt = nil
                isFailing = false
            case .reportFailure:
                if isFailing { mistake = "a failure twice" }
                isFailing = true
            case .note: break
            }
        }
    }
}
