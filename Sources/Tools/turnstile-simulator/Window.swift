import Controller
import Daemon
import Glibc
import Hardware
import Journal
import LiveView
import Settings
import SimulatedHardware
import StateMachines
import System
import Turnstile

/// The live view of a simulated gate, which is its journal as well.
final class Window: Journal {
    private let view: LiveView
    private let gate: String
    private let simulation: ViewModel.Simulation
    private let clock: any WallClock
    private let kept: String

    /// Whether there is a terminal to show it on.
    static var isPossible: Bool { LiveView.isPossible() }

    /// Takes the terminal. Times are those of `clock`; the summary at the end names what is kept
    /// in `folders`.
    init(_ settings: Settings, _ clock: any WallClock, _ folders: Folders?) throws {
        self.clock = clock
        let ledger = folders?.ledger(settings.ledger).map { "the ledger in \($0)" }
        let parts = [
            folders?.state.map { "the state in \($0)" }, ledger,
            settings.trace.size == nil ? nil : folders?.trace.map { "the trace in \($0)" },
        ].compactMap { $0 }
        kept =
            parts.isEmpty
            ? "nothing: --state-directory DIR keeps state, ledger and trace"
            : parts.joined(separator: ", ")
        gate = settings.gate
        simulation = ViewModel.Simulation(settings.policy, settings.wiring.equipment)
        view = try LiveView()
    }

    /// Shows the entry in the view. It does not read the gate: failures are logged while it is
    /// being changed.
    func write(_ entry: @autoclosure () -> JournalEntry) {
        let entry = entry()
        let weight = ViewModel.Weight(entry.priority)
        let time = localTimeOfDay(at: clock.now.utc)
        // An entry of several lines, such as the registers, is several here.
        for line in entry.message.split(separator: "\n") {
            view.log(ViewModel.Entry(String(line), at: time, weight: weight))
        }
        view.showLog()
    }

    /// Shows `controller` on `bank`, and lets keys move the simulated gate.
    func show(
        _ controller: Controller, _ bank: SimulatedBank, loop: any EventLoop,
        quit: @escaping () -> Void
    ) throws(SystemError) {
        controller.onChange = { [unowned self, unowned controller] in
            view.show(model(of: controller, at: loop.now))
        }
        controller.onEvent = { [unowned self] _, _, _, records in records.forEach(view.count) }
        try loop.watch(view.descriptors) { [unowned self] _ in
            for action in view.takeActions() {
                switch action {
                case .simulate(let events): for event in events { bank.perform(event) }
                case .step: break
                case .quit: quit()
                }
            }
        }
    }

    /// Restores the terminal, and prints the summary. The error that ended the service would vanish
    /// with the view: it is repeated.
    func close(_ exitCode: CInt) {
        view.close()
        for line in view.summary(gate: gate, kept: kept) { print(line) }
        guard exitCode != EX_OK else { return }
        for error in view.errors { printError(error) }
    }

    private func model(of controller: Controller, at now: Instant) -> ViewModel {
        let registers = controller.registers.sinceInit.totals
        return ViewModel(
            gate: gate, simulation: simulation, report: controller.report(),
            levels: controller.inputs, energised: controller.energised,
            tallies: ViewModel.Tallies(registers.map { ($0.total.name, $0.value) }),
            clockOffset: clock.now.utc - (now - .zero))
    }
}
