import Turnstile

extension Schema {
    /// The section `coin`.
    static let coin = Section(
        initial: Draft(),
        acceptorKeys(.first) + [
            Key(
                "late_coin_window", \.policy.lateCoinWindow, .duration(.zero...(.seconds(5))),
                "for how long after the acceptors were inhibited a coin may still be on its way"),
            Key(
                "early_coin_window", \.policy.earlyCoinWindow, .duration(.zero...(.seconds(5))),
                "for how long after coins are accepted again pulses are the acceptor's own, which "
                    + "some send as they are switched on: recorded, and not credited"),
            Key(
                "vault_full", \.policy.vaultFull, .choice,
                "whether coins are refused while the input 'vault_full' tells that the vault is "
                    + "full, or the fault warns alone"),
            Key(
                "vault_capacity", \.vaultCapacity, .count(1...1_000_000),
                need: .conditional("nobody knows"),
                "how many coins the vault holds: 'turnstilectl status' shows how many of them "
                    + "there are"),
            Key(
                "meter_unit", \.meterUnit, .amount(1...1_000_000),
                need: .conditional("'unit'; needed where 'coin_meter' is wired and there is none"),
                "what one step of the coin meter is worth, in minor units of the currency"),
            Key(
                "second", Section(initial: Draft(), acceptorKeys(.second)),
                "the acceptor on 'coin_pulse_2', where it is another one than the first"),
            Key(
                "third", Section(initial: Draft(), acceptorKeys(.third)),
                "the acceptor on 'coin_pulse_3', where it is another one than the first"),
        ])

    /// The keys of an acceptor. Those of the first have defaults, the others' are as the first's.
    private static func acceptorKeys(_ acceptor: Acceptor) -> [Key<Draft>] {
        let isFirst = acceptor == .first
        let need = isFirst ? Need.optional : .conditional("as the first's")
        return [
            Key(
                "unit", \.coins[acceptor].unit, .amount(1...1_000_000),
                need: isFirst ? thisOrValues : .conditional("as the first's, unless it has values"),
                "what one pulse is worth, in minor units of the currency"),
            Key(
                "values", \.coins[acceptor].values, coinTable,
                need: isFirst
                    ? insteadOfUnit : .conditional("as the first's, unless it has a unit"),
                "what each number of pulses is worth, and all others are worth nothing: for an "
                    + "acceptor whose pulses do not add up"),
            Key(
                "pulse_width", \.coins[acceptor].pulseWidth,
                .duration(.milliseconds(20)...(.milliseconds(500))), need: need,
                "the acceptor's nominal pulse width; half to double of it is taken for a pulse"),
            Key(
                "train_quiet", \.coins[acceptor].trainQuiet,
                .duration(.milliseconds(120)...(.milliseconds(500))), need: need,
                "the silence that ends the pulses of a coin"),
            Key(
                "stuck_after", \.coins[acceptor].stuckAfter,
                .duration(.milliseconds(300)...(.seconds(5))), need: need,
                "how long a pulse may last before the coin line counts as stuck"),
        ]
    }

    private static let thisOrValues = Need.conditional(
        "this or 'values' is needed where 'coin_pulse' is wired")
    private static let insteadOfUnit = Need.conditional("in place of 'unit'")

    private static let coinTable = KeyTable(
        shape: "a value for each number of pulses, as in {1: 50, 2: 100}",
        columns: .count(1...255), values: .amount(1...1_000_000))
}
