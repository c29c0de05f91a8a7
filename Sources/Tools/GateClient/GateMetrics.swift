import Turnstile

/// The gate in numbers, in Prometheus's text format: for the textfile collector of its node
/// exporter, which asks for no times.
public struct GateMetrics: Sendable {
    private var samples: [Metric: [Sample]] = [:]

    /// A number of a metric, with the labels that tell it from the others.
    private struct Sample {
        let labels: String
        var value: Int64
    }

    private init() {}

    /// Those of a gate that does not answer.
    public static let absent: GateMetrics = {
        var metrics = GateMetrics()
        metrics.add(0, to: .up)
        return metrics
    }()

    /// Those of a gate that is like this.
    public init(_ state: GateState) {
        let report = state.report
        add(
            1, to: .info,
            ["gate": state.gate, "version": state.version, "settings": state.settingsDigest])
        add(1, to: .up)
        add(report.standing == .inService ? 1 : 0, to: .inService)
        for name in Status.State.forms.map(\.name) {
            add(name == report.status.state.name ? 1 : 0, to: .state, ["state": name])
        }
        for fault in report.faults.map(\.value) {
            add(1, to: .fault, ["code": fault.code, "line": fault.line.map { "\($0)" } ?? ""])
        }
        for alarm in report.alarms { add(1, to: .alarm, ["code": alarm.value.code]) }
        add(Int64(report.held), to: .authorisations)
        add(Int64(report.mostHeld), to: .authorisationsLimit)
        addRegisters(state)
        for (line, count) in (state.edges ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(count, to: .edges, ["line": line])
        }
    }

    /// Adds to the sample that has these labels; an empty label is none.
    private mutating func add(
        _ value: Int64, to metric: Metric, _ labels: KeyValuePairs<String, String> = [:]
    ) {
        let words = labels.filter { !$0.value.isEmpty }.map { "\($0.key)=\"\($0.value.escaped)\"" }
        let text = words.isEmpty ? "" : "{\(words.joined(separator: ","))}"
        if let index = samples[metric]?.firstIndex(where: { $0.labels == text }) {
            samples[metric]?[index].value &+= value
        } else {
            samples[metric, default: []].append(Sample(labels: text, value: value))
        }
    }

    /// What a file of the collector has to hold.
    public var text: String {
        Metric.allCases.map { metric in
            let lines = (samples[metric] ?? []).map { "\(metric.name)\($0.labels) \($0.value)\n" }
            let help = "# HELP \(metric.name) \(metric.help)\n"
            let type = "# TYPE \(metric.name) \(metric.type)\n"
            return lines.isEmpty ? "" : help + type + lines.joined()
        }.joined()
    }
}

// The registers.
extension GateMetrics {
    private mutating func addRegisters(_ state: GateState) {
        // What was never counted is 0 from the start, so that its first increase is one.
        for acceptor in Acceptor.allCases where state.report.equipment.inputs[acceptor.line] {
            for fate in CoinFate.allCases { add(0, coins: fate.rawValue, of: acceptor) }
            add(0, coins: Self.unknown, of: acceptor)
            add(0, to: .noisePulses, ["acceptor": acceptor.line.name])
        }
        var (value, coins): (Int64, Int64) = (0, 0)
        for count in state.registers {
            guard let total = Register.Total(name: count.name) else { continue }
            add(count.total, of: total)
            switch total {
            case .valueIn: value &+= count.collected
            case .refunded: value &-= count.collected
            case .coins(let fate, _, _) where fate.isInVault: coins &+= count.collected
            case .coins, .faults, .register: break
            }
        }
        guard state.report.equipment.inputs[.coinPulse] else { return }
        add(value, to: .vaultExpected)
        add(coins, to: .vaultCoins)
    }

    /// What became of trains of pulses that are no coin.
    private static let unknown = "unknown"

    private mutating func add(_ count: Int64, coins result: String, of acceptor: Acceptor) {
        add(count, to: .coins, ["acceptor": acceptor.line.name, "result": result])
    }

    private mutating func add(_ count: Int64, of total: Register.Total) {
        switch total {
        case .valueIn: add(count, to: .moneyIn)
        case .refunded: add(count, to: .refunded)
        case .coins(let fate, let acceptor, _): add(count, coins: fate.rawValue, of: acceptor)
        case .faults(let code): add(count, to: .faults, ["code": code])
        case .register(let register): add(count, of: register)
        }
    }

    private mutating func add(_ count: Int64, of register: Register) {
        switch register {
        case .starts: add(count, to: .starts)
        case .faresUsed: add(count, to: .faresUsed)
        case .fareInUse: add(count, to: .fareInUse)
        case .expired: add(count, to: .expired)
        case .forfeited: add(count, to: .forfeited)
        case .creditHeld: add(count, to: .held)
        case .unknownTrains(let acceptor):
            if count > 0 { add(count, coins: Self.unknown, of: acceptor) }
        case .noisePulses(let acceptor):
            if count > 0 { add(count, to: .noisePulses, ["acceptor": acceptor.line.name]) }
        case .coinsInDoubt: add(count, to: .coinsInDoubt)
        case .passagesInDoubt: add(count, to: .passagesInDoubt)
        case .passages(let passage):
            let (direction, kind) = (passage.direction.rawValue, passage.kind.rawValue)
            add(count, to: .passages, ["direction": direction, "kind": kind])
        case .releases(let direction):
            add(count, to: .releases, ["direction": direction.rawValue])
        case .alarms(let alarm): add(count, to: .alarms, ["code": alarm.code])
        case .faults(let fault): add(count, to: .faults, ["code": fault.code])
        // Nobody asks when the gate was new, and the sum and its parts are not both told.
        case .creditAtBeginning, .passagesMade, .coins: break
        }
    }
}

/// A metric: its name, and what there is to say of it.
private enum Metric: String, CaseIterable {
    case info, up
    case inService = "in_service"
    case state, fault, alarm, authorisations
    case authorisationsLimit = "authorisations_limit"
    case starts = "starts_total"
    case passages = "passages_total"
    case passagesInDoubt = "passages_in_doubt_total"
    case releases = "releases_total"
    case coins = "coins_total"
    case coinsInDoubt = "coins_in_doubt_total"
    case noisePulses = "noise_pulses_total"
    case moneyIn = "money_in_total"
    case faresUsed = "money_fares_used_total"
    case expired = "money_expired_total"
    case forfeited = "money_forfeited_total"
    case refunded = "money_refunded_total"
    case held = "money_held"
    case fareInUse = "money_fare_in_use"
    case vaultExpected = "vault_expected"
    case vaultCoins = "vault_coins"
    case faults = "faults_total"
    case alarms = "alarms_total"
    case edges = "edges_total"

    var name: String { "turnstile_\(rawValue)" }

    var type: String { rawValue.hasSuffix("_total") ? "counter" : "gauge" }

    var help: String {
        switch self {
        case .info: "The gate, the version of its service, and the SHA-256 of its settings."
        case .up: "Whether the service answers."
        case .inService: "Whether the gate serves people."
        case .state: "What the gate does: 1 for its state, 0 for the others."
        case .fault: "A fault that is up."
        case .alarm: "An alarm that is up."
        case .authorisations: "Authorisations held: in use, queued, and the fares of the credit."
        case .authorisationsLimit: "How many authorisations may be held (passage.max_stored)."
        case .starts: "Starts of the service."
        case .passages: "Passages."
        case .passagesInDoubt: "Passages interrupted when the service stopped."
        case .releases: "Releases of a lock for a person."
        case .coins: "Coins, by what became of them; unknown: trains of pulses that are no coin."
        case .coinsInDoubt: "Coins interrupted when the service stopped."
        case .noisePulses: "Pulses rejected as noise."
        case .moneyIn: "Money put in, in minor units of the currency."
        case .faresUsed: "Fares of completed passages, in minor units of the currency."
        case .expired: "Credit that expired unused, in minor units of the currency."
        case .forfeited: "Credit forfeited otherwise, in minor units of the currency."
        case .refunded: "Money given back at once, in minor units of the currency."
        case .held: "Credit held for the next passages, in minor units of the currency."
        case .fareInUse: "Fare of a passage that is not over, in minor units of the currency."
        case .vaultExpected: "What should be in the vault, in minor units of the currency."
        case .vaultCoins: "Coins that should be in the vault."
        case .faults: "How often a fault was found."
        case .alarms: "How often an alarm was raised."
        case .edges: "Changes of a line since the service was started."
        }
    }
}

extension String {
    /// The text as the value of a label.
    fileprivate var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
