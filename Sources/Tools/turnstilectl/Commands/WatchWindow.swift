import Console
import GateClient
import Hardware
import Keeping
import LiveView
import Moves
import Settings
import SimulatedHardware
import StateMachines
import System
import Turnstile

/// A watched gate in the live view that a simulated one has as well.
struct WatchWindow {
    private let view: LiveView
    private let watched: WatchedGate
    private var name = ""
    /// The coins and times for the keys, and the digest of their settings.
    private var simulation: (digest: String, keys: ViewModel.Simulation)?

    init(_ view: LiveView, _ watched: WatchedGate) {
        self.view = view
        self.watched = watched
    }

    mutating func run() throws(GateError) {
        while true {
            appendRecords()
            view.show(watched.state.map { model(of: $0) })
            watched.connection.wait(until: watched.due, or: view.descriptors)
            for action in view.takeActions() {
                switch action {
                case .simulate(let events): perform(events)
                case .step: break
                case .quit: return
                }
            }
            try watched.receive()
        }
    }

    var summary: [String] {
        view.summary(gate: name, kept: "the journal; `turnstilectl records` says how to read it")
    }

    private func appendRecords() {
        let (records, missing) = watched.takeRecords()
        let offset = SystemWallClock.offset
        for told in records {
            let time = localTimeOfDay(at: offset + (told.time - .zero))
            view.log(.init(told.sentence, at: time, weight: .init(told.priority)))
            if let record = told.record { view.count(record) }
        }
        guard missing > 0 else { return }
        view.log(
            .init(
                "\(missing) records were missed; the journal has them", at: localTimeOfDay(),
                weight: .warning))
    }

    private func perform(_ events: [World.Event]) {
        do throws(GateError) {
            for words in events.compactMap(\.words) {
                try watched.connection.simulate(words, within: WatchedGate.patience)
            }
        } catch {
            view.say("\(error)")
        }
    }

    private mutating func model(of state: GateState) -> ViewModel {
        name = state.gate
        let isActive = state.isActive
        return ViewModel(
            gate: state.gate, simulation: keys(of: state), report: state.report,
            levels: InputLevels(Input.allCases.filter { isActive[$0.name] == true }),
            energised: OutputSet(Output.allCases.filter { isActive[$0.name] == true }),
            tallies: ViewModel.Tallies(state.registers.map { ($0.name, $0.total) }),
            clockOffset: SystemWallClock.offset)
    }

    /// The coins and times for the keys at a simulated gate: from its settings if available, else
    /// from the fare.
    private mutating func keys(of state: GateState) -> ViewModel.Simulation? {
        guard state.isSimulated else { return nil }
        let digest = state.settingsDigest
        if let simulation, simulation.digest == digest { return simulation.keys }
        let fare = Coin(.first, pulses: 1, value: max(1, state.report.price))
        var keys = ViewModel.Simulation(coins: [fare], serviceHold: .seconds(5))
        let path = state.settingsPath
        if let text = try? Settings.read(path: path), SHA256.digest(of: text) == digest,
            let settings = try? Settings.parse(text, file: path)
        {
            keys = ViewModel.Simulation(settings.policy, settings.wiring.equipment)
        }
        simulation = (digest, keys)
        return keys
    }
}
