import Hardware
import Turnstile

public struct SettingsChange: Hashable, Sendable {
    /// The full key: `passage.pass_wait`.
    public var key: String
    /// The old value, in the form of the file; nil for none, without a default.
    public var old: String?
    /// The new value, likewise.
    public var new: String?

    /// Both values: `100 -> 120`.
    public var values: String { "\(old ?? "left out") -> \(new ?? "left out")" }
}

extension SettingsChange: CustomStringConvertible {
    /// `fare.price: 100 -> 120`.
    public var description: String { "\(key): \(values)" }
}

extension SettingsChange {
    /// Whether it takes a restart: wiring, the ledger's path, what is kept, and the gate's name.
    public var needsRestart: Bool {
        ["gate.", "ledger.", "trace.", "hardware."].contains { key.hasPrefix($0) }
    }
}

extension Settings {
    /// The changes from `old`, by key in the order of the documentation, defaults included; removed
    /// keys come last. The schedule is one value.
    ///
    /// Derived values that are not in the file, such as the pulse width of an acceptor like the
    /// first, are listed if they are in use.
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
    /// The draft that `settings` would be read from.
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
        // Unwired acceptors that equal the first are skipped.
        for acceptor in [Acceptor.second, .third]
        where inputs[acceptor.line] != nil || policy.coins[acceptor] != policy.coins[.first] {
            coins[acceptor] = Fields(ofAcceptor: policy.coins[acceptor])
        }
        let usual = coins[.first][.unit] ?? .integer(1)
        if outputs[.coinMeter] == nil, policyFields[.meterUnit] == usual {
            policyFields[.meterUnit] = nil
        }
    }

    /// All values, in the form of the file.
    var written: [WrittenValue] { Schema.root.values(of: self, at: "") }
}

extension OutputDraft {
    /// The draft that `line` would be read from.
    fileprivate init(_ line: OutputLine) {
        self.init(
            line: line, duty: line.maximumOnTime == nil ? .continuous : .intermittent,
            maximumOnTime: line.maximumOnTime, emergencyOn: line.emergencyDuty?.on,
            emergencyOff: line.emergencyDuty?.off)
    }
}
