import ArgumentParser
import Console
import GateClient
import Keeping
import Moves
import Scenario
import Settings
import StateMachines
import System
import Turnstile

struct SimulateCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Act on a simulated gate, or play a scenario.",
        discussion: """
            For a service started with --simulate. The moves are those of scenarios:

            \(Move.help)

            Examples:
              turnstilectl simulate --user coin 50
              turnstilectl simulate --user push entry
              turnstilectl simulate play --user config/scenarios/one-person.scenario
            """,
        subcommands: [MoveGate.self, Play.self],
        defaultSubcommand: MoveGate.self)
}

extension Move {
    fileprivate static var help: String {
        allCases.map { "  \($0.usage)\n    \($0.summary)" }.joined(separator: "\n")
    }
}

struct MoveGate: GateCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Act on a simulated gate.",
        discussion: "Example: turnstilectl simulate --user fire open")

    @Argument(
        help: "The move, such as: coin 50.", completion: .list(Move.allCases.map(\.rawValue)))
    var words: [String]
    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        try gate.connect().simulate(words.joined(separator: " "))
        out.printDone()
        return .done
    }
}

extension StandardOutput {
    fileprivate func printDone() { print([("result", .string("done"))], or: "done") }
}

struct Play: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a scenario on a simulated gate.",
        discussion: """
            It prints each line when it is played, with the seconds since the beginning. It ends \
            with 1 at the first expectation that fails.

            Example: turnstilectl simulate play --user config/scenarios/one-person.scenario
            """)

    @Argument(help: "Scenario file.", completion: .file()) var file: String
    @OptionGroup var gate: GateOptions

    /// How many mistakes of a scenario are shown: another kind of file has one on each line.
    private static let mostMistakes = 20

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario(path: file)
        } catch {
            complain(error.beginning(of: Self.mostMistakes))
            if case .unreadable = error { return .cannotRead }
            return .badScenario
        }
        let connection = try gate.connect()
        warn(of: scenario, on: try connection.state())
        let stage = try GateStage(on: connection)
        let beginning = stage.now
        var present: Scenario.Step?
        do {
            try Player.play(scenario, on: stage) { step in
                present = step
                printStep(step, after: stage.now - beginning, out)
            }
        } catch {
            if gate.json { out.printJSON([("result", .string("failed"))]) }
            return end(of: scenario, at: present, error)
        }
        out.printDone()
        return .done
    }

    private func end(
        of scenario: Scenario, at step: Scenario.Step?, _ error: any Error
    ) -> ExitStatus {
        // One that has not come true says its place itself.
        guard !(error is ScenarioError), let step else {
            complain("\(error)")
            return .refused
        }
        complain("\(scenario.file):\(step.line): '\(step.text)': \(error)")
        if case .refusedArguments? = error as? GateError { return .badScenario }
        return .refused
    }

    /// Says so where the gate has other settings than those that the scenario is meant for.
    private func warn(of scenario: Scenario, on state: GateState) {
        guard let path = scenario.settingsPath else { return }
        do throws(SettingsErrors) {
            guard state.settingsDigest != SHA256.digest(of: try Settings.read(path: path)) else {
                return
            }
            complain("warning: it is meant for \(path), and the gate has other settings in force")
        } catch {
            complain("warning: the settings that it is meant for cannot be compared: \(error)")
        }
    }

    private func printStep(_ step: Scenario.Step, after time: Duration, _ out: StandardOutput) {
        let seconds = time.inTenths
        let padding = String(repeating: " ", count: max(0, 7 - seconds.count))
        out.print(
            [
                ("time_usec", .int64(time.wholeMicroseconds)), ("line", .int64(Int64(step.line))),
                ("text", .string(step.text)),
            ], or: "\(padding)\(seconds)  \(step.text)")
    }
}

extension ScenarioError {
    /// So many of the mistakes, and how many more there are.
    fileprivate func beginning(of count: Int) -> String {
        guard case .mistakes(let mistakes, let file) = self, mistakes.count > count else {
            return "\(self)"
        }
        let shown = ScenarioError.mistakes(Array(mistakes.prefix(count)), file: file)
        return "\(shown)\nand \(mistakes.count - count) more"
    }
}
