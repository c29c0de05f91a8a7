import GateClient
import Ledger
import StateMachines
import Turnstile

/// The expected contents of a vault: the number of coins by value and acceptor.
struct VaultContents: Hashable {
    struct Row: Hashable {
        let value: Int64
        let acceptor: Acceptor
        let count: Int64
    }

    /// The coins, by their values and then by the acceptors.
    let rows: [Row]
    /// The sum, in minor units of the currency.
    let total: Int64

    /// The values, the smallest first.
    var values: [Int64] { Set(rows.map(\.value)).sorted() }

    var count: Int64 { rows.reduce(0) { $0 &+ $1.count } }

    func count(of value: Int64) -> Int64 {
        rows.filter { $0.value == value }.reduce(0) { $0 &+ $1.count }
    }

    private init(_ rows: [Row], total: Int64? = nil) {
        self.rows = rows.sorted {
            ($0.value, $0.acceptor.rawValue) < ($1.value, $1.acceptor.rawValue)
        }
        self.total = total ?? rows.reduce(0) { $0 &+ $1.value &* $1.count }
    }

    /// The values of the coins that a gate has taken so far.
    static func valuesTaken(_ registers: [GateState.Count]) -> Set<Int64> {
        var values: Set<Int64> = []
        for acceptor in Acceptor.allCases {
            for count in registers where count.total > 0 {
                if let value = value(in: count.name, acceptor) { values.insert(value) }
            }
        }
        return values
    }

    /// The coins since the last collection, from a gate's registers.
    init(_ registers: [GateState.Count]) {
        let shown = Dictionary(registers.map { ($0.name, $0.collected) }) { $1 }
        var rows: [Row] = []
        for acceptor in Acceptor.allCases {
            var counts: [Int64: Int64] = [:]
            for (name, count) in shown where count > 0 {
                guard let value = Self.value(in: name, acceptor) else { continue }
                counts[value, default: 0] &+= count
            }
            rows += counts.map { Row(value: $0.key, acceptor: acceptor, count: $0.value) }
        }
        self.init(rows, total: (shown["value_in"] ?? 0) &- (shown["refunded"] ?? 0))
    }

    /// The value of the coins of this acceptor that fell into the vault and are counted under this
    /// name; nil for any other name.
    private static func value(in name: String, _ acceptor: Acceptor) -> Int64? {
        guard case .coins(let fate, acceptor, let value)? = Register.Total(name: name),
            fate.isInVault
        else { return nil }
        return Int64(value)
    }

    /// The coins between two readings of the registers, or up to the second.
    init(from earlier: RegisterList?, to later: RegisterList) {
        var counts: [Coin: Int64] = [:]
        for (register, count) in later.counts {
            guard case .coins(let fate, let coin) = register, fate.isInVault else { continue }
            // However many pulses it has.
            let kind = Coin(coin.acceptor, pulses: 0, value: coin.value)
            counts[kind, default: 0] &+= count &- (earlier?.counts[register] ?? 0)
        }
        self.init(
            counts.filter { $0.value != 0 }.map {
                Row(value: Int64($0.key.value), acceptor: $0.key.acceptor, count: $0.value)
            })
    }
}

enum CountedCoins: Hashable {
    /// So much in all.
    case total(Int64)
    /// So many coins of each value.
    case coins([Int64: Int64])

    /// The highest value of a coin, and the most coins in a vault: the sum over a thousand values
    /// is still a valid amount.
    static let most: Int64 = 10_000_000
    /// The possible sums of the coins in a vault.
    static let amounts = 0...Request.mostCounted
    static let allowedAmounts = "allowed is 0 to \(Request.mostCounted), in minor units"

    var amount: Int64 {
        switch self {
        case .total(let amount): amount
        case .coins(let counts): counts.reduce(0) { $0 &+ $1.key &* $1.value }
        }
    }

    /// The number of coins of a value; nil if they were not counted.
    func count(of value: Int64) -> Int64? {
        switch self {
        case .total: nil
        case .coins(let counts): counts[value, default: 0]
        }
    }

    var values: [Int64] {
        switch self {
        case .total: []
        case .coins(let counts): counts.keys.sorted()
        }
    }
}
