public import StateMachines
public import Turnstile

/// The level of an output's line, a level still to be driven, and the limit of its on-time.
public struct OutputDrive: TimedMachine, Hashable, Sendable {
    /// The longest on-time, or nil for a device rated for continuous duty.
    let maximumOnTime: Duration?
    /// How long before the cut to warn: a quarter of the on-time, and ten seconds at most.
    private let notice: Duration
    private(set) var isEnergised = false
    /// A level that the line refused, and that is still to be driven; nil for none.
    private(set) var pendingLevel: Bool?
    private var limit: Instant?
    private var isWarned = false
    /// Whether the check found another level on the line.
    private var isAstray = false
    private var rest: Rest?

    /// The last de-energising, and the limit until then. An output energised again at the same
    /// moment has had no rest, and keeps the limit.
    private struct Rest: Hashable {
        var start: Instant
        var limit: Instant?
    }

    /// `lookBegan` to `lookEnded` are one check.
    public enum Event: Hashable, Sendable {
        /// The line took the level, for an event at the first instant. The on-time counts from the
        /// second, at which it was driven, so that a late shell does not shorten it.
        case took(Bool, for: Instant, at: Instant)
        case refused(Bool)
        case lookBegan
        /// Whether the line carries "energised"; nil if it cannot be read.
        case read(Bool?)
        /// The machine has handled what was found.
        case lookEnded
        case timePassed(Instant)
    }

    public enum Command: Hashable, Sendable {
        case drive(Bool)
        case report(LineFailure)
        /// A finding of the check.
        case note(LineFailure)
        case warn
        case cut
    }

    init(maximumOnTime: Duration?) {
        self.maximumOnTime = maximumOnTime
        notice = maximumOnTime.map { min($0 / 4, .seconds(10)) } ?? .zero
    }

    /// When to warn of the cut; after the warning, when to cut. Nil without a limit, and after the
    /// line refused the cut, which the next check repeats.
    public var deadline: Instant? {
        guard let limit, pendingLevel != false else { return nil }
        return isWarned ? limit : limit - notice
    }

    /// Whether the on-time begins when the line takes this level.
    @inline(__always) func isTimed(by level: Bool) -> Bool {
        level && !isEnergised && maximumOnTime != nil
    }

    @inline(__always) public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .took(let level, for: let time, at: let now):
            take(level, for: time, at: now)
            return .handled
        case .refused(let level):
            pendingLevel = level
            return .handled
        case .lookBegan:
            guard let pendingLevel else { return .ignored("no level is pending") }
            return .handled(.drive(pendingLevel))
        case .read(let carried): return judge(carried)
        case .lookEnded: return driveAgain()
        case .timePassed(let now): return pass(to: now)
        }
    }

    @inline(__always)
    private mutating func take(_ level: Bool, for time: Instant, at now: Instant) {
        pendingLevel = nil
        if level && !isEnergised {
            if let rest, rest.start == time {
                limit = rest.limit
            } else {
                limit = maximumOnTime.map { now + $0 }
                isWarned = false
            }
        } else if isEnergised && !level {
            rest = Rest(start: time, limit: limit)
            limit = nil
        }
        isEnergised = level
    }

    private mutating func judge(_ carried: Bool?) -> Outcome<Command> {
        // The failure was reported when the level was refused.
        if pendingLevel != nil { return .handled(.note(.undrivable)) }
        guard let carried else { return .handled([.report(.unreadable), .note(.unreadable)]) }
        guard carried != isEnergised else { return .ignored("it carries what it was driven to") }
        isAstray = true
        return .handled([.report(.mismatch), .note(.mismatch)])
    }

    /// Drives the line again: it may have been repaired, and the machine does not command a level
    /// twice. If the machine commanded another level since, that one.
    private mutating func driveAgain() -> Outcome<Command> {
        guard isAstray else { return .ignored("it is not astray") }
        isAstray = false
        return .handled(.drive(pendingLevel ?? isEnergised))
    }

    private mutating func pass(to now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        // One at a time: the reaction to the warning may make the cut needless.
        if isWarned { return .handled(.cut) }
        isWarned = true
        return .handled(.warn)
    }
}

extension OutputDrive: Composite {
    public static var title: String { "output_drive" }
    public static var blank: OutputDrive { OutputDrive(maximumOnTime: nil) }

    public func visit(_ fields: inout some FieldVisitor) -> OutputDrive {
        var drive = OutputDrive(
            maximumOnTime: fields.exactDuration(.maximumOnTime, maximumOnTime))
        drive.isEnergised = fields.field(.isEnergised, isEnergised)
        drive.pendingLevel = fields.optional(.pendingLevel, pendingLevel)
        drive.limit = fields.optional(.limit, limit)
        drive.isWarned = fields.field(.isWarned, isWarned)
        drive.isAstray = fields.field(.isAstray, isAstray)
        let start = fields.optional(.restStart, rest?.start)
        let limit = fields.optional(.restLimit, rest?.limit)
        if start == nil && limit != nil { fields.reject(.restLimit) }
        drive.rest = start.map { Rest(start: $0, limit: limit) }
        return drive
    }
}
