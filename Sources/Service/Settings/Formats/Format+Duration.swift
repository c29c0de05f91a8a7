private enum DurationUnit: String, QuantityUnit {
    case milliseconds = "ms"
    case seconds = "s"
    case minutes = "min"
    case hours = "h"
    case days = "d"

    static var quantity: String { "a duration" }
    static var examples: String { "250ms, 5s, 1min, 1h or 30d" }
    static var likelyFirst: [DurationUnit] { [.seconds, .milliseconds, .minutes, .hours, .days] }

    var size: Int64 {
        switch self {
        case .milliseconds: 1
        case .seconds: 1000
        case .minutes: 60_000
        case .hours: 3_600_000
        case .days: 86_400_000
        }
    }

    init?(misspelt name: String) {
        switch name.lowercased() {
        case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds": self = .milliseconds
        case "s", "sec", "secs", "second", "seconds": self = .seconds
        case "m", "min", "mins", "minute", "minutes": self = .minutes
        case "h", "hr", "hrs", "hour", "hours": self = .hours
        case "d", "day", "days": self = .days
        default: return nil
        }
    }
}

extension Duration {
    /// In the form of the configuration, in the largest unit with a whole number: `250ms`, `5s`,
    /// `1min`.
    public var written: String { DurationUnit.written(wholeMilliseconds) }

    var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Duration {
    /// Parses the form of the configuration: `250ms`, `5s`, `1min`, `1h`, `30d`. Throws what
    /// `failure` makes of a mistake, which comes without a place.
    public init<Failure: Error>(
        written text: String, in range: ClosedRange<Duration>, failure: (String) -> Failure
    ) throws(Failure) {
        let allowed = "\(range.lowerBound.written) to \(range.upperBound.written)"
        do throws(Mistake) {
            self = try Format.read(text, range: range, allowed: allowed)
        } catch {
            throw failure(error.message)
        }
        guard range.contains(self) else {
            throw failure("'\(text)' is out of range: allowed is \(allowed)")
        }
    }
}

extension Format where Value == Duration {
    /// A whole number and a unit without a space, `250ms`, `5s`, `1min`, `1h`, `30d`; zero for
    /// none, if that is allowed.
    static func duration(_ range: ClosedRange<Duration>, orNever: Bool = false) -> Format {
        let allowed =
            "\(range.lowerBound.written) to \(range.upperBound.written)"
            + (orNever ? ", or 0s for never" : "")
        let below = range.lowerBound.wholeMilliseconds - 1
        let above = range.upperBound.wholeMilliseconds + 1
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: [range.lowerBound.written, range.upperBound.written]
                    + (orNever ? ["0s", "0ms"] : []),
                refused: ["\(below)ms", "\(above)ms", "10", "0", "1.5s", "5parsecs", "s"]),
            read: { scalar throws(Mistake) in
                let duration = try read(scalar.text, range: range, allowed: allowed)
                guard range.contains(duration) || orNever && duration == .zero else {
                    throw .outOfRange(scalar.text, allowed)
                }
                return duration
            },
            write: { $0.written })
    }

    /// The range only serves to suggest a missing unit.
    fileprivate static func read(
        _ text: String, range: ClosedRange<Duration>, allowed: String
    ) throws(Mistake) -> Duration {
        let (first, last) = (range.lowerBound.wholeMilliseconds, range.upperBound.wholeMilliseconds)
        return .milliseconds(try DurationUnit.read(text, range: first...last, allowed: allowed))
    }
}
