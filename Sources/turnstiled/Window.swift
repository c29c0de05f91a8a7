import Controller
import Glibc
import Hardware
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
    private let clock: any WallClock
    private var entries: [ViewModel.Entry] = []
    private var refresh: () -> Void = {}

    /// Whether there is a terminal to show it on.
    static var isPossible: Bool { LiveView.isPossible() }

    /// Takes the terminal. Times are those of `clock`.
    init(_ settings: Settings, _ clock: any WallClock) throws {
        self.clock = clock
        gate = settings.gate
        let policy = settings.policy
        let equipment = settings.wiring.equipment
        view = try LiveView(
            coins: Self.coins(policy, equipment), equipment: equipment,
            serviceHold: policy.serviceHold)
    }

    /// The coins at hand, three or four for each slot: the least that its table knows, or what is
    /// worth one, two and five pulses and, in the first slot, a whole fare.
    private static func coins(_ policy: Policy, _ equipment: Equipment) -> [Coin] {
        Acceptor.allCases.filter { equipment.inputs[$0.line] }.flatMap { acceptor in
            switch policy.coins[acceptor].values {
            case .proportional(let unit):
                let fare = acceptor == .first ? [policy.price / unit] : []
                return Set([1, 2, 5] + fare).subtracting([0]).sorted().map {
                    Coin(acceptor, pulses: $0, value: $0 * unit)
                }
            case .exact(let table):
                return table.sorted { $0.value < $1.value }.prefix(3).map {
                    Coin(acceptor, pulses: $0.key, value: $0.value)
                }
            }
        }
    }

    /// Keeps the entry for the view.
    func write(_ entry: @autoclosure () -> JournalEntry) {
        let entry = entry()
        let weight: ViewModel.Weight =
            switch entry.priority {
            case .critical, .error: .severe
            case .warning: .warning
            case .notice, .info, .debug: .normal
            }
        let time = String(localTimeOfDay(at: clock.now.utc).prefix(8))
        // An entry of several lines, such as the registers, is several here.
        entries += entry.message.split(separator: "\n").map {
            ViewModel.Entry(String($0), at: time, weight: weight)
        }
        entries.removeFirst(max(0, entries.count - Self.capacity))
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
        for entry in entries where entry.weight == .severe { printError(entry.text) }
    }

    private func model(of controller: Controller) -> ViewModel {
        ViewModel(
            gate: gate, report: controller.report(), levels: controller.inputs,
            energised: controller.energised, entries: entries)
    }
}
