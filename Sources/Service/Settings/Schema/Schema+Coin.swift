import Turnstile

extension Schema {
    static let coin = Section(
        initial: Draft(),
        acceptorKeys(.first)
            + policyKeys(.coin).flatMap { $0.name == "meter_unit" ? [vaultCapacity, $0] : [$0] } + [
                Key(
                    "second", Section(initial: Draft(), acceptorKeys(.second)),
                    "the acceptor on 'coin_pulse_2', where it differs from the first"),
                Key(
                    "third", Section(initial: Draft(), acceptorKeys(.third)),
                    "the acceptor on 'coin_pulse_3', where it differs from the first"),
            ])

    private static let vaultCapacity = Key<Draft>(
        "vault_capacity", \.vaultCapacity, .count(1...1_000_000),
        need: .conditional("unknown"),
        "how many coins the vault holds; 'turnstilectl status' then shows how full it is")

    /// The keys of an acceptor. The first has defaults; the others default to the first's values.
    private static func acceptorKeys(_ acceptor: Acceptor) -> [Key<Draft>] {
        (CoinValues.forms.flatMap(\.keys) + CoinPolicy.blank.keys).map { key in
            Key(
                key, \.coins[acceptor][key.field],
                need: acceptor == .first
                    ? firstNeeds[key.field]
                    : .conditional("as the first's\(exceptions[key.field] ?? "")"))
        }
    }

    private static let firstNeeds: [FieldName: Need] = [
        .unit: .conditional("this or 'values' is needed where 'coin_pulse' is wired"),
        .values: .conditional("in place of 'unit'"),
    ]
    private static let exceptions: [FieldName: String] = [
        .unit: ", unless it has values", .values: ", unless it has a unit",
    ]
}
