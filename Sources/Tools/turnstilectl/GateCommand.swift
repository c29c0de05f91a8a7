import ArgumentParser
import Console
import GateClient
import Glibc
import System

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

    var bus: BusConnection.Bus {
        address.map { .address($0) } ?? (user ? .session : .system)
    }

    func words(for error: GateError) -> String {
        guard error == .noGate, !user, address == nil else { return "\(error)" }
        return "\(error)\nFor a gate that you simulate yourself, add --user."
    }

    func connect() throws(GateError) -> GateConnection { try GateConnection(to: bus) }
}

func complain(_ text: String) {
    let appearance = Appearance(environment: environmentVariable)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let told = lines.map { appearance.printable(String($0)) }.joined(separator: "\n")
    printError("turnstilectl: \(told)")
}

struct StandardOutput {
    let appearance: Appearance
    /// Whether results are JSON lines, with the bus's names.
    let isJSON: Bool
    /// A warning in case the results cannot be written.
    var reminder: String?

    init(json isJSON: Bool) {
        var appearance = Appearance(environment: environmentVariable)
        if isatty(STDOUT_FILENO) == 0 || environmentVariable("TERM") == "dumb" {
            appearance.isColoured = false
        }
        (self.appearance, self.isJSON) = (appearance, isJSON)
    }

    /// Writes results. Exits if they cannot be written: incomplete output must not pass for
    /// complete.
    private func write(_ text: String) {
        do throws(SystemError) {
            try writeOutput(text)
        } catch {
            complain("the output cannot be written: \(error)")
            if let reminder { complain(reminder) }
            exit(ExitStatus.unwritable.rawValue)
        }
    }

    func print(_ lines: [[Span]]) {
        write(lines.map { appearance.text(of: $0.trimmed) + "\n" }.joined())
    }

    func print(_ text: String, _ style: Style = .plain) {
        self.print([[Span(appearance.printable(text), style)]])
    }

    /// Prints a text of several lines, with or without a final line feed.
    func print(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        self.print(lines.map { [Span(appearance.printable(String($0)))] })
    }

    func print(verbatim text: String) { write(text) }

    /// Prints signed text, or proofs of it, unchanged to the last byte. On a terminal, control
    /// characters are escaped: a forged ledger may contain some.
    func print(signed text: String) {
        write(isatty(STDOUT_FILENO) == 0 ? text : text.onItsLines)
    }

    func printJSON(_ pairs: [(String, BusValue)]) {
        write(BusValue.json(pairs.map { (key: $0.0, value: $0.1) }) + "\n")
    }

    /// Prints a result as JSON, or else for people.
    func print(
        _ pairs: @autoclosure () -> [(String, BusValue)], or lines: @autoclosure () -> [[Span]]
    ) {
        if isJSON { printJSON(pairs()) } else { print(lines()) }
    }

    func print(_ pairs: [(String, BusValue)], or text: String, _ style: Style = .plain) {
        if isJSON { printJSON(pairs) } else { print(text, style) }
    }
}

extension GateState {
    /// The gate's properties; only `names` if given.
    func told(only names: [String]? = nil) -> [(String, BusValue)] {
        values.filter { names?.contains($0.name) ?? true }.map { ($0.name, $0.value) }
    }
}

extension [(String, BusValue?)] {
    /// Those that have a value.
    var told: [(String, BusValue)] { compactMap { name, value in value.map { (name, $0) } } }
}

/// A command that prints its results, and returns the exit code.
protocol Subcommand: ParsableCommand {
    var json: Bool { get }
    func perform(_ out: StandardOutput) throws -> ExitStatus
}

extension Subcommand {
    var json: Bool { false }

    func run() throws { try end(with: perform(StandardOutput(json: json))) }

    fileprivate func end(with status: ExitStatus) throws {
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

protocol GateCommand: Subcommand {
    var gate: GateOptions { get }

    /// The alternative with a service too old for this request, if any.
    var substitute: String? { get }
}

extension GateCommand {
    var json: Bool { gate.json }
    var substitute: String? { nil }

    func run() throws {
        do {
            try end(with: perform(StandardOutput(json: json)))
        } catch let error as GateError {
            guard case .olderService = error, let substitute else {
                throw CommandError(gate.words(for: error), ExitStatus(error))
            }
            throw CommandError("\(error)", advice: substitute)
        }
    }

    /// Prints the gate's properties: as JSON only these, else this page.
    func show(
        only names: [String], _ out: StandardOutput, _ page: (GateState) -> [[Span]]
    ) throws -> ExitStatus {
        let state = try gate.connect().state()
        out.print(state.told(only: names), or: page(state))
        return .done
    }
}
