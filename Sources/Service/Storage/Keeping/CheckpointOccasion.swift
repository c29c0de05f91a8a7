/// Why a store signed a checkpoint; the words are those in the checkpoint.
public enum CheckpointOccasion: Hashable, Sendable, CustomStringConvertible {
    /// The verifiable records begin after it.
    case begun
    /// A day ended, in local time: `20261122`.
    case day(Int)
    /// The coins were collected: the number of the collection.
    case collection(Int64)
    /// The coins of the collection of this number were counted.
    case counted(Int64)
    case interval
    case stop
    /// Records before it were lost.
    case gap
    /// The key, the gate's name or the branch changed.
    case key

    /// The occasions without a number.
    private static let plain: [Self] = [.begun, .interval, .stop, .gap, .key]

    /// Parses the words; nil if they are unknown.
    public init?(_ text: some StringProtocol) {
        func rest(behind words: String) -> String? {
            text.hasPrefix(words) ? String(text.dropFirst(words.count)) : nil
        }
        if let found = Self.plain.first(where: { $0.description == text }) {
            self = found
        } else if let day = rest(behind: "day ").flatMap({ Int($0.filter { $0 != "-" }) }) {
            self = .day(day)
        } else if let number = rest(behind: "collection ").flatMap({ Int64($0) }) {
            self = .collection(number)
        } else if let number = rest(behind: "count of collection ").flatMap({ Int64($0) }) {
            self = .counted(number)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .begun: "begin"
        case .day(let day):
            "day \(day / 10_000)-\(twoDigits(day / 100 % 100))-\(twoDigits(day % 100))"
        case .collection(let number): "collection \(number)"
        case .counted(let number): "count of collection \(number)"
        case .interval: "interval"
        case .stop: "stop"
        case .gap: "gap"
        case .key: "key"
        }
    }

    /// The number of the collection; nil for other occasions.
    public var collection: Int64? {
        switch self {
        case .collection(let number), .counted(let number): number
        case .begun, .day, .interval, .stop, .gap, .key: nil
        }
    }
}
