import Daemon
import Glibc
import Settings
import SimulatedHardware
import StateMachines
import System

/// The parsed command line.
struct Invocation {
    static let usage = """
        usage: turnstiled --simulate [--state-directory DIR] [--trace] [SETTINGS]
               turnstiled --simulate [--at TIME] [--speed N] [--state-directory DIR] [SETTINGS]
               turnstiled --simulate --help | --version
        """

    static let help = """
        Controls a simulated turnstile, as turnstiled does a real one.

        \(usage)

        Simulates the gate described in SETTINGS, and controls it until SIGTERM. On SIGHUP it reads
        the file again. On a terminal it draws the gate, and keys move it; elsewhere it writes to
        systemd's journal or to standard error. The default of SETTINGS is
        \(Settings.standardPath).

          --state-directory DIR
                          keep the gate's state, ledger and trace in DIR, which is created if
                          missing; otherwise they end with the process. With --speed or --at, keep
                          only a ledger marked as a trial's: no gate accepts it
          --speed N       run the gate's time N times as fast, up to 60: at 60 a day takes 24
                          minutes. It is on no bus
          --at TIME       start with the gate's clock at TIME, such as 08:00 or 2026-12-24T08:00, in
                          local time; schedule and log use it. It is on a bus only with
                          --state-directory
          --trace         also log ignored events, with the reason
          -h, --help      show this text
          --version       show the version

        exit codes: 0 stopped in an orderly way, 64 wrong arguments, 69 no lines available,
        70 the system failed, 74 the lines failed while in use, 78 the settings are wrong
        """

    /// The simulator's flags, by raw value.
    private enum Name: String, Flag {
        case stateDirectory = "state-directory"
        case speed, at, trace, help, version

        var question: String? {
            switch self {
            case .stateDirectory: "which folder?"
            case .speed: "how many times as fast?"
            case .at: "what does the clock show at the start?"
            case .trace, .help, .version: nil
            }
        }
    }

    private let given: Arguments<Name>
    /// How many times as fast the gate's time passes.
    private let speed: Int
    /// What its clock shows at the start; nil for the system's time.
    private let start: StartTime?

    /// Reads the program's arguments, its own name first.
    init(_ arguments: [String]) throws(UsageError) {
        given = try Arguments(arguments)
        let (speed, start) = (given.flags[.speed] ?? "1", given.flags[.at])
        guard let number = Int(speed), Timescale.speeds.contains(number) else {
            throw UsageError(
                "--speed: '\(speed)' is not a whole number from \(Timescale.speeds.lowerBound) to "
                    + "\(Timescale.speeds.upperBound)")
        }
        self.speed = number
        self.start = start.flatMap { StartTime($0, now: SystemWallClock.utc) }
        if let start, self.start == nil {
            throw UsageError(
                "--at: '\(start)' is no time that the clock here shows: write 08:00, 08:00:30 or "
                    + "2026-12-24T08:00")
        }
    }

    /// Does it; returns the exit code.
    func run() throws -> CInt {
        if given.flags[.help] != nil {
            print(Self.help)
            return EX_OK
        }
        if given.flags[.version] != nil {
            print("turnstile-simulator \(programVersion)")
            return EX_OK
        }
        let file = try SettingsFile(path: given.path)
        let folders = given.flags[.stateDirectory].map { Folders(in: $0, isTrial: isTrial) }
        try folders?.make()
        let timescale = Timescale(speed: speed, from: MonotonicTimer.now)
        let clock = SystemWallClock(
            by: { timescale.now }, ahead: start.map { $0.utc - SystemWallClock.utc } ?? .zero)
        var (surroundings, window) = try Surroundings.simulated(
            file.settings, timescale, clock, folders)
        surroundings.bus = bus
        let daemon = Daemon(file, traces: given.flags[.trace] != nil, in: surroundings)
        let exitCode = try daemon.run()
        window?.close(exitCode)
        return exitCode
    }

    /// Whether the gate's time differs from the system's.
    private var isTrial: Bool { speed != 1 || start != nil }

    /// The bus on which the gate can be watched and operated: the session's, if any, unless the
    /// user is root. A gate whose time runs faster is on no bus, since its clients have another
    /// time, nor is one that keeps nothing and whose clock shows another time.
    private var bus: BusConnection.Bus? {
        guard speed == 1, start == nil || given.flags[.stateDirectory] != nil else { return nil }
        guard geteuid() != 0 else { return .system }
        return BusConnection.Bus.hasSession ? .session : nil
    }
}
