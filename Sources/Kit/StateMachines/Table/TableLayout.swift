/// The arrays of a table in the making.
struct TableLayout<Syntax: TableSyntax> {
    typealias Move = Table<Syntax>.Move
    typealias Action = Table<Syntax>.Action

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

    /// Takes note of the states' commands: super states are entered first and left last.
    init(_ defines: [Define<Syntax>], policy: EntryExitPolicy) {
        self.policy = policy
        let count = Syntax.State.Kind.count
        onEntry = Array(repeating: Commands(), count: count)
        onExit = Array(repeating: Commands(), count: count)
        decided = Array(repeating: 0, count: count)
        for (state, defines) in Dictionary(grouping: defines, by: { $0.state.ordinal }) {
            var known: Set<ObjectIdentifier> = []
            let adopted = SuperState.adopted(by: defines.flatMap { $0.adopts }, but: &known)
            let entering = adopted.flatMap { $0.onEntry } + defines.flatMap { $0.onEntry }
            let leaving = defines.flatMap { $0.onExit } + adopted.reversed().flatMap { $0.onExit }
            onEntry[state] = Commands(entering)
            onExit[state] = Commands(leaving)
        }
    }

    /// A move whose next state is nil when that is not known beforehand.
    private typealias Cell = (command: Syntax.Command?, action: Int16, next: UInt16?)

    /// Fills the cells: one for each event, combination of predicates and state.
    mutating func fill(from compiler: TableCompiler<Syntax>) {
        let undecided: Cell = (nil, 1, nil)
        let made = compiler.rows.indices.map { row in
            cell(for: compiler.nodes[row], in: compiler.rows[row].state)
        }
        let (states, events) = (Syntax.State.Kind.count, Syntax.Event.Kind.count)
        bitsOfState = Int.bitWidth - (states - 1).leadingZeroBitCount
        // A byte is too small for so many targets: then no words.
        if targets.count > 256 { bitsOfState = max(4, bitsOfState) }
        let padding = Move(command: nil, action: 1, next: 0)
        moves.reserveCapacity(events * compiler.combinationCount << bitsOfState)
        for event in 0..<events {
            for combination in 0..<compiler.combinationCount {
                let start = moves.count
                for state in 0..<states {
                    let row = (state * events + event) * compiler.combinationCount + combination
                    let cell = compiler.winners[row].map { made[$0] } ?? undecided
                    let next = cell.next ?? UInt16(state)
                    moves.append(Move(command: cell.command, action: cell.action, next: next))
                }
                if bitsOfState <= 3 {
                    words.append(moves[start...].reversed().reduce(0) { $0 << 8 | UInt64($1.next) })
                }
                for _ in states..<1 << bitsOfState { moves.append(padding) }
            }
        }
        for (row, isTaken) in zip(compiler.rows, compiler.taken) where isTaken {
            if case .states = row.lead, row.event < 64 {
                decided[row.state] |= 1 &<< UInt64(row.event)
            }
        }
    }

    private mutating func cell(for row: RowNode<Syntax>, in state: Int) -> Cell {
        if case .ignore(let reason) = row.target, row.conditions.isEmpty {
            reasons.append(reason)
            return (nil, Int16(reasons.count + 1), nil)
        }
        guard row.conditions.isEmpty, let commands = fixedCommands(of: row),
            let target = fixedTarget(of: row, in: state)
        else { return cell(.row(row)) }
        let moves = policy == .always || target.kind != state
        let all = moves ? onExit[state] + commands + onEntry[target.kind] : commands
        if all.count <= 1 { return (all.first, 0, target.place) }
        var list = Commands<Syntax.Command>.List()
        list.append(contentsOf: all)
        return cell(.move(target.place, list))
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

    /// Where the row leads, or nil when that has to be worked out.
    private mutating func fixedTarget(
        of row: RowNode<Syntax>, in state: Int
    ) -> (place: UInt16, kind: Int)? {
        let isEnumerated = !Syntax.State.fixedValues.isEmpty
        switch row.target {
        case .stay, nil:
            return isEnumerated ? (UInt16(state), state) : nil
        case .enter(let target):
            let kind = target.kind.ordinal
            if isEnumerated { return (UInt16(kind), kind) }
            targets.append(target)
            return (UInt16(targets.count - 1), kind)
        case .compute, .ignore: return nil
        }
    }
}
