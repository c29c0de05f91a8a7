import Controller
import Glibc
import LiveView
import Settings
import SimulatedHardware
import System
import Turnstile

/// The live view of a simulated gate, which is its journal as well.
final class Window: Journal {
    /// How many entries are kept for the view.
    private static let capacity = 40

    private let view: LiveView
    private let gate: String
    private var entries: [ViewModel.Entry] = []
    private var refresh: () -> Void = {}

    /// Whether there is a terminal to show it on.
    static var isPossible: Bool { LiveView.isPossible() }

    /// Takes the terminal. The coins at hand are worth one, two, five pulses and a whole fare.
    init(_ settings: Settings) throws {
        gate = settings.gate
        let policy = settings.policy
        let coins = Set([1, 2, 5].map { $0 * policy.coinUnit } + [policy.price])
        view = try LiveView(coins: coins.sorted())
    }

    /// Keeps the entry for the view.
    func write(_ entry: JournalEntry) {
        let weight: ViewModel.Weight =
            switch entry.priority {
            case .critical, .error: .severe
            case .warning: .warning
            case .notice, .info, .debug: .normal
            }
        entries.append(ViewModel.Entry(entry.message, weight: weight))
        if entries.count > Self.capacity { entries.removeFirst() }
        refresh()
    }

    /// Shows what `controller` does with `bank`, and lets the keys move the simulated gate.
    func show(
        _ controller: Controller, _ bank: SimulatedBank, loop: any EventLoop,
        quit: @escaping () -> Void
    ) throws(SystemError) {
        refresh = { [unowned self, unowned controller] in
            view.show(model(of: controller))
        }
        controller.onChange = refresh
        try loop.watch(view.descriptors) { [unowned self] _ in
            for action in view.takeActions() {
                switch action {
                case .simulate(let events): for event in events { bank.perform(event) }
                case .quit: quit()
                }
            }
        }
    }

    /// Gives the terminal back. What ended the service would be gone with the view: it is said
    /// again.
    func close(_ exitCode: CInt) {
        view.close()
        guard exitCode != EX_OK else { return }
        for entry in entries where entry.weight == .severe { complain(entry.text) }
    }

    private func model(of controller: Controller) -> ViewModel {
        let status = controller.turnstile.status
        return ViewModel(
            gate: gate, state: status.state, credit: status.credit, levels: controller.inputs,
            energised: Set(Output.allCases.filter { controller.isEnergised($0) }),
            entries: entries)
    }
}
