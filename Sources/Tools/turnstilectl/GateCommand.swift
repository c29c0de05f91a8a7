import ArgumentParser
import Console
import GateClient
import Glibc
import System

/// Where the gate is, and how to tell of it.
struct GateOptions: ParsableArguments {
    @Flag(help: "Use the session bus (simulated gates).")
    var user = false

    @Option(help: ArgumentHelp("Use the bus at this address.", valueName: "address"))
    var address: String?

    @Flag(help: "Print JSON lines, with the bus's names.")
    var json = false

    func validate() throws {
        if user, address != nil { throw ValidationError("--user or --address, not both") }
    }

    /// The bus that is meant.
    var bus: BusConnection.Bus {
        address.map { .address($0) } ?? (user ? .session : .system)
    }

    /// What is wrong, and what to do about it here.
    func words(for error: GateError) -> String {
        guard error == .noGate, !user, address == nil else { return "\(error)" }
        return "\(error)\nOr ask one that you simulate yourself, with --user."
    }

    func connect() throws(GateError) -> GateConnection { try GateConnection(to: bus) }

    /// Where results go.
    var paper: Paper { .standard }
}

/// Says on standard error what is wrong, or what to do.
func complain(_ text: String) {
    let appearance = Appearance(environment: environmentVariable)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let told = lines.map { appearance.printable(String($0)) }.joined(separator: "\n")
    printError("turnstilectl: \(told)")
}

/// Standard output, for results.
struct Paper {
    /// What it can show.
    let appearance: Appearance
    /// What whoever does not get them has to know.
    var reminder: String?

    /// Standard output, as it is.
    static var standard: Paper {
        var appearance = Appearance(environment: environmentVariable)
        if isatty(STDOUT_FILENO) == 0 || environmentVariable("TERM") == "dumb" {
            appearance.isColoured = false
        }
        return Paper(appearance: appearance)
    }

    /// Writes results. The program ends where they cannot be written: nobody is to take what is
    /// missing for what there is.
    private func write(_ text: String) {
        do throws(SystemError) {
            try writeOutput(text)
        } catch {
            complain("the output cannot be written: \(error)")
            if let reminder { complain(reminder) }
            exit(ExitStatus.unwritable.rawValue)
        }
    }

    /// Prints lines.
    func print(_ lines: [[Span]]) {
        write(lines.map { appearance.text(of: $0.trimmed) + "\n" }.joined())
    }

    /// Prints a line.
    func print(_ text: String, _ style: Style = .plain) {
        self.print([[Span(appearance.printable(text), style)]])
    }

    /// Prints a text of several lines, the last of which may be ended or not.
    func print(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        self.print(lines.map { [Span(appearance.printable(String($0)))] })
    }

    /// Prints a text as it is, to the last byte.
    func print(verbatim text: String) { write(text) }

    /// Prints what is signed, or verifies it, as it is, to the last byte. On a terminal, what would
    /// steer that is told by its number: whoever made the ledger may have put it there.
    func print(signed text: String) {
        write(isatty(STDOUT_FILENO) == 0 ? text : text.onItsLines)
    }

    /// Prints all that a gate tells of itself, or these properties, as an object of JSON.
    func printJSON(_ state: GateState, only names: [String]? = nil) {
        let told = state.values.filter { names?.contains($0.name) ?? true }
        printJSON(told.map { ($0.name, $0.value) })
    }

    /// Prints an object of JSON.
    func printJSON(_ pairs: [(String, BusValue)]) {
        write(BusValue.json(pairs.map { (key: $0.0, value: $0.1) }) + "\n")
    }
}

/// A command that asks the gate.
protocol GateCommand: ParsableCommand {
    var gate: GateOptions { get }

    /// What does the same where the service is too old to be asked for it; nil for nothing.
    var substitute: String? { get }

    /// Does it.
    func perform(_ paper: Paper) throws(GateError) -> ExitStatus
}

extension GateCommand {
    var substitute: String? { nil }

    func run() throws { try ask() }

    /// Does it, says what is wrong, and ends with the code for that.
    func ask() throws {
        var status: ExitStatus
        do throws(GateError) {
            status = try perform(gate.paper)
        } catch {
            complain(gate.words(for: error))
            status = ExitStatus(error)
            if case .olderService = error, let substitute {
                complain(substitute)
                status = .refused
            }
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
