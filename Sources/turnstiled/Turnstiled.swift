import ArgumentParser
import GPIOHardware
import Glibc
import Hardware
import Settings
import System

/// The controller daemon of a turnstile.
@main
struct Turnstiled: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turnstiled",
        abstract: "Controls a turnstile: takes coins, opens a door.",
        discussion: """
            Without options it takes the lines that the settings name and controls the gate until \
            SIGTERM. SIGHUP has it read the settings again. It writes to systemd's journal, or, \
            started by hand, to standard error.

            Exit codes: 0 stopped in an orderly way, 64 wrong arguments, 69 the hardware cannot \
            be had, 70 the system failed, 74 the hardware failed while in use, 78 the settings \
            are wrong.
            """,
        version: "0.1.0")

    @Argument(help: "The settings.")
    var settings = "/etc/turnstiled/turnstiled.yaml"

    @Flag(help: "Only checks the settings and says all that is wrong with them.")
    var checkConfig = false

    @Flag(help: "Only drives every output to its safe level.")
    var safeState = false

    @Flag(help: "Controls a simulated gate; on a terminal it can be watched and played with.")
    var simulate = false

    @Flag(help: "Also writes down events that change nothing, and why.")
    var trace = false

    func validate() throws {
        let modes = [checkConfig, safeState, simulate].filter { $0 }
        guard modes.count <= 1 else {
            throw ValidationError(
                "--check-config, --safe-state and --simulate are three different things to do")
        }
    }

    func run() throws {
        if checkConfig {
            _ = try loadedSettings()
            print("\(settings): good")
        } else if safeState {
            try driveSafe(loadedSettings().wiring)
        } else {
            let settings = try loadedSettings()
            do {
                let daemon = try Daemon(
                    settings, path: self.settings, isSimulated: simulate, traces: trace)
                throw ExitCode(try daemon.run())
            } catch let error as SystemError {
                complain("\(error)")
                throw ExitCode(EX_SOFTWARE)
            }
        }
    }

    /// The settings, or an end with all that is wrong with them and exit code 78.
    private func loadedSettings() throws -> Settings {
        do throws(SettingsErrors) {
            return try Settings.load(path: settings)
        } catch {
            complain("\(error)")
            throw ExitCode(EX_CONFIG)
        }
    }

    private func driveSafe(_ wiring: Wiring) throws {
        let failures = GPIOBank.driveSafe(wiring)
        for failure in failures { complain("\(failure)") }
        if !failures.isEmpty { throw ExitCode(EX_UNAVAILABLE) }
    }
}
