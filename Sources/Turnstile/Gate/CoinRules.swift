public import StateMachines

/// What becomes of a coin whose value is known.
enum CoinRules: TableSyntax {
    /// Whether somebody may come in already.
    enum State: UInt8, Enumerated { case locked, unlocked }

    /// A coin, by whether the acceptors took coins when it set out.
    enum Event: UInt8, Enumerated { case welcome, unwelcome }

    /// What becomes of it.
    enum Command: Hashable {
        /// It pays for passages.
        case credit
        /// It is the operator's.
        case keep
        /// It is given back.
        case eject
        /// It is only reported: nobody can have inserted it in an honest way.
        case report
    }

    /// Whether there is something that gives a coin back.
    enum Ejector: UInt8, Predicate { case missing, wired }

    typealias Predicates = Both<UnlockedCoinPolicy, Ejector>

    /// The rules. The gate, not the coin, says which state it is, so that no row leaves its own.
    static let table: Table<CoinRules> = {
        do throws(TableError) {
            return try Table(
                initial: .locked, tolerating: [.unreachableStates, .statesWithoutExit], statements)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    @TableBuilder<CoinRules> private static func statements() -> [Define<CoinRules>] {
        define(.locked) {
            when(.welcome).then().commands(.credit)
            when(.unwelcome).then().commands(.report)
        }
        define(.unlocked) {
            matching(UnlockedCoinPolicy.store).when(.welcome).then().commands(.credit)
            matching(UnlockedCoinPolicy.thank).when(.welcome).then().commands(.keep)
            matching(UnlockedCoinPolicy.reject, and: Ejector.wired)
                .when(.welcome).then().commands(.eject)
            matching(UnlockedCoinPolicy.reject, and: Ejector.missing)
                .when(.welcome).then().commands(.credit)
            when(.unwelcome).then().commands(.report)
        }
    }

    /// What becomes of a coin.
    static func fate(
        of coin: Event, while state: State, _ policy: UnlockedCoinPolicy, hasEjector: Bool
    ) -> Command {
        var state = state
        let move = table.move(coin, Both(policy, hasEjector ? .wired : .missing), in: &state)
        guard let fate = move.command else { preconditionFailure("the table decides every coin") }
        return fate
    }
}

extension UnlockedCoinPolicy: Predicate {}
