/// Something that the machine suffers from.
public enum Fault: Hashable, Sendable {
    /// The machine's own fault contact is active.
    case external
    /// The rotor's sensors skipped a state.
    case illegalRotorTransition
    /// The coin line has been active for too long.
    case coinLineStuck
    /// The kernel's queue overflowed and edges are missing.
    case edgesLost
    /// An output was energised for its maximum on-time and was cut.
    case energisedTooLong(Output)
    /// A line failed.
    case line(Line, LineFailure)
}

extension Fault {
    /// Whether the gate is out of service while the fault lasts.
    ///
    /// Lost edges are over once the lines were read again, and a siren that was cut has done its
    /// work; all else means that the gate cannot be trusted to take money or to let people out.
    public var takesOutOfService: Bool {
        switch self {
        case .edgesLost, .energisedTooLong(.alarm): false
        case .external, .illegalRotorTransition, .coinLineStuck, .energisedTooLong, .line: true
        }
    }

    /// Whether the fault lasts until the mechanic's key is turned, though its cause is gone.
    public var isLatching: Bool {
        switch self {
        case .edgesLost, .coinLineStuck, .energisedTooLong(.alarm): false
        case .external, .illegalRotorTransition, .energisedTooLong, .line: true
        }
    }

    /// The position of the fault in ``all``, from 0.
    var index: Int {
        switch self {
        case .external: 0
        case .illegalRotorTransition: 1
        case .coinLineStuck: 2
        case .edgesLost: 3
        case .energisedTooLong(let output): 4 + output.index
        case .line(let line, let failure): 7 + 3 * line.index + failure.index
        }
    }

    /// All faults that there are, in the order of their ``index``.
    static let all: [Fault] = {
        let lines = Line.all.flatMap { line in
            LineFailure.allCases.map { Fault.line(line, $0) }
        }
        return [.external, .illegalRotorTransition, .coinLineStuck, .edgesLost]
            + Output.allCases.map { .energisedTooLong($0) } + lines
    }()
}
