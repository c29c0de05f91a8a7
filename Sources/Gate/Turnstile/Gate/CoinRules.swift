public import StateMachines

/// The fate of a coin of known value, by its reception at its first pulse.
enum CoinRules: TableSyntax {
    typealias State = CoinDecoder.Reception

    /// The coin's pulse train has ended.
    enum Event: UInt8, Enumerated { case counted }

    enum Command: Hashable {
        /// It pays for passages.
        case credit
        /// It is forfeited to the operator.
        case keep
        case eject
        /// It is only reported: it cannot have been inserted honestly.
        case report
        /// Not a coin: only recorded.
        case ignore
    }

    enum Ejector: UInt8, Predicate { case missing, wired }

    typealias Predicates = Both<UnlockedCoinPolicy, Ejector>

    /// The coin's reception is the state, so no row leaves its own.
    static let table: Table<CoinRules> = {
        do throws(TableError) {
            return try Table(
                initial: .locked, tolerating: [.unreachableStates, .statesWithoutExit], statements)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    @TableBuilder<CoinRules> private static func statements() -> [Define<CoinRules>] {
        define(.refused) {
            when(.counted).then().commands(.report)
        }
        define(.early) {
            when(.counted).then().commands(.ignore)
        }
        define(.locked) {
            when(.counted).then().commands(.credit)
        }
        define(.unlocked) {
            matching(UnlockedCoinPolicy.store).when(.counted).then().commands(.credit)
            matching(UnlockedCoinPolicy.thank).when(.counted).then().commands(.keep)
            matching(UnlockedCoinPolicy.reject, and: Ejector.wired)
                .when(.counted).then().commands(.eject)
            matching(UnlockedCoinPolicy.reject, and: Ejector.missing)
                .when(.counted).then().commands(.credit)
        }
    }

    static func fate(
        of reception: CoinDecoder.Reception, _ policy: UnlockedCoinPolicy, hasEjector: Bool
    ) -> Command {
        var state = reception
        let move = table.move(.counted, Both(policy, hasEjector ? .wired : .missing), in: &state)
        guard let fate = move.command else { preconditionFailure("the table decides every coin") }
        return fate
    }
}

extension UnlockedCoinPolicy: Predicate {}
