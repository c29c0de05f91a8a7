public import Holding
import StateMachines

extension Holder {
    /// Adds an observer of one route.
    ///
    /// It hears of every passage that the route allows, also when another one that was added before
    /// allows it as well: of passages by an event when it is an event's route, else of direct ones.
    ///
    /// - Parameters:
    ///   - route: the route.
    ///   - order: observers of a lower order hear first; of the same order, who came first.
    ///   - hear: called with each passage.
    @discardableResult
    public func observe<State, Event, Message>(
        route: Routes<State, Event, Message>.ID, order: UInt8 = 100,
        _ hear: @escaping @Sendable (RouteTransition<State, Event, Message>, Holder) -> Void
    ) -> ID where Machine == RouteMachine<State, Event, Message> {
        observe(order: order) { step, holder in
            guard let passage = step.outcome.commands.first,
                step.before.routes.route(route, allows: passage, for: step.event)
            else { return }
            hear(passage, holder)
        }
    }

    /// Adds an observer of a chain of states: of its having been gone through, or of its having
    /// been broken.
    ///
    /// - Parameters:
    ///   - chain: the states.
    ///   - result: what to hear of.
    ///   - order: observers of a lower order hear first; of the same order, who came first.
    ///   - hear: called with the passage that completed the chain, or that broke it.
    @discardableResult
    public func observe<State, Event, Message>(
        _ chain: RouteChain<State, Event, Message>,
        when result: RouteChain<State, Event, Message>.Result = .complete, order: UInt8 = 100,
        _ hear: @escaping @Sendable (RouteTransition<State, Event, Message>, Holder) -> Void
    ) -> ID where Machine == RouteMachine<State, Event, Message> {
        // Steps come one at a time, so the outcome is always at hand.
        let followed = Holder<RouteChain<State, Event, Message>>(chain)
        return observe(order: order) { step, holder in
            guard let passage = step.outcome.commands.first,
                followed.handle(passage)?.commands.first == result
            else { return }
            hear(passage, holder)
        }
    }
}
