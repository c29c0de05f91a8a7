import Checkout
public import Foundation

/// A Debian release that a board runs.
public enum Debian: String, CaseIterable, Sendable {
    /// Debian 12: libgpiod 1.6, systemd 252.
    case bookworm
    /// Debian 13: libgpiod 2.2, systemd 257.
    case trixie

    /// The releases on whose boards all stories are told: those that `TURNSTILED_BOARD` names,
    /// separated by spaces; none without it.
    public static let selected = named(by: "TURNSTILED_BOARD")

    /// Those, and the ones that `TURNSTILED_BOARD_ALSO` names, on whose boards only the stories are
    /// told that may go differently there: of lines, kernel, systemd and packages.
    public static let each =
        selected + named(by: "TURNSTILED_BOARD_ALSO").filter { !selected.contains($0) }

    private static func named(by variable: String) -> [Debian] {
        (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: " ").map { name in
            guard let debian = Debian(rawValue: String(name)) else {
                preconditionFailure("\(variable) names '\(name)', which is no board's Debian")
            }
            return debian
        }
    }

    /// Whether its libgpiod tells of edges that the kernel's queue could not hold.
    public var detectsLostEdges: Bool { self != .bookworm }

    /// The directory in which the scripts under Tests/Board leave what they build: `BOARD_WORK`,
    /// or build/board in the repository.
    public var work: URL {
        let folder = ProcessInfo.processInfo.environment["BOARD_WORK"].map { URL(filePath: $0) }
        return (folder ?? Checkout.root.appending(path: "build/board")).appending(path: rawValue)
    }
}
