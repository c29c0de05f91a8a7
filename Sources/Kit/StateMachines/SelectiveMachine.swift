/// A machine that says which kinds of event its present state listens to.
///
/// A shell switches its sources by it: a coin acceptor is inhibited because the state does not
/// listen to coins. An event that the state does not listen to can still arrive, being on its way
/// already; ``StateMachine/handle(_:)`` says what becomes of it.
///
///     let before = gate.listens
///     let outcome = gate.handle(event)
///     for kind in gate.listens.subtracting(before).kinds { switchOn(kind) }
///     for kind in before.subtracting(gate.listens).kinds { switchOff(kind) }
///
/// `StateGraph.firstDisagreement()` looks in all reachable states for an event that is handled
/// though nobody listens to it.
public protocol SelectiveMachine<Event, Command>: StateMachine {
    /// The kinds of event that a shell can switch on and off.
    associatedtype Kind: Enumerated
    /// The kinds of event that the present state listens to.
    var listens: KindSet<Kind> { get }
}

extension StateMachine where Event: Enumerated {
    /// The events that the machine would handle now, found by asking about each: what a
    /// ``SelectiveMachine`` may listen to.
    ///
    ///     var listens: KindSet<Event> { permittedEvents }
    @inlinable public var permittedEvents: KindSet<Event> {
        KindSet(Event.allCases.filter(permits))
    }
}
