import Hardware
import Turnstile

public struct SettingsChange: Hashable, Sendable {
    /// The key with those above it, as the documentation has it: `passage.pass_wait`.
    public var key: String
    /// What it was, as the file writes it; nil where nothing was said, and there is no default.
    public var old: String?
    /// What it is, likewise.
    public var new: String?

    /// Both values: `100 -> 120`.
    public var values: String { "\(old ?? "left out") -> \(new ?? "left out")" }
}

extension SettingsChange: CustomStringConvertible {
    /// The change in a line: `fare.price: 100 -> 120`.
    public var description: String { "\(key): \(values)" }
}

extension SettingsChange {
    /// Whether a running service cannot take it: what is wired, where the ledger is, what is kept
    /// and what the gate is called stay what they were when it started.
    public var needsRestart: Bool {
        ["gate.", "ledger.", "trace.", "hardware."].contains { key.hasPrefix($0) }
    }
}

extension Settings {
    /// What is not as it was in `old`, key by key in the order of the documentation, defaults
    /// included; what nothing is said of any more comes last. The schedule is one value.
    ///
    /// What follows from a change and is not in the file, such as the pulse width of an acceptor
    /// that is like the first, is listed where it is in use.
    public func changes(from old: Settings) -> [SettingsChange] {
        let (before, after) = (Draft(old).written, Draft(self).written)
        let (was, now) = (texts(of: before), texts(of: after))
        let places = after.map(\.place) + before.map(\.place).filter { now[$0] == nil }
        return places.filter { was[$0] != now[$0] }.map {
            SettingsChange(key: $0, old: was[$0], new: now[$0])
        }
    }

    private func texts(of values: [WrittenValue]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.place, $0.text) })
    }
}

extension Draft {
    /// What would be read as `settings`.
    init(_ settings: Settings) {
        self.init()
        gate = settings.gate
        policyFields = settings.policy.fields
        regime = settings.policy.regime.fields
        registerSnapshot = settings.registerSnapshot
        ledger = settings.ledger
        ledgerLimits = settings.ledgerLimits
        trace = settings.trace
        vaultCapacity = settings.vaultCapacity
        schedule = settings.policy.schedule
        chip = settings.wiring.chip
        inputs = settings.wiring.inputs
        outputs = settings.wiring.outputs.mapValues(OutputDraft.init)
        let policy = settings.policy
        coins[.first] = Fields(ofAcceptor: policy.coins[.first])
        // An acceptor that is not wired and is like the first is one of which nothing is said.
        for acceptor in [Acceptor.second, .third]
        where inputs[acceptor.line] != nil || policy.coins[acceptor] != policy.coins[.first] {
            coins[acceptor] = Fields(ofAcceptor: policy.coins[acceptor])
        }
        let usual = coins[.first][.unit] ?? .integer(1)
        if outputs[.coinMeter] == nil, policyFields[.meterUnit] == usual {
            policyFields[.meterUnit] = nil
        }
    }

    /// All that it says, as it is written.
    var written: [WrittenValue] { Schema.root.values(of: self, at: "") }
}

extension OutputDraft {
    /// What would be read as `line`.
    fileprivate init(_ line: OutputLine) {
        self.init(
            line: line, duty: line.maximumOnTime == nil ? .continuous : .intermittent,
            maximumOnTime: line.maximumOnTime, emergencyOn: line.emergencyDuty?.on,
            emergencyOff: line.emergencyDuty?.off)
    }
}
