internal import StateMachines
internal import Turnstile

/// The coin acceptors of a gate.
struct Acceptors: Hashable, Sendable {
    /// The coin lines that are active: a pulse is being sent.
    private(set) var pulsing = InputLevels()
    /// When the next coin moves or the next coin line changes.
    private(set) var deadline: Instant?

    private var acceptors: [CoinAcceptor]

    /// The acceptors whose pulse lines are among `wired`.
    init(_ wired: InputLevels) {
        acceptors = Acceptor.allCases.filter { wired[$0.line] }.map(CoinAcceptor.init)
    }

    func sum(of value: (CoinAcceptor) -> Int) -> Int { acceptors.reduce(0) { $0 + value($1) } }

    /// Changes an acceptor, if it exists.
    mutating func change(_ acceptor: Acceptor, _ body: (inout CoinAcceptor) -> Void) {
        for index in acceptors.indices where acceptors[index].acceptor == acceptor {
            body(&acceptors[index])
        }
        decideDeadline()
    }

    mutating func changeAll(_ body: (inout CoinAcceptor) -> Void) {
        for index in acceptors.indices { body(&acceptors[index]) }
    }

    /// Advances to `now`; `accepts` is the level of the inhibit line, `jammed` are the lines of
    /// acceptors that take no coins.
    mutating func advance(
        to now: Instant, accepts: Bool, jammed: InputLevels, _ measures: Measures,
        _ randomness: inout SplitMix64
    ) {
        guard let due = deadline, due <= now else { return }
        for index in acceptors.indices {
            guard let due = acceptors[index].deadline, due <= now else { continue }
            let line = acceptors[index].acceptor.line.index
            acceptors[index].advance(
                to: now, accepts: accepts && !jammed.contains(line), measures, &randomness)
            pulsing.set(line, acceptors[index].isPulsing)
        }
        decideDeadline()
    }

    private mutating func decideDeadline() {
        deadline = nil
        for index in acceptors.indices {
            deadline = Instant.earliest(deadline, acceptors[index].deadline)
        }
    }
}
