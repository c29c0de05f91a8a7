/// A line, by its role.
public enum Line: Hashable, Sendable {
    /// A line that is read.
    case input(Input)
    /// A line that is driven.
    case output(Output)
}

extension Line: CustomStringConvertible {
    /// The role's name.
    public var description: String {
        switch self {
        case .input(let input): input.name
        case .output(let output): output.name
        }
    }
}

/// Which way a person goes.
public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Towards the paid side.
    case entry
    /// Away from it.
    case exit
}

extension Direction {
    /// The other way.
    public var opposite: Direction { self == .entry ? .exit : .entry }

    /// The lock of this way.
    public var lock: Output { self == .entry ? .lockEntry : .lockExit }

    /// The contact that shows whether the lock of this way has moved.
    public var lockFeedback: Input { self == .entry ? .lockFeedback : .lockFeedbackExit }
}

/// One of the coin acceptors.
public enum Acceptor: UInt8, CaseIterable, Hashable, Sendable {
    /// The one on `coin_pulse`.
    case first = 1
    /// The one on `coin_pulse_2`.
    case second
    /// The one on `coin_pulse_3`.
    case third
}

extension Acceptor {
    /// The position of the acceptor among the cases, from 0.
    var index: Int { Int(rawValue) - 1 }

    /// The acceptor's pulse line.
    public var line: Input {
        switch self {
        case .first: .coinPulse
        case .second: .coinPulse2
        case .third: .coinPulse3
        }
    }
}

extension Input {
    /// The acceptor whose pulse line this is, if it is one.
    @inline(__always) var acceptor: Acceptor? {
        if self == Acceptor.first.line { return .first }
        if self == Acceptor.second.line { return .second }
        return self == Acceptor.third.line ? .third : nil
    }
}

extension Acceptor {
    /// `allCases`, made once.
    static let ordered = allCases
}
