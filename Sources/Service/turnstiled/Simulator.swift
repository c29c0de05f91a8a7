import Daemon
import Glibc
import System

/// The program that controls a simulated gate, in place of this one.
enum Simulator {
    private static let name = "turnstile-simulator"
    /// What else of this program knows what `--simulate` means to it.
    private static let exceptions = [
        "--check-config", "--safe-state", "--check-ledger", "--accept-ledger",
    ]

    /// Has it take the place of this process where the arguments ask for it; returns the exit code
    /// where it cannot, and nil where they ask for something else.
    static func run(_ arguments: [String]) -> CInt? {
        let flags = arguments.prefix { $0 != "--" }
        guard flags.contains("--simulate"), !exceptions.contains(where: flags.contains) else {
            return nil
        }
        let others =
            flags.dropFirst().filter { $0 != "--simulate" } + arguments.dropFirst(flags.count)
        // Beside this one as it is built, and else where `make install` puts it.
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
