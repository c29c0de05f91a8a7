import Bus
import BusInterface
import Daemon
import Glibc
import Hardware
import Journal
import Moves
import Settings
import SimulatedHardware
import StateMachines
import System
import Turnstile

extension Surroundings {
    /// How long the words of a move may be, in bytes.
    private static let longestMove = 200

    /// The surroundings of a simulated gate with this pace, and its view, if there is a terminal.
    static func simulated(
        _ settings: Settings, _ timescale: Timescale, _ clock: SystemWallClock, _ folders: Folders?
    ) throws -> (Surroundings, Window?) {
        let loop = try ScaledEventLoop(timescale)
        let service = try SystemdServiceManager()
        let window = Window.isPossible ? try Window(settings, clock, folders) : nil
        let journal = try window ?? standardJournal { localTimeOfDay(at: clock.now.utc) }
        var bank: SimulatedBank?
        var surroundings = Surroundings(
            loop: loop, clock: clock, journal: journal, service: service, folders: folders
        ) { settings throws(HardwareError) in
            let physics = Physics(wiring: settings.wiring, policy: settings.policy)
            let world = World(physics, seed: UInt64(loop.now.nanoseconds), now: loop.now)
            let opened = try SimulatedBank(world, wiring: settings.wiring, pace: .clock(timescale))
            bank = opened
            return opened
        }
        surroundings.isSimulated = true
        // There is no earlier state: the gate is at rest.
        surroundings.stateAtFirst = .known(RetainedState())
        surroundings.operators = [0, geteuid()]
        surroundings.extra = [ExtraMethod(.simulate) { perform($0[0].text ?? "", on: bank) }]
        surroundings.observe = { controller, stop throws(SystemError) in
            guard let bank else { return }
            try window?.show(controller, bank, loop: loop, quit: stop)
        }
        return (surroundings, window)
    }

    /// Performs the action of these words.
    private static func perform(_ move: String, on bank: SimulatedBank?) -> Reply.Outcome {
        guard move.utf8.count <= longestMove else {
            return .notUnderstood("move: at most \(longestMove) bytes")
        }
        guard let bank else { return .unavailable("the gate has no lines yet") }
        do throws(WordError) {
            bank.perform(try Move.event(move, wired: bank.equipment))
            return .done
        } catch {
            return .notUnderstood(error.message)
        }
    }
}
