/// Why a store signs what it holds, in the words that its checkpoint has for it.
public enum CheckpointOccasion: Hashable, Sendable, CustomStringConvertible {
    /// The records that can be verified begin behind it.
    case begun
    /// A day ended by the clock on the wall where the gate is: `20261122`.
    case day(Int)
    /// The coins were collected, for the time of this number.
    case collection(Int64)
    /// Somebody has counted the coins of the collection of this number.
    case counted(Int64)
    /// Some time has passed.
    case interval
    case stop
    /// Records before it could not be kept.
    case gap
    /// The key, or the gate's name, is another one from here on.
    case key

    /// The occasions that say nothing besides.
    private static let plain: [Self] = [.begun, .interval, .stop, .gap, .key]

    /// Reads the words; nil for any others.
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

    /// The number of the collection that it is about; nil for any other occasion.
    public var collection: Int64? {
        switch self {
        case .collection(let number), .counted(let number): number
        case .begun, .day, .interval, .stop, .gap, .key: nil
        }
    }
}
