// Regions of three to eight, written out: the compiler has no type for any number of machines that
// hear the same events, see decision 0012.

/// Three regions side by side: `Regions<A, Regions<B, C>>`.
public typealias Regions3<A: StateMachine, B: StateMachine, C: StateMachine> =
    Regions<A, Regions<B, C>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command

/// Four regions side by side.
public typealias Regions4<A: StateMachine, B: StateMachine, C: StateMachine, D: StateMachine> =
    Regions<A, Regions3<B, C, D>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command,
    C.Event == D.Event, C.Command == D.Command

/// Five regions side by side.
public typealias Regions5<
    A: StateMachine, B: StateMachine, C: StateMachine, D: StateMachine, E: StateMachine
> =
    Regions<A, Regions4<B, C, D, E>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command,
    C.Event == D.Event, C.Command == D.Command, D.Event == E.Event, D.Command == E.Command

/// Six regions side by side.
public typealias Regions6<
    A: StateMachine, B: StateMachine, C: StateMachine, D: StateMachine, E: StateMachine,
    F: StateMachine
> =
    Regions<A, Regions5<B, C, D, E, F>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command,
    C.Event == D.Event, C.Command == D.Command, D.Event == E.Event, D.Command == E.Command,
    E.Event == F.Event, E.Command == F.Command

/// Seven regions side by side.
public typealias Regions7<
    A: StateMachine, B: StateMachine, C: StateMachine, D: StateMachine, E: StateMachine,
    F: StateMachine, G: StateMachine
> =
    Regions<A, Regions6<B, C, D, E, F, G>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command,
    C.Event == D.Event, C.Command == D.Command, D.Event == E.Event, D.Command == E.Command,
    E.Event == F.Event, E.Command == F.Command, F.Event == G.Event, F.Command == G.Command

/// Eight regions side by side.
public typealias Regions8<
    A: StateMachine, B: StateMachine, C: StateMachine, D: StateMachine, E: StateMachine,
    F: StateMachine, G: StateMachine, H: StateMachine
> =
    Regions<A, Regions7<B, C, D, E, F, G, H>>
where
    A.Event == B.Event, A.Command == B.Command, B.Event == C.Event, B.Command == C.Command,
    C.Event == D.Event, C.Command == D.Command, D.Event == E.Event, D.Command == E.Command,
    E.Event == F.Event, E.Command == F.Command, F.Event == G.Event, F.Command == G.Command,
    G.Event == H.Event, G.Command == H.Command

extension Regions {
    /// The three, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C>(_ a: First, _ b: B, _ c: C) where Second == Regions<B, C> {
        self.init(a, Second(b, c))
    }

    /// The four, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C, D>(_ a: First, _ b: B, _ c: C, _ d: D) where Second == Regions3<B, C, D> {
        self.init(a, Second(b, c, d))
    }

    /// The five, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C, D, E>(_ a: First, _ b: B, _ c: C, _ d: D, _ e: E)
    where Second == Regions4<B, C, D, E> {
        self.init(a, Second(b, c, d, e))
    }

    /// The six, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C, D, E, F>(_ a: First, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F)
    where Second == Regions5<B, C, D, E, F> {
        self.init(a, Second(b, c, d, e, f))
    }

    /// The seven, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C, D, E, F, G>(_ a: First, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G)
    where Second == Regions6<B, C, D, E, F, G> {
        self.init(a, Second(b, c, d, e, f, g))
    }

    /// The eight, side by side: they hear of an event in this order.
    @inlinable
    public init<B, C, D, E, F, G, H>(
        _ a: First, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    )
    where Second == Regions7<B, C, D, E, F, G, H> {
        self.init(a, Second(b, c, d, e, f, g, h))
    }

    /// The three regions, in their order.
    @inlinable
    public func parts<B, C>() -> (First, B, C) where Second == Regions<B, C> {
        (first, second.first, second.second)
    }

    /// The four regions, in their order.
    @inlinable
    public func parts<B, C, D>() -> (First, B, C, D) where Second == Regions3<B, C, D> {
        let rest = second.parts()
        return (first, rest.0, rest.1, rest.2)
    }

    /// The five regions, in their order.
    @inlinable
    public func parts<B, C, D, E>() -> (First, B, C, D, E) where Second == Regions4<B, C, D, E> {
        let rest = second.parts()
        return (first, rest.0, rest.1, rest.2, rest.3)
    }

    /// The six regions, in their order.
    @inlinable
    public func parts<B, C, D, E, F>() -> (First, B, C, D, E, F)
    where Second == Regions5<B, C, D, E, F> {
        let rest = second.parts()
        return (first, rest.0, rest.1, rest.2, rest.3, rest.4)
    }

    /// The seven regions, in their order.
    @inlinable
    public func parts<B, C, D, E, F, G>() -> (First, B, C, D, E, F, G)
    where Second == Regions6<B, C, D, E, F, G> {
        let rest = second.parts()
        return (first, rest.0, rest.1, rest.2, rest.3, rest.4, rest.5)
    }

    /// The eight regions, in their order.
    @inlinable
    public func parts<B, C, D, E, F, G, H>() -> (First, B, C, D, E, F, G, H)
    where Second == Regions7<B, C, D, E, F, G, H> {
        let rest = second.parts()
        return (first, rest.0, rest.1, rest.2, rest.3, rest.4, rest.5, rest.6)
    }
}
