import Daemon
import Glibc
import System

/// The separate program that controls a simulated gate.
enum Simulator {
    private static let name = "turnstile-simulator"
    /// How the rest of this program treats `--simulate`.
    private static let exceptions = [
        "--check-config", "--safe-state", "--check-ledger", "--accept-ledger",
    ]

    /// Executes it in place of this process if the arguments ask for it. Returns the exit code on
    /// an error, nil without `--simulate`.
    static func run(_ arguments: [String]) -> CInt? {
        let flags = arguments.prefix { $0 != "--" }
        guard flags.contains("--simulate"), !exceptions.contains(where: flags.contains) else {
            return nil
        }
        let others =
            flags.dropFirst().filter { $0 != "--simulate" } + arguments.dropFirst(flags.count)
        // In the build beside this program, otherwise where `make install` puts it.
        let folder = ProgramFile.folder ?? "."
        for place in [folder, "\(folder)/../lib/turnstiled"] {
            let error = ProgramFile.replace(with: "\(place)/\(name)", [name] + others)
            guard error.meansAbsence else {
                printError("turnstiled: \(error)")
                return EX_UNAVAILABLE
            }
        }
        printError("turnstiled: --simulate: there is no \(name) here: install the package \(name)")
        return EX_UNAVAILABLE
    }
}
