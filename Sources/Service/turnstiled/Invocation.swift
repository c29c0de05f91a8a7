import Daemon
import GPIOHardware
import Glibc
import Hardware
import Journal
import Retention
import Settings
import System
import Turnstile

struct Invocation {
    static let usage = """
        usage: turnstiled [--trace] [SETTINGS]
               turnstiled --simulate [OPTION...] [SETTINGS]
               turnstiled --check-config [--quiet] [--simulate] [SETTINGS]
               turnstiled --safe-state [SETTINGS]
               turnstiled --check-ledger | --accept-ledger [--state-directory DIR] [SETTINGS]
               turnstiled --help | --version
        """

    static let help = """
        Controls a turnstile: takes coins and lets people through.

        \(usage)

        Requests the lines named in SETTINGS and controls the gate until SIGTERM. On SIGHUP it
        reads the file again. It writes to systemd's journal or, started by hand, to standard
        error. The default of SETTINGS is \(Settings.standardPath).

          --check-config  only check the settings: print errors and warnings, show the wiring as a
                          table and, if there are GPIO chips, check that the lines exist, without
                          requesting them. With --simulate, check no chip
          --quiet         with --check-config: print errors only
          --safe-state    only drive every output to its safe level
          --check-ledger  only check the ledger, also while the service runs; as root or as the
                          service's user
          --accept-ledger
                          accept a ledger that the service refuses: a sound one is used as it is,
                          any other is set aside and a new one begun
          --simulate      run turnstile-simulator(8), which controls a simulated gate, with all
                          other arguments: turnstiled --simulate --help
          --state-directory DIR
                          with --check-ledger and --accept-ledger: use the ledger of the simulated
                          gate in DIR
          --trace         also log ignored events, with the reason
          -h, --help      show this text
          --version       show the version

          --safe-state drives the outputs of the settings last in force, then any others in
          SETTINGS.

        exit codes: 0 stopped in an orderly way, 1 the ledger is not in order, or was not checked,
        4 records are missing since a damaged ledger was set aside, 64 wrong arguments, 69 the lines
        or the simulator are not available, 70 the system failed, 74 the lines failed while in use,
        78 the settings are wrong, have the ledger off, or name a line that does not exist
        """

    /// The raw value is the flag.
    private enum Name: String, Flag {
        case checkConfig = "check-config"
        case safeState = "safe-state"
        case checkLedger = "check-ledger"
        case acceptLedger = "accept-ledger"
        case simulate, quiet, trace, help, version
        case stateDirectory = "state-directory"

        var question: String? { self == .stateDirectory ? "which folder?" : nil }
    }

    private let given: Arguments<Name>
    private var path: String { given.path }

    /// Parses the arguments, the program's name first.
    init(_ arguments: [String]) throws(UsageError) {
        for flag in ["--speed", "--at"]
        where arguments.contains(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) {
            throw UsageError("\(flag) goes with --simulate: a real gate goes by the system's clock")
        }
        given = try Arguments(arguments)
        let modes = Set(given.flags.keys).subtracting([.trace, .quiet, .stateDirectory])
        guard modes.count <= 1 || modes == [.checkConfig, .simulate] else {
            let given = modes.map { "--\($0.rawValue)" }.sorted().joined(separator: ", ")
            throw UsageError("\(given): only one of these at a time")
        }
        guard !has(.quiet) || has(.checkConfig) else {
            throw UsageError("--quiet goes with --check-config: the journal has its own levels")
        }
        guard !has(.stateDirectory) || has(.checkLedger) || has(.acceptLedger) else {
            throw UsageError(
                "--state-directory goes with --simulate, --check-ledger or --accept-ledger: a real "
                    + "gate uses the folders of its unit")
        }
    }

    private func has(_ flag: Name) -> Bool { given.flags[flag] != nil }

    /// Returns the exit code.
    func run() throws -> CInt {
        if has(.help) {
            print(Self.help)
            return EX_OK
        }
        if has(.version) {
            print("turnstiled \(programVersion)")
            return EX_OK
        }
        if has(.safeState) {
            let folder = RuntimeFolder(path: Folders().runtime ?? Folders.standardRuntime)
            return SafeState(path: path, folder: folder).run(say: printError)
        }
        if has(.checkConfig) { return checkSettings() }
        let file = try SettingsFile(path: path)
        let folders = given.flags[.stateDirectory].map { Folders(in: $0) } ?? Folders()
        if has(.checkLedger) { return LedgerCommand.check.run(file.settings, folders) }
        if has(.acceptLedger) { return LedgerCommand.accept.run(file.settings, folders) }
        return try Daemon(file, traces: has(.trace), in: .ofBoard(folders)).run()
    }

    /// Reports mistakes and warnings of the settings, on the terminal as well.
    private func checkSettings() -> CInt {
        do throws(SettingsErrors) {
            let placed = try PlacedSettings(Settings.read(path: path), file: path) {
                Settings.isBelowVolatileFolder($0) || isOnVolatileFileSystem($0)
            }
            let settings = placed.settings
            let isQuiet = has(.quiet)
            if !isQuiet {
                for warning in settings.warnings { printError(warning.line(in: path)) }
                printOutput("\(WiringTable(settings))\n")
            }
            var remark: String?
            if !has(.simulate) {
                let survey = LineSurvey.isPossible ? LineSurvey(of: settings.wiring) : nil
                let check = SettingsCheck(placed, survey)
                guard check.problems.isEmpty else {
                    throw SettingsErrors(file: path, problems: check.problems)
                }
                remark = check.remark
            }
            guard !isQuiet else { return EX_OK }
            if let remark { printOutput("\(remark)\n") }
            let count = settings.warnings.count
            let warned = count == 0 ? "" : ", with \(count) warning\(count == 1 ? "" : "s")"
            printOutput("\(path): good\(warned)\n")
            return EX_OK
        } catch {
            refuse(error, so: "refused")
            return EX_CONFIG
        }
    }
}

extension Surroundings {
    /// The real lines, clock and bus of this board.
    fileprivate static func ofBoard(_ folders: Folders) throws(SystemError) -> Surroundings {
        let kept = KeptRequests(keptDescriptors)
        let service = try SystemdServiceManager()
        var surroundings = Surroundings(
            loop: try SystemdEventLoop(), clock: SystemWallClock(), journal: try standardJournal(),
            service: service, folders: folders
        ) { settings throws(HardwareError) in
            try GPIOBank(settings.wiring, kept: kept) { service.notify(.forget($0)) }
        }
        surroundings.bus = .system
        surroundings.kernelDebounces = Capabilities.ofLibgpiod.debounces
        return surroundings
    }
}
