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

    /// Those of a gate that exists in memory only, whose time passes like this; and the view of it,
    /// where there is a terminal.
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
        // Nobody can know more of it: the first one is at rest.
        surroundings.stateAtFirst = .known(RetainedState())
        surroundings.operators = [0, geteuid()]
        surroundings.extra = [ExtraMethod(.simulate) { perform($0[0].text ?? "", on: bank) }]
        surroundings.observe = { controller, stop throws(SystemError) in
            guard let bank else { return }
            try window?.show(controller, bank, loop: loop, quit: stop)
        }
        return (surroundings, window)
    }

    /// Does to the gate what these words say.
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
