import ArgumentParser
import Console
import Doctor
import GateClient
import Settings
import System

struct SettingsOptions: ParsableArguments {
    @Option(
        name: [.customLong("settings")],
        help: ArgumentHelp(
            "The settings of the gate (default: \(Settings.standardPath)).", valueName: "file"),
        completion: .file())
    var named: String?

    var path: String { named ?? Settings.standardPath }

    /// Where they are of the gate whose service reads them there; nil where none says so.
    func path(of service: String?) -> String {
        // A relative path is from an unknown folder.
        named ?? service.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path
    }

    /// The settings; `service` is where the gate's service reads them.
    func load(of service: String? = nil) throws(SettingsErrors) -> Settings {
        try Settings.load(path: path(of: service))
    }
}

struct Examine: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that this machine has what the service needs.",
        discussion: """
            It changes nothing, and names the remedy for each problem. Run it as root. \
            docs/doctor.md explains each line. Exit codes: 0 all is well; 1 warnings; 2 errors.

            Example: sudo turnstilectl doctor
            """)

    @Flag(help: "Briefly request and read every unused input.")
    var readInputs = false
    @Flag(
        help: """
            While no service runs: drive each output to its safe level, release it, and read \
            which level it keeps.
            """)
    var tryOutputs = false
    @Flag(help: "Measure the disk: write a file beside the ledger and remove it.")
    var measureCommit = false
    @OptionGroup var settings: SettingsOptions
    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        var options = Doctor.Options(path: settings.path)
        options.readsInputs = readInputs
        options.triesOutputs = tryOutputs
        options.measuresCommit = measureCommit
        options.service = gate.serviceReport
        let report = Doctor.examine(options)
        if gate.json {
            printOutput("\(report.json)\n")
        } else {
            out.print(text: report.description)
        }
        return ExitStatus(rawValue: report.exitCode) ?? .wrong
    }
}

extension GateOptions {
    /// The report of the service on the bus for the doctor; nil if no service answers, which the
    /// checks say, or if it has other lines than this machine, which is reported here.
    var serviceReport: ServiceReport? {
        guard let state = try? connect().state() else { return nil }
        guard !state.isSimulated else {
            complain("the gate on the bus is simulated: it does not report these lines")
            return nil
        }
        return ServiceReport(version: state.version, levels: state.isActive)
    }
}

struct SettingsCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings in force, and what a reload would change.",
        subcommands: [Show.self, Diff.self])

    struct Show: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Show each key, its value and where it comes from.",
            discussion: """
                The settings in force are kept in \(Settings.placeInForce), which root and the \
                service may read.

                Example: sudo turnstilectl settings show
                """)

        @Argument(
            help: "A settings file (default: the settings in force).", completion: .file())
        var file: String?
        @Flag(help: "Print JSON, an object a line.") var json = false

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            let listing = try reading { () throws(SettingsErrors) in
                try SettingsListing(path: file ?? Settings.placeInForce)
            }
            if json { printOutput(listing.json) } else { out.print(text: listing.description) }
            return .done
        }
    }

    struct Diff: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a reload would change.",
            discussion: "Example: sudo turnstilectl settings diff")

        @OptionGroup var settings: SettingsOptions
        @Flag(help: "Print JSON, an object a line.") var json = false

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            let difference = try reading { () throws(SettingsErrors) in
                try SettingsDifference(path: settings.path)
            }
            if json {
                printOutput(difference.json)
            } else if difference.changes.isEmpty {
                out.print("nothing would change")
            } else {
                out.print(text: difference.description)
            }
            return .done
        }
    }
}

/// Reads settings, and says why those in force may not be there.
private func reading<Result>(_ body: () throws(SettingsErrors) -> Result) throws -> Result {
    do throws(SettingsErrors) {
        return try body()
    } catch {
        guard error.isUnreadable, error.file == Settings.placeInForce else { throw error }
        throw CommandError(
            "\(error)", ExitStatus(error),
            advice: """
                the settings in force exist while a service runs, readable by root and the \
                service; a simulated gate has none
                See the settings in a file: turnstilectl settings show FILE
                """)
    }
}
