/// When a table runs the commands of leaving and entering a state.
@frozen
public enum EntryExitPolicy: Sendable {
    /// Only when the state changes.
    case onChange
    /// On every transition, even one from a state to itself.
    case always
}

/// A checked table of transitions, laid out so that an event costs one look-up.
///
/// A table never changes and serves any number of instances: each is no more than its state. It is
/// made by its initialiser alone, so that none can be built a second time.
///
///     var state = Turnstile.State.locked
///     let outcome = table.handle(.coin, in: &state)
///
/// A ``TableMachine`` is table and state together, a ``StateMachine`` like any other.
public final class Table<Syntax: TableSyntax>: Sendable {
    /// What the table says about one state, event and combination of predicates, in a few bytes.
    @frozen
    public struct Move: Sendable {
        /// The one command of the transition, exit and entry included, if there is one and no more.
        public let command: Syntax.Command?
        /// 0 when `command` is all there is to do, 1 when nobody decided, more for a reason to
        /// ignore the event: its place and 2. Below 0 it takes an action: its place, inverted.
        @usableFromInline let action: Int16
        /// The place of the next state among the targets.
        @usableFromInline let next: UInt16

        @usableFromInline
        init(command: Syntax.Command?, action: Int16, next: UInt16) {
            self.command = command
            self.action = action
            self.next = next
        }

        /// Whether the event was taken and ``command`` is all that it led to. If not, the state
        /// has not changed yet, and ``Table/handle(_:_:in:)`` says what to make of the event.
        @inlinable public var isComplete: Bool { action == 0 }
    }

    /// What is to be done where one state and one command do not say it all.
    @usableFromInline
    enum Action: Sendable {
        case move(UInt16, Commands<Syntax.Command>.List)
        case row(RowNode<Syntax>)
    }

    /// The action of cells whose kinds do not say which move is meant: it is looked up among the
    /// choices. Rows are too few to have one with this number.
    @usableFromInline static var lookUp: Int16 { .min }

    // By event, predicates and state, in this order: so the present state is added to an address
    // that is known before it, and no more than one load lies between two states. A column of
    // states is filled up to a power of two.
    @usableFromInline let moves: [Move]
    @usableFromInline let bitsOfState: Int
    // With three bits and fewer the next state is taken out of a word for each column instead, one
    // byte for each state: a shift is quicker than a load.
    @usableFromInline let words: [UInt64]
    @usableFromInline let targets: [Syntax.State]
    @usableFromInline let combinationCount: Int
    @usableFromInline let reasons: [Reason]
    @usableFromInline let actions: [Action]
    @usableFromInline let onEntry: [Commands<Syntax.Command>]
    @usableFromInline let onExit: [Commands<Syntax.Command>]
    @usableFromInline let policy: EntryExitPolicy
    private let decided: [UInt64]
    @usableFromInline let states: Places<Syntax.State>
    @usableFromInline let events: Places<Syntax.Event>
    @usableFromInline let eventCount: Int
    // By state and event.
    @usableFromInline let choices: [Choice]
    /// The state that a machine of this table starts in.
    public let initial: Syntax.State

    /// Checks the statements and lays them out.
    ///
    /// A machine starts in the `initial` state. The policy says whether the commands of entry and
    /// exit run when a transition keeps the state, the tolerance what the table may leave open:
    /// nothing, unless stated. The statements are a `define` for each state.
    ///
    /// - Throws: all mistakes at once, each with its places.
    public convenience init(
        initial: Syntax.State, entryAndExit policy: EntryExitPolicy = .onChange,
        tolerating tolerance: TableTolerance = [], file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column,
        @TableBuilder<Syntax> _ statements: () -> [Define<Syntax>]
    ) throws(TableError) {
        try self.init(
            statements(), initial: initial, policy: policy, tolerance: tolerance,
            at: SourceLocation(file, line, column))
    }

    init(
        _ defines: [Define<Syntax>], initial: Syntax.State, policy: EntryExitPolicy,
        tolerance: TableTolerance, at location: SourceLocation
    ) throws(TableError) {
        let compiler = try TableCompiler(
            defines, initial: initial, tolerating: tolerance, at: location)
        var layout = TableLayout(compiler, policy: policy)
        layout.fill(from: compiler)
        moves = layout.moves
        bitsOfState = layout.bitsOfState
        words = layout.words
        targets = layout.targets
        reasons = layout.reasons
        actions = layout.actions
        onEntry = layout.onEntry
        onExit = layout.onExit
        decided = layout.decided
        choices = layout.choices
        states = compiler.states
        events = compiler.events
        eventCount = compiler.events.count
        self.policy = policy
        self.initial = initial
        combinationCount = compiler.combinationCount
    }

    /// Takes `state` where `event` leads while these predicates hold, and says what is to be done.
    @inlinable
    @inline(__always)
    public func handle(
        _ event: Syntax.Event, _ predicates: Syntax.Predicates, in state: inout Syntax.State
    ) -> Outcome<Syntax.Command> {
        let move = move(event, predicates, in: &state)
        if move.action < 0 {
            // A copy, so that the state itself can stay in a register.
            var after = state
            let (verdict, commands) = perform(Int(~move.action), event, predicates, &after)
            state = after
            return Outcome(verdict, .list(commands))
        }
        // In this order, since only a complete move has a command: then one test finds out what
        // there is to do, and the rest is read on demand.
        if let command = move.command { return .handled(command) }
        return Outcome(verdict(of: move), Commands())
    }

    /// The same, with each command handed over as it comes: see
    /// ``StateMachine/handle(_:perform:)``.
    @inlinable
    @inline(__always)
    public func handle(
        _ event: Syntax.Event, _ predicates: Syntax.Predicates, in state: inout Syntax.State,
        perform: (Syntax.Command) -> Void
    ) -> Verdict {
        let move = move(event, predicates, in: &state)
        if move.action < 0 {
            // A copy, so that the state itself can stay in a register.
            var after = state
            let (verdict, commands) = self.perform(
                Int(~move.action), event, predicates, &after)
            state = after
            commands.forEach(perform)
            return verdict
        }
        if let command = move.command { perform(command) }
        return verdict(of: move)
    }

    /// What became of an event that took no more than a look-up.
    @inlinable
    @inline(__always)
    func verdict(of move: Move) -> Verdict {
        if move.isComplete { return .handled }
        // No index that could be out of range, so that a verdict nobody looks at costs nothing.
        let place = Int(move.action) - 2
        return reasons.indices.contains(place) ? .ignored(reasons[place]) : .unhandled
    }

    /// The look-up alone: for a shell that counts nanoseconds, and whose table gives each
    /// transition at most one command.
    ///
    /// - Returns: a move that is complete, or else a question that ``handle(_:_:in:)`` answers.
    @inlinable
    @inline(__always)
    public func move(
        _ event: Syntax.Event, _ predicates: Syntax.Predicates, in state: inout Syntax.State
    ) -> Move {
        // Predicates without a size have one combination: said so that nothing is multiplied.
        let column =
            MemoryLayout<Syntax.Predicates>.size == 0
            ? event.kind.ordinal : event.kind.ordinal &* combinationCount &+ predicates.combination
        let ordinal = state.kind.ordinal
        // Masked, so that a column shifted is seen not to turn negative.
        let move = moves[column &<< (bitsOfState & 15) &+ ordinal]
        let next =
            bitsOfState > 3
            ? Int(move.next)
            : Int(UInt8(truncatingIfNeeded: words[column] &>> UInt64(ordinal * 8)))
        Syntax.State.move(&state, to: next, of: targets, if: move.isComplete)
        return move
    }

    /// What takes more than a look-up: several commands, conditions, payloads.
    @inlinable
    @inline(never)
    func perform(
        _ action: Int, _ event: Syntax.Event, _ predicates: Syntax.Predicates,
        _ state: inout Syntax.State
    ) -> (Verdict, Commands<Syntax.Command>.List) {
        if action == Int(~Self.lookUp) { return choose(event, predicates, &state) }
        switch actions[action] {
        case .move(let next, let commands):
            Syntax.State.move(&state, to: Int(next), of: targets, if: true)
            return (.handled, commands)
        case .row(let row): return take(row, event, &state)
        }
    }

    /// What the values of state and event lead to, or the lazy predicates.
    @inlinable
    func choose(
        _ event: Syntax.Event, _ predicates: Syntax.Predicates, _ state: inout Syntax.State
    ) -> (Verdict, Commands<Syntax.Command>.List) {
        let pair = states.place(of: state) * eventCount + events.place(of: event)
        let move = choices[pair].move { predicates.value(of: $0) }
        if move.action < 0 { return perform(Int(~move.action), event, predicates, &state) }
        Syntax.State.move(&state, to: Int(move.next), of: targets, if: move.isComplete)
        var commands = Commands<Syntax.Command>.List()
        if let command = move.command { commands.append(command) }
        return (verdict(of: move), commands)
    }

    @inlinable
    func take(
        _ row: RowNode<Syntax>, _ event: Syntax.Event, _ state: inout Syntax.State
    ) -> (Verdict, Commands<Syntax.Command>.List) {
        var commands = Commands<Syntax.Command>.List()
        for condition in row.conditions where !condition(state, event) {
            return (.ignored("the row's condition does not hold"), commands)
        }
        let before = state
        switch row.target {
        case .stay, nil: break
        case .enter(let target): state = target
        case .compute(let kinds, let update):
            state = update(before, event)
            precondition(kinds.contains(state.kind), "a row led to a state that it does not name")
        case .ignore(let reason): return (.ignored(reason), commands)
        }
        let (old, new) = (states.place(of: before), states.place(of: state))
        let moves = policy == .always || row.reenters || old != new
        if moves { onExit[old].forEach { commands.append($0) } }
        for command in row.commands {
            switch command {
            case .fixed(let command): commands.append(command)
            case .computed(let work): work(before, event).forEach { commands.append($0) }
            }
        }
        if moves { onEntry[new].forEach { commands.append($0) } }
        return (.handled, commands)
    }

    /// The kinds of event that some row takes up in a state of this kind, for some value of it at
    /// least.
    ///
    /// A table has to have at most 64 kinds of event to tell.
    public func listens(in state: Syntax.State.Kind) -> KindSet<Syntax.Event.Kind> {
        states.covered[state.ordinal].reduce(KindSet()) { $0.union(listens(at: $1)) }
    }

    /// The kinds of event that some row takes up in the state at this place.
    func listens(at place: Int) -> KindSet<Syntax.Event.Kind> {
        precondition(Syntax.Event.Kind.count <= 64, "a kind set holds at most 64 kinds")
        return KindSet(bits: decided[place])
    }
}

extension Table {
    /// The moves of a pair of state and event, by the predicates that its rows ask for.
    @usableFromInline
    struct Choice: Sendable {
        /// A predicate asked for: how far each value of it moves the place of the move.
        @usableFromInline
        struct Axis: Sendable {
            @usableFromInline let dimension: Int
            @usableFromInline let offsets: [Int]

            init(dimension: Int, offsets: [Int]) {
                self.dimension = dimension
                self.offsets = offsets
            }
        }

        @usableFromInline let axes: [Axis]
        @usableFromInline let moves: [Move]

        init(axes: [Axis], moves: [Move]) {
            self.axes = axes
            self.moves = moves
        }

        /// The move where a predicate has the value that `value` says.
        @inlinable
        func move(_ value: (Int) -> Int) -> Move {
            var place = 0
            for axis in axes { place += axis.offsets[value(axis.dimension)] }
            return moves[place]
        }
    }
}

extension Table where Syntax.Predicates == NoPredicates {
    /// Takes `state` where `event` leads, and says what is to be done.
    @inlinable
    @inline(__always)
    public func handle(
        _ event: Syntax.Event, in state: inout Syntax.State
    ) -> Outcome<Syntax.Command> {
        handle(event, NoPredicates(), in: &state)
    }

    /// The look-up alone.
    @inlinable
    @inline(__always)
    public func move(_ event: Syntax.Event, in state: inout Syntax.State) -> Move {
        move(event, NoPredicates(), in: &state)
    }
}
