/// Who may pass, per direction, and the enforcement against others.
public struct Regime: PerDirection, Hashable, Sendable {
    /// The way in.
    public var entry = Mode.controlled
    /// The way out.
    public var exit = Mode.controlled
    /// How alarms about passages are raised.
    public var enforcement = Enforcement.strong

    /// Both ways controlled, and strong enforcement, where nothing else is said.
    public init(
        entry: Mode = .controlled, exit: Mode = .controlled, enforcement: Enforcement = .strong
    ) {
        self.entry = entry
        self.exit = exit
        self.enforcement = enforcement
    }
}

/// Who may pass in a direction.
public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// Nobody.
    case locked
    /// Authorised passengers.
    case controlled
    /// Everybody.
    case free
}

/// How alarms about passages are raised.
public enum Enforcement: String, CaseIterable, Hashable, Sendable {
    /// They are recorded, and the buzzer reminds people.
    case weak
    /// The siren sounds.
    case strong
}

/// A time of the week, as the clock on the wall shows it.
public struct WeekTime: Hashable, Sendable {
    /// Seconds since Monday, 0:00: 0–604 799.
    public let second: Int

    /// The length of a week, in seconds.
    public static let weekLength = 7 * 86_400

    /// The time so many seconds after Monday, 0:00; any number counts, the weeks are left out.
    public init(second: Int) {
        let rest = second % Self.weekLength
        self.second = rest < 0 ? rest + Self.weekLength : rest
    }

    /// The time on `day`, so many minutes after midnight.
    public init(_ day: Weekday, minute: Int) {
        self.init(second: day.rawValue * 86_400 + minute * 60)
    }

    /// The difference of two beginnings of a week, of any weeks: in seconds, half a week at most
    /// either way.
    static func difference(of beginnings: Duration) -> Int {
        let rest = Int(beginnings.components.seconds % Int64(weekLength))
        return abs(rest) * 2 > weekLength ? rest - rest.signum() * weekLength : rest
    }

    /// The seconds from `earlier` to this time, round the end of the week where need be.
    public func seconds(since earlier: WeekTime) -> Int {
        WeekTime(second: second - earlier.second).second
    }
}

/// A time of day, as the clock on the wall shows it.
public struct TimeOfDay: Hashable, Sendable {
    /// The minutes since midnight: 0–1439.
    public let minute: Int

    /// The time so many minutes after midnight; nil where no clock shows it.
    public init?(minute: Int) {
        guard (0..<1440).contains(minute) else { return nil }
        self.minute = minute
    }
}

/// A day of the week.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    /// The first one, 0.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

/// Some days of the week.
public struct Weekdays: OptionSet, Hashable, Sendable {
    /// One bit per day, from Monday.
    public let rawValue: UInt8

    /// The days with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// These days.
    public init(_ days: some Sequence<Weekday>) {
        self = days.reduce(into: []) { $0.insert(Weekdays(rawValue: 1 << UInt8($1.rawValue))) }
    }

    /// Every day.
    public static let all = Weekdays(Weekday.allCases)

    /// Whether `day` is one of them.
    public func contains(_ day: Weekday) -> Bool { rawValue & 1 << UInt8(day.rawValue) != 0 }
}

/// The modes for a part of the week.
public struct ScheduleEntry: PerDirection, Hashable, Sendable {
    /// The days on which it begins.
    public var days: Weekdays
    /// When it begins, in minutes after midnight: 0–1439.
    public var from: Int
    /// When it ends, in minutes after midnight: 1–1440; on the next day when it is not after
    /// ``from``.
    public var to: Int
    /// The mode of the way in meanwhile, or nil to leave it.
    public var entry: Mode?
    /// The mode of the way out meanwhile, or nil to leave it.
    public var exit: Mode?
    /// The enforcement meanwhile, or nil to leave it.
    public var enforcement: Enforcement?

    /// An entry that changes nothing yet.
    public init(days: Weekdays, from: Int, to: Int) {
        self.days = days
        self.from = from
        self.to = to
    }

    /// How long it lasts each time, in seconds.
    private var length: Int { (to > from ? to - from : to - from + 1440) * 60 }

    /// Whether it applies at `time`.
    public func applies(at time: WeekTime) -> Bool {
        Weekday.allCases.contains { day in
            days.contains(day) && time.seconds(since: WeekTime(day, minute: from)) < length
        }
    }

    /// The seconds from `time` to its next beginning or end: 1 or more; nil for no days.
    func secondsToNextChange(after time: WeekTime) -> Int? {
        var next: Int?
        for day in Weekday.allCases where days.contains(day) {
            let start = WeekTime(day, minute: from)
            for moment in [start, WeekTime(second: start.second + length)] {
                let distance = moment.seconds(since: time)
                let seconds = distance == 0 ? WeekTime.weekLength : distance
                next = min(next ?? seconds, seconds)
            }
        }
        return next
    }
}

extension [ScheduleEntry] {
    /// Who may pass at `time`, where `base` applies when no entry says otherwise.
    func regime(at time: WeekTime, base: Regime) -> Regime {
        reduce(into: base) { regime, entry in
            guard entry.applies(at: time) else { return }
            regime.entry = entry.entry ?? regime.entry
            regime.exit = entry.exit ?? regime.exit
            regime.enforcement = entry.enforcement ?? regime.enforcement
        }
    }

    /// The seconds from `time` to the next beginning or end of an entry: 1 or more; nil without
    /// any.
    func secondsToNextChange(after time: WeekTime) -> Int? {
        compactMap { $0.secondsToNextChange(after: time) }.min()
    }
}

extension Policy {
    /// Who may pass at `time`, by the schedule.
    public func regime(at time: WeekTime) -> Regime {
        schedule.regime(at: time, base: regime)
    }

    /// The seconds from `time` to when the schedule may next say something else: 1 or more; nil
    /// when it never does.
    public func secondsToNextChange(after time: WeekTime) -> Int? {
        schedule.secondsToNextChange(after: time)
    }
}
