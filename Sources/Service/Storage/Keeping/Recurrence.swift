public import StateMachines
public import Turnstile

/// How often something has happened lately, and when last: for growing pauses.
///
/// It outlives the process as a line of text, but not the boot, whose clock it uses.
public struct Recurrence: Hashable, Sendable {
    /// How often, from 1.
    public var count: Int
    public var last: Instant

    /// The largest count in a valid text: nothing happens so often in one boot.
    private static let most = 1_000_000_000

    public init(count: Int, last: Instant) {
        self.count = count
        self.last = last
    }

    /// A pause that doubles each time, from `first` to `longest`.
    public func pause(from first: Duration, to longest: Duration) -> Duration {
        guard count <= 32 else { return longest }
        return min(longest, first * (1 << (count - 1)))
    }

    /// The count, and the moment in nanoseconds.
    public var text: String { "\(count) \(last.nanoseconds)\n" }

    /// Parses ``text``; nil if it is invalid.
    public init?(text: String) {
        let words = text.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let count = Int(words[0]), (1...Self.most).contains(count),
            let nanoseconds = Int64(words[1]), nanoseconds >= 0
        else { return nil }
        self.init(count: count, last: Instant(nanoseconds: nanoseconds))
    }
}

extension Recurrence: Composite {
    public static var title: String { "recurrence" }
    public static var blank: Recurrence { Recurrence(count: 1, last: .zero) }

    public func visit(_ fields: inout some FieldVisitor) -> Recurrence {
        let count = fields.count(.count, count, in: 1...Int64(Self.most))
        return Recurrence(count: count, last: fields.instant(.last, last))
    }
}
