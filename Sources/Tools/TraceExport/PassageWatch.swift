import Turnstile

/// Follows passages through a gate, by its records.
struct PassageWatch {
    enum News: Equatable {
        case began(Direction)
        case ended(Passage)
    }

    /// A person's way through the gate, in the export's time.
    struct Passage: Equatable {
        /// Its beginning; its end if that is unknown.
        var began: Int64
        var ended: Int64
        var direction: Direction
        /// The outcome: the kind of the passage, or why there was none.
        var outcome: String
    }

    private(set) var current: (direction: Direction, began: Int64)?

    /// Takes a record made at this time; returns a passage that it begins or ends.
    mutating func follow(_ record: Record, at place: Int64) -> News? {
        switch record {
        case .passageStarted(let direction):
            current = (direction, place)
            return .began(direction)
        case .passageCompleted(let direction, let kind): return end(direction, kind.rawValue, place)
        case .passageBackedOut(let direction): return end(direction, "backed_out", place)
        case .passageLost(let direction, _): return end(direction, "lost", place)
        case .passageRecovered(let direction, _): return end(direction, "recovered", place)
        default: return nil
        }
    }

    /// Ends an open passage: the service started again.
    mutating func forget(at place: Int64) -> News? {
        current.map { end($0.direction, "unknown", place) }
    }

    private mutating func end(_ direction: Direction, _ outcome: String, _ place: Int64) -> News {
        defer { current = nil }
        let passage = Passage(
            began: current?.began ?? place, ended: place, direction: direction, outcome: outcome)
        return .ended(passage)
    }
}
