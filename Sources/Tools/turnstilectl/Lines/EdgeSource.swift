import GateClient
import Hardware
import Measuring
import StateMachines
import Turnstile

/// Where edges of lines are heard: the service that holds the lines or, where none runs, the lines
/// themselves.
protocol EdgeSource: AnyObject {
    var origin: String { get }
    /// The lines that are heard: those that were named or, where none was, all that there are.
    var lines: [Line] { get }
    /// The lines that are on, as far as was taken, or were when this began to hear.
    var levels: Set<Line> { get }
    /// How long a level of this input must last for the gate to take it.
    func debounce(of input: Input) -> Duration
    /// Whether short levels of this input are filtered, so that its bounces are unknown.
    func isDebounced(_ input: Input) -> Bool
    /// Whether the way of this output lets people through, as of the edges taken so far; nil for an
    /// output of no way, or if unknown.
    func isReleased(by output: Output) -> Bool?
    func take(_ body: (LineNews) -> Void) throws
    /// Takes all that happened until now.
    func takeLast(_ body: (LineNews) -> Void) throws
    /// Waits until something may have happened, or one of `others` is readable, until then at the
    /// latest; nil for as long as it takes.
    func wait(until end: Instant?, or others: [CInt])
}

extension EdgeSource {
    func isReleased(by output: Output) -> Bool? { nil }

    /// How long a level of this line must last to be no bounce; nil where none that does not is
    /// heard of.
    func bound(of line: Line) -> Duration? {
        guard case .input(let input) = line, !isDebounced(input) else { return nil }
        return Bounce.bound(of: input, debounce: debounce(of: input))
    }

    func introduce() {
        complain(origin)
        if let caution { complain(caution) }
    }

    /// A warning for users who look for bounces.
    private var caution: String? {
        let names = lines.compactMap { line -> String? in
            guard case .input(let input) = line, isDebounced(input) else { return nil }
            return input.name
        }
        guard !names.isEmpty else { return nil }
        return "the kernel debounces \(names.joined(separator: ", ")): bounce is not shown; stop "
            + "the service or set 'debounce: 0ms' to see it"
    }
}

extension GateOptions {
    /// The source of the edges of these lines, or of all wired ones; with `goesOn` it follows a
    /// restarted service.
    func edges(
        of lines: [Line], _ settings: SettingsOptions, goesOn: Bool = false
    ) throws -> any EdgeSource {
        do throws(GateError) {
            return try GateEdges(connect(), of: lines, goesOn: goesOn)
        } catch {
            switch error {
            case .noBus, .noGate: return try freeLines(lines, settings)
            case .busLost, .lost, .unavailable, .noAnswer, .busy, .notAllowed, .settingsRefused,
                .refusedArguments, .olderService, .unreadable:
                throw error
            }
        }
    }

    private func freeLines(_ lines: [Line], _ settings: SettingsOptions) throws -> LineEdges {
        do {
            return try LineEdges(lines, settings)
        } catch {
            guard let failure = CommandError(error) else { throw error }
            throw CommandError(
                "no turnstile answers on the bus, and the lines cannot be had without it:\n"
                    + failure.description, failure.status)
        }
    }
}
