import ArgumentParser
import Console
import Doctor
import GateClient
import Settings
import System

/// Where the settings of a gate are.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: [.customLong("settings")],
        help: ArgumentHelp(
            "The settings of the gate (default: \(Settings.standardPath)).", valueName: "file"),
        completion: .file())
    var named: String?

    /// Where they are.
    var path: String { named ?? Settings.standardPath }

    /// Where they are of the gate whose service reads them there; nil where none says so.
    func path(of service: String?) -> String {
        // One that is not from the root is from a folder that nobody here knows.
        named ?? service.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? path
    }

    /// The settings; `service` is where the gate's service reads them.
    func load(of service: String? = nil) throws(CommandError) -> Settings {
        do throws(SettingsErrors) {
            return try Settings.load(path: path(of: service))
        } catch {
            throw CommandError("\(error)", ExitStatus(error))
        }
    }
}

struct Examine: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that this machine has what the service needs.",
        discussion: """
            It changes nothing, and says what to do about each thing that is wrong. Run it as \
            root. docs/doctor.md explains each line. It ends with 0 where all is well, 1 where \
            somebody should look, 2 where something is wrong.

            Example: sudo turnstilectl doctor
            """)

    @Flag(help: "Briefly request and read every unused input.")
    var readInputs = false
    @Flag(
        help: """
            While no service runs, drive each output to its safe level, let it go, and look \
            what it is then.
            """)
    var tryOutputs = false
    @Flag(help: "Measure the disk: write a file beside the ledger and remove it.")
    var measureCommit = false
    @OptionGroup var settings: SettingsOptions
    @OptionGroup var gate: GateOptions

    func run() throws {
        var options = Doctor.Options(path: settings.path)
        options.readsInputs = readInputs
        options.triesOutputs = tryOutputs
        options.measuresCommit = measureCommit
        options.service = gate.serviceReport
        let report = Doctor.examine(options)
        if gate.json {
            printOutput("\(report.json)\n")
        } else {
            gate.paper.print(text: report.description)
        }
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
}

extension GateOptions {
    /// What the doctor wants to know of the service on the bus; nil where none answers, which the
    /// checks say, and where it has other lines than this machine, which is said here.
    var serviceReport: ServiceReport? {
        guard let state = try? connect().state() else { return nil }
        guard !state.isSimulated else {
            complain("the gate on the bus is simulated: it tells nothing of these lines")
            return nil
        }
        return state.serviceReport
    }
}

extension GateState {
    /// What the doctor wants to know of a service.
    fileprivate var serviceReport: ServiceReport {
        ServiceReport(
            version: version,
            levels: Dictionary(levels.map { ($0.line, $0.isActive) }) { $1 })
    }
}

struct SettingsCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings in force, and what a reload would change.",
        subcommands: [Show.self, Diff.self])

    struct Show: ParsableCommand {
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

        func run() throws {
            try reading { () throws(SettingsErrors) in
                let listing = try SettingsListing(path: file ?? Settings.placeInForce)
                return json ? .json(listing.json) : .text(listing.description)
            }
        }
    }

    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a reload would change.",
            discussion: "Example: sudo turnstilectl settings diff")

        @OptionGroup var settings: SettingsOptions
        @Flag(help: "Print JSON, an object a line.") var json = false

        func run() throws {
            try reading { () throws(SettingsErrors) in
                let difference = try SettingsDifference(path: settings.path)
                if json { return .json(difference.json) }
                return .text(
                    difference.changes.isEmpty
                        ? "nothing would change" : difference.description)
            }
        }
    }
}

/// What is printed of settings.
private enum Printed {
    /// A text for people.
    case text(String)
    /// Lines of JSON.
    case json(String)
}

/// Prints what is read of settings, or what is wrong with them.
private func reading(_ body: () throws(SettingsErrors) -> Printed) throws {
    do throws(SettingsErrors) {
        switch try body() {
        case .text(let text): Paper.standard.print(text: text)
        case .json(let lines): printOutput(lines)
        }
    } catch {
        complain("\(error)")
        if error.isUnreadable, error.file == Settings.placeInForce {
            complain(
                """
                what is in force is there while a service runs, for root and the service to read, \
                and not of a simulated gate
                See the settings in a file: turnstilectl settings show FILE
                """)
        }
        throw ExitCode(ExitStatus(error).rawValue)
    }
}
