public import StateMachines
public import Turnstile

/// Which level an output's line has taken, which it is still to take, and how long it has been on.
public struct OutputDrive: StateMachine, Hashable, Sendable {
    /// The longest on-time, or nil for a device rated for continuous duty.
    let maximumOnTime: Duration?
    /// How long before the cut it is said: a quarter of the on-time, and ten seconds at most.
    private let notice: Duration
    private(set) var isEnergised = false
    /// The level that the line could not be driven to, and still is to be; nil while it could.
    private(set) var pendingLevel: Bool?
    private var limit: Instant?
    private var isWarned = false
    /// Whether a look found that the line carries another level.
    private var isAstray = false
    private var rest: Rest?

    /// When the output was de-energised, and the limit that it then had: what is energised again at
    /// the same moment has had no rest.
    private struct Rest: Hashable {
        var start: Instant
        var limit: Instant?
    }

    /// What may happen to an output.
    public enum Event: Hashable, Sendable {
        /// Its line took this level, for something that happened at the first instant. The on-time
        /// counts from the second, at which it was driven, however late the shell was: it would be
        /// cut before it had done its work.
        case took(Bool, for: Instant, at: Instant)
        case refused(Bool)
        case lookBegan
        /// Its line was read, and carries "energised" or does not; nil where it cannot be read.
        case read(Bool?)
        /// What was found was told, and the machine has done what it does about it.
        case lookEnded
        case timePassed(Instant)
    }

    /// What is to be done about it.
    public enum Command: Hashable, Sendable {
        case drive(Bool)
        case report(LineFailure)
        /// To take it for what the look has found.
        case note(LineFailure)
        case warn
        case cut
    }

    init(maximumOnTime: Duration?) {
        self.maximumOnTime = maximumOnTime
        notice = maximumOnTime.map { min($0 / 4, .seconds(10)) } ?? .zero
    }

    /// When it is to be said that the output will be cut; once that was said, when it is to be. Nil
    /// while it may stay as it is, and when the line did not take the cut, which then waits for the
    /// next look.
    public var deadline: Instant? {
        guard let limit, pendingLevel != false else { return nil }
        return isWarned ? limit : limit - notice
    }

    /// Whether it matters when exactly the line takes this level.
    @inline(__always) func isTimed(by level: Bool) -> Bool {
        level && !isEnergised && maximumOnTime != nil
    }

    /// Says what is to be done about what the line does not take.
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
        // That it could not be driven was told when it was tried.
        if pendingLevel != nil { return .handled(.note(.undrivable)) }
        guard let carried else { return .handled([.report(.unreadable), .note(.unreadable)]) }
        guard carried != isEnergised else { return .ignored("it carries what it was driven to") }
        isAstray = true
        return .handled([.report(.mismatch), .note(.mismatch)])
    }

    /// What the line does not carry it is driven to again: somebody may have repaired it, and the
    /// machine, which is done with it, does not command it twice. To what it is to carry by now:
    /// the machine may want another level since it was told.
    private mutating func driveAgain() -> Outcome<Command> {
        guard isAstray else { return .ignored("it is not astray") }
        isAstray = false
        return .handled(.drive(pendingLevel ?? isEnergised))
    }

    private mutating func pass(to now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        // One at a time: what is made of the warning may be that nothing is left to be cut.
        if isWarned { return .handled(.cut) }
        isWarned = true
        return .handled(.warn)
    }
}

extension OutputDrive: Composite {
    /// What it is called.
    public static var title: String { "output_drive" }
    /// One at rest, that may be energised for ever.
    public static var blank: OutputDrive { OutputDrive(maximumOnTime: nil) }

    /// What is known of the output.
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
