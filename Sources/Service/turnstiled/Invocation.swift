import GPIOHardware
import Glibc
import Retention
import Settings
import System
import Turnstile

/// What the command line asks for.
struct Invocation {
    static let usage = """
        usage: turnstiled [--trace] [SETTINGS]
               turnstiled --simulate [--state-directory DIR] [--trace] [SETTINGS]
               turnstiled --simulate [--at TIME] [--speed N] [--state-directory DIR] [SETTINGS]
               turnstiled --check-config [--quiet] [--simulate] [SETTINGS]
               turnstiled --safe-state [SETTINGS]
               turnstiled --check-ledger | --accept-ledger [SETTINGS]
               turnstiled --help | --version
        """

    static let help = """
        Controls a turnstile: takes coins, opens a door.

        \(usage)

        Takes the lines that the file SETTINGS names and controls the gate until SIGTERM. SIGHUP
        has it read the file again. It writes to systemd's journal or, started by hand, to standard
        error. SETTINGS is \(standardSettings) unless it is given.

          --check-config  only check the settings: say all that is wrong or odd in them, show the
                          wiring as a table and, where there are GPIO chips, look whether the lines
                          are there, of which none is taken. With --simulate, look at no chip
          --quiet         with --check-config: say what is wrong, and nothing else
          --safe-state    only drive every output to its safe level
          --check-ledger  only check the ledger, also while the service runs, and say what is
                          wrong with it; as root or as the service's user
          --accept-ledger
                          accept what became of a ledger that the service refuses: one that is
                          sound is taken as it is, any other is set aside and a new one begun
          --simulate      control a simulated gate; on a terminal it can be watched and played with
          --state-directory DIR
                          keep the simulated gate's state, ledger and trace in DIR, which is made
                          where it is missing; else they end with the process. With --speed or
                          --at, keep its ledger alone, which says that it is a trial's: it verifies
                          as no gate's, and no gate takes it up. With --check-ledger and
                          --accept-ledger: of the ledger in DIR
          --speed N       have the simulated gate's time pass N times as fast, up to 60: at 60 a day
                          passes in 24 minutes. It is on no bus
          --at TIME       have the simulated gate's clock show TIME at the start, as 08:00 or
                          2026-12-24T08:00, in local time: schedule and log go by it. It is on a
                          bus only with --state-directory
          --trace         also write down events that change nothing, and why
          -h, --help      show this text
          --version       show the version

          --safe-state drives what was in force when the service last ran, then whatever else
          SETTINGS names.

        exit codes: 0 stopped in an orderly way, 1 the ledger is not in order, 64 wrong arguments,
        69 the lines cannot be had now, 70 the system failed, 74 the lines failed while in use, 78
        the settings are wrong, or name a line that does not exist
        """

    static let version = programVersion
    static let standardSettings = Settings.standardPath

    /// What the daemon can be told to do; the raw value is the flag.
    private enum Flag: String, CaseIterable {
        case checkConfig = "check-config"
        case safeState = "safe-state"
        case checkLedger = "check-ledger"
        case acceptLedger = "accept-ledger"
        case simulate, quiet, trace, help, version

        init?(argument: String) {
            if argument == "-h" {
                self = .help
                return
            }
            guard argument.hasPrefix("--") else { return nil }
            self.init(rawValue: String(argument.dropFirst(2)))
        }
    }

    /// What takes a value, as `--flag VALUE` or `--flag=VALUE`.
    private enum Option: String, CaseIterable {
        case stateDirectory = "state-directory"
        case speed, at

        /// What to say where the value is missing.
        var question: String {
            switch self {
            case .stateDirectory: "which folder?"
            case .speed: "how many times as fast?"
            case .at: "what does the clock show at the start?"
            }
        }
    }

    private let flags: Set<Flag>
    private let path: String
    private let stateDirectory: String?
    /// How many times as fast the time of a simulated gate passes.
    private let speed: Int
    /// What its clock shows at the start; nil for what that of the system shows.
    private let start: StartTime?

    /// Reads the program's arguments, its own name first.
    init(_ arguments: [String]) throws(UsageError) {
        // Else what was asked for and lost, such as --version, would be the service itself.
        guard !arguments.isEmpty else { throw UsageError("no argument has arrived, nor a name") }
        var flags: Set<Flag> = []
        var operands: [String] = []
        var takesFlags = true
        var values: [Option: String] = [:]
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if !takesFlags || !argument.hasPrefix("-") {
                operands.append(argument)
            } else if argument == "--" {
                takesFlags = false
            } else if let flag = Flag(argument: argument) {
                flags.insert(flag)
            } else if let (option, value) = try Self.option(argument, &rest) {
                values[option] = value
            } else {
                let names = Flag.allCases.map(\.rawValue) + Option.allCases.map(\.rawValue)
                throw UsageError(unknown: argument, among: names)
            }
        }
        stateDirectory = values[.stateDirectory]
        speed = try Self.speed(values[.speed])
        start = try Self.start(values[.at])
        guard operands.count <= 1 else {
            throw UsageError("one file of settings at most, not also '\(operands[1])'")
        }
        self.flags = flags
        path = operands.first ?? Self.standardSettings
        let modes = flags.subtracting([.trace, .quiet])
        guard modes.count <= 1 || modes == [.checkConfig, .simulate] else {
            let given = modes.map { "--\($0.rawValue)" }.sorted().joined(separator: ", ")
            throw UsageError("\(given): only one of these at a time")
        }
        guard !flags.contains(.quiet) || flags.contains(.checkConfig) else {
            throw UsageError("--quiet goes with --check-config: the journal has its own levels")
        }
        guard stateDirectory == nil || !modes.isDisjoint(with: Self.modesOfSimulatedGate) else {
            throw UsageError(
                "--state-directory goes with --simulate: a gate of its own has the folders of its "
                    + "unit")
        }
        guard speed == 1 || modes == [.simulate] else {
            throw UsageError("--speed goes with --simulate: nobody hurries a real gate")
        }
        guard start == nil || modes == [.simulate] else {
            throw UsageError("--at goes with --simulate: a real gate goes by the system's clock")
        }
    }

    /// The speed that a value says; 1 where there is none.
    private static func speed(_ value: String?) throws(UsageError) -> Int {
        guard let value else { return 1 }
        guard let speed = Int(value), Timescale.speeds.contains(speed) else {
            throw UsageError(
                "--speed: '\(value)' is not a whole number from \(Timescale.speeds.lowerBound) to "
                    + "\(Timescale.speeds.upperBound)")
        }
        return speed
    }

    /// What the clock shows at the start by a value; nil where there is none.
    private static func start(_ value: String?) throws(UsageError) -> StartTime? {
        guard let value else { return nil }
        guard let start = StartTime(value, now: SystemWallClock.utc) else {
            throw UsageError(
                "--at: '\(value)' is no time that the clock here shows: write 08:00, 08:00:30 or "
                    + "2026-12-24T08:00")
        }
        return start
    }

    /// Whether the gate's time is that of everybody else.
    private var isOfOurTime: Bool { speed == 1 && start == nil }

    /// Whatever may be done to a simulated gate.
    private static let modesOfSimulatedGate: Set<Flag> = [.simulate, .checkLedger, .acceptLedger]

    /// What takes a value, and the value; nil for other flags.
    private static func option(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> (Option, String)? {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard argument.hasPrefix("--"), let option = Option(rawValue: String(parts[0].dropFirst(2)))
        else { return nil }
        let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
        guard let value, !value.isEmpty else {
            throw UsageError("--\(option.rawValue): \(option.question)")
        }
        return (option, value)
    }

    /// Does it; returns the exit code.
    func run() throws -> CInt {
        if flags.contains(.help) {
            print(Self.help)
            return EX_OK
        }
        if flags.contains(.version) {
            print("turnstiled \(Self.version)")
            return EX_OK
        }
        if flags.contains(.safeState) {
            let folder = RuntimeFolder(path: Folders().runtime ?? Folders.standardRuntime)
            return SafeState(path: path, folder: folder).run(say: printError)
        }
        if flags.contains(.checkConfig) { return checkSettings() }
        let text: [UInt8]
        let settings: Settings
        do throws(SettingsErrors) {
            text = try Settings.read(path: path)
            // Whoever starts the service waits for no file system.
            settings = try Settings.parse(text, file: path)
        } catch {
            refuse(error)
            return EX_CONFIG
        }
        let folders = try folders()
        if flags.contains(.checkLedger) { return LedgerCommand.check.run(settings, folders) }
        if flags.contains(.acceptLedger) { return LedgerCommand.accept.run(settings, folders) }
        return try Daemon(
            settings, text: text, path: path, simulation: timescale,
            ahead: start.map { $0.utc - SystemWallClock.utc } ?? .zero,
            traces: flags.contains(.trace), bus: bus,
            folders: folders
        ).run()
    }

    /// Says what is wrong with the settings, here as well, and what they come to.
    private func checkSettings() -> CInt {
        do throws(SettingsErrors) {
            let placed = try PlacedSettings(Settings.read(path: path), file: path) {
                Settings.isBelowVolatileFolder($0) || isOnVolatileFileSystem($0)
            }
            let settings = placed.settings
            let isQuiet = flags.contains(.quiet)
            if !isQuiet {
                for warning in settings.warnings { printError(warning.line(in: path)) }
                printOutput("\(WiringTable(settings))\n")
            }
            var remark: String?
            if !flags.contains(.simulate) {
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
            refuse(error)
            return EX_CONFIG
        }
    }

    /// How fast the time of a simulated gate passes; nil for a real gate.
    private var timescale: Timescale? {
        flags.contains(.simulate) ? Timescale(speed: speed, from: MonotonicTimer.now) : nil
    }

    /// The bus on which the gate can be looked at and operated. A simulated gate of somebody who is
    /// not root is on their own, where they have one. One whose time passes faster is on none, as
    /// others have another time, nor is one that keeps nothing and whose clock shows another time.
    private var bus: BusConnection.Bus? {
        guard isOfOurTime || speed == 1 && stateDirectory != nil else { return nil }
        guard flags.contains(.simulate), geteuid() != 0 else { return .system }
        return BusConnection.Bus.hasSession ? .session : nil
    }

    /// Where what outlives the process is; nil for a simulated gate that nothing outlives.
    private func folders() throws(SystemError) -> Folders? {
        guard let stateDirectory else { return flags.contains(.simulate) ? nil : Folders() }
        let folders = Folders(ofSimulatedGate: stateDirectory, isTrial: !isOfOurTime)
        if flags.contains(.simulate) { try folders.make() }
        return folders
    }

    /// Says what is wrong with the settings: in entries of the journal where standard error goes
    /// there, since nobody who asks it for errors would find a line of text.
    private func refuse(_ errors: SettingsErrors) {
        guard let journal = try? nativeJournal() else { return printError("\(errors)") }
        let count = errors.problems.count
        let outcome =
            "\(path): \(count) mistake\(count == 1 ? "" : "s"), "
            + (flags.contains(.checkConfig) ? "refused" : "so the service does not start")
        for line in "\(errors)".split(separator: "\n").map(String.init) + [outcome] {
            journal.write(JournalEntry(.configurationMistake(line)))
        }
        if !journal.drain(within: .seconds(1)) { printError("\(errors)") }
    }
}

/// A command line that makes no sense.
struct UsageError: Error {
    /// What is wrong with it.
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(unknown argument: String, among flags: [String]) {
        let given = String(argument.drop { $0 == "-" }.prefix { $0 != "=" })
        let nearest = Spelling.nearest(to: given, among: flags)
        description =
            "unknown flag '\(argument)'" + (nearest.map { ", did you mean '--\($0)'?" } ?? "")
    }
}
