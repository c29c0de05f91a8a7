/// The arrays of a table in the making.
struct TableLayout<Syntax: TableSyntax> {
    typealias Move = Table<Syntax>.Move
    typealias Action = Table<Syntax>.Action
    typealias Choice = Table<Syntax>.Choice

    private(set) var moves: [Move] = []
    private(set) var words: [UInt64] = []
    /// How many bits of a move's place are the state's.
    private(set) var bitsOfState = 0
    private(set) var targets: [Syntax.State] = Syntax.State.fixedValues
    private(set) var reasons: [Reason] = []
    private(set) var actions: [Action] = []
    private(set) var onEntry: [Commands<Syntax.Command>]
    private(set) var onExit: [Commands<Syntax.Command>]
    /// For each state the kinds of event that some row takes up, as bits.
    private(set) var decided: [UInt64]
    private let policy: EntryExitPolicy

    private let states: Places<Syntax.State>
    /// The choices for each pair of state and event, where some cell looks one up.
    private(set) var choices: [Choice] = []

    /// Takes note of the states' commands: super states are entered first and left last, and of a
    /// value and its kind the kind.
    init(_ compiler: TableCompiler<Syntax>, policy: EntryExitPolicy) {
        self.policy = policy
        states = compiler.states
        onEntry = Array(repeating: Commands(), count: states.count)
        onExit = onEntry
        decided = Array(repeating: 0, count: states.count)
        for (state, statements) in compiler.statements.enumerated() {
            var known: Set<ObjectIdentifier> = []
            for defines in statements.map({ $0.map { compiler.defines[$0] } }) {
                let adopted = SuperState.adopted(by: defines.flatMap { $0.adopts }, but: &known)
                let entering = adopted.flatMap { $0.onEntry } + defines.flatMap { $0.onEntry }
                let leaving =
                    defines.flatMap { $0.onExit } + adopted.reversed().flatMap { $0.onExit }
                onEntry[state].append(contentsOf: Commands(entering))
                onExit[state] = Commands(leaving) + onExit[state]
            }
        }
    }

    /// A move whose next state is nil when that is not known beforehand.
    private typealias Cell = (command: Syntax.Command?, action: Int16, next: UInt16?)

    /// Fills the cells: one for each event, combination of predicates and state.
    mutating func fill(from compiler: TableCompiler<Syntax>) {
        let made = compiler.rows.indices.map { row in
            cell(for: compiler.nodes[row], in: compiler.rows[row].state)
        }
        let (kinds, events) = (states.kindCount, compiler.events.kindCount)
        bitsOfState = Int.bitWidth - (kinds - 1).leadingZeroBitCount
        // A byte is too small for so many targets: then no words.
        if targets.count > 256 { bitsOfState = max(4, bitsOfState) }
        let padding = Move(command: nil, action: 1, next: 0)
        moves.reserveCapacity(events * compiler.combinationCount << bitsOfState)
        let places = compiler.placesOfPredicates
        var looksUp = false
        for event in 0..<events {
            let column = (0..<kinds).map { state in
                let isLookedUp = compiler.isLookedUp(state, event)
                looksUp = looksUp || isLookedUp
                return isLookedUp
                    ? Choice(axes: [], moves: [lookedUp(in: state)])
                    : choice(state, event, made, compiler)
            }
            for combination in 0..<compiler.combinationCount {
                let start = moves.count
                for choice in column {
                    moves.append(
                        choice.move { combination / places[$0].stride % places[$0].count })
                }
                if bitsOfState <= 3 {
                    words.append(moves[start...].reversed().reduce(0) { $0 << 8 | UInt64($1.next) })
                }
                for _ in kinds..<1 << bitsOfState { moves.append(padding) }
            }
        }
        if looksUp {
            for state in 0..<states.count {
                for event in 0..<compiler.events.count {
                    choices.append(choice(state, event, made, compiler))
                }
            }
        }
        for (row, isTaken) in zip(compiler.rows, compiler.taken) where isTaken {
            let event = compiler.events.kind(of: row.event)
            if case .states = row.lead, event < 64 {
                decided[row.state] |= 1 &<< UInt64(event)
            }
        }
    }

    /// The moves of a pair of state and event, by the predicates that its rows ask for.
    private func choice(
        _ state: Int, _ event: Int, _ made: [Cell], _ compiler: TableCompiler<Syntax>
    ) -> Choice {
        let own = UInt16(states.kind(of: state))
        let undecided = Move(command: nil, action: 1, next: own)
        guard let decision = compiler.decisions[compiler.pair(state, event)] else {
            return Choice(axes: [], moves: [undecided])
        }
        var stride = decision.winners.count
        let axes = decision.combinations.axes.map { axis in
            stride /= axis.values.count
            return Choice.Axis(
                dimension: axis.predicate, offsets: axis.classes.map { [stride] in $0 * stride })
        }
        let moves = decision.winners.map { winner in
            guard let cell = winner.map({ made[$0] }) else { return undecided }
            return Move(command: cell.command, action: cell.action, next: cell.next ?? own)
        }
        return Choice(axes: axes, moves: moves)
    }

    /// What stands in a cell that cannot say which of the choices is meant.
    private func lookedUp(in state: Int) -> Move {
        Move(command: nil, action: Table<Syntax>.lookUp, next: UInt16(state))
    }

    private mutating func cell(for row: RowNode<Syntax>, in state: Int) -> Cell {
        if case .ignore(let reason) = row.target, row.conditions.isEmpty {
            reasons.append(reason)
            return (nil, Int16(reasons.count + 1), nil)
        }
        guard row.conditions.isEmpty, let commands = fixedCommands(of: row),
            let target = fixedTarget(of: row, in: state)
        else { return cell(.row(row)) }
        let moves = policy == .always || row.reenters || target.state != state
        let all = moves ? onExit[state] + commands + onEntry[target.state] : commands
        if all.count <= 1 { return (all.first, 0, target.next) }
        var list = Commands<Syntax.Command>.List()
        list.append(contentsOf: all)
        return cell(.move(target.next, list))
    }

    private mutating func cell(_ action: Action) -> Cell {
        actions.append(action)
        return (nil, Int16(-actions.count), nil)
    }

    /// The row's commands, or nil when some have to be worked out.
    private func fixedCommands(of row: RowNode<Syntax>) -> Commands<Syntax.Command>? {
        var all = Commands<Syntax.Command>()
        for command in row.commands {
            guard case .fixed(let command) = command else { return nil }
            all.append(command)
        }
        return all
    }

    /// Where the row leads: the next state's place among the targets, and among the states. Nil
    /// when that has to be worked out.
    private mutating func fixedTarget(
        of row: RowNode<Syntax>, in state: Int
    ) -> (next: UInt16, state: Int)? {
        let isEnumerated = !Syntax.State.fixedValues.isEmpty
        switch row.target {
        case .stay, nil:
            if isEnumerated { return (UInt16(states.kind(of: state)), state) }
            return states.value(at: state).map { (place(ofTarget: $0), state) }
        case .enter(let target):
            let place = states.place(of: target)
            if isEnumerated { return (UInt16(target.kind.ordinal), place) }
            return (self.place(ofTarget: target), place)
        case .compute, .ignore: return nil
        }
    }

    private mutating func place(ofTarget target: Syntax.State) -> UInt16 {
        targets.append(target)
        return UInt16(targets.count - 1)
    }
}
