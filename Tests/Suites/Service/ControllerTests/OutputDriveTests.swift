import Exploration
import StateMachines
import Testing
import Turnstile

@testable import Controller

/// One output by itself: what its line takes, and for how long it is energised.
@Suite struct OutputDriveTests {
    private typealias Event = OutputDrive.Event
    private typealias Command = OutputDrive.Command

    /// The line takes a level at once.
    private static func took(_ level: Bool, _ seconds: Double) -> Event {
        .took(level, for: .second(seconds), at: .second(seconds))
    }

    private static func passed(_ seconds: Double) -> Event { .timePassed(.second(seconds)) }

    /// What happened to an output that may be on for ten seconds, what happens next, what it
    /// answers, and when it is next due, in seconds.
    struct Row {
        var before: [OutputDrive.Event]
        var event: OutputDrive.Event
        var said: [OutputDrive.Command]?
        var due: Double?

        init(
            _ before: [OutputDrive.Event], _ event: OutputDrive.Event,
            _ said: [OutputDrive.Command]?, due: Double? = nil
        ) {
            (self.before, self.event, self.said, self.due) = (before, event, said, due)
        }
    }

    static let onTime = [
        Row([], took(true, 0), [], due: 7.5),
        Row([took(true, 0)], passed(7), nil, due: 7.5),
        Row([took(true, 0)], passed(7.5), [.warn], due: 10),
        Row([took(true, 0), passed(7.5)], passed(9), nil, due: 10),
        Row([took(true, 0), passed(7.5)], passed(10), [.cut], due: 10),
        Row([took(true, 0)], took(false, 4), []),
        Row([], passed(100), nil),
        // Whoever is late warns first, and may find then that nothing is to be cut.
        Row([took(true, 0)], passed(12), [.warn], due: 10),
        Row([took(true, 0), passed(12)], passed(12), [.cut], due: 10),
        Row([took(true, 0), passed(12), took(false, 12)], passed(12), nil),
        // Energised once more, without a rest and with one.
        Row([took(true, 0)], took(true, 4), [], due: 7.5),
        Row([took(true, 0), took(false, 4)], took(true, 4), [], due: 7.5),
        Row([took(true, 0), passed(8), took(false, 8)], took(true, 8), [], due: 10),
        Row([took(true, 0), passed(8), took(false, 8)], took(true, 9), [], due: 16.5),
        // It counts from when it was driven.
        Row([], .took(true, for: .second(0), at: .second(3)), [], due: 10.5),
        // A cut that the line does not take waits for the next look.
        Row([took(true, 0)], .refused(false), []),
        Row([took(true, 0), .refused(false)], passed(20), nil),
        Row([took(true, 0), .refused(false), took(false, 20)], passed(20), nil),
        Row([], .refused(true), []),
    ]

    static let looks = [
        Row([], .lookBegan, nil),
        Row([], .read(false), nil),
        Row([took(true, 0)], .read(true), nil, due: 7.5),
        Row(
            [took(true, 0)], .read(false),
            [.report(.mismatch), .note(.mismatch)],
            due: 7.5),
        Row([], .read(true), [.report(.mismatch), .note(.mismatch)]),
        Row([], .read(nil), [.report(.unreadable), .note(.unreadable)]),
        // It is driven to what it is to carry once the machine was told.
        Row([], .lookEnded, nil),
        Row([took(true, 0), .read(false)], .lookEnded, [.drive(true)], due: 7.5),
        Row([took(true, 0), .read(false), took(false, 0)], .lookEnded, [.drive(false)]),
        Row([took(true, 0), .read(false), .refused(false)], .lookEnded, [.drive(false)]),
        Row([took(true, 0), .read(false), .lookEnded], .lookEnded, nil, due: 7.5),
        Row([.refused(true)], .lookBegan, [.drive(true)]),
        Row([took(true, 0), .refused(false)], .lookBegan, [.drive(false)]),
        // That it cannot be driven was told when it was tried.
        Row([.refused(true)], .read(false), [.note(.undrivable)]),
        Row([.refused(true)], .read(nil), [.note(.undrivable)]),
        Row([.refused(true), took(true, 0)], .lookBegan, nil, due: 7.5),
    ]

    @Test(arguments: onTime + looks) func `is warned of, cut and put right`(row: Row) {
        var drive = OutputDrive(maximumOnTime: .seconds(10)).after(row.before)
        let before = drive
        #expect(drive.answers(to: [row.event]) == [row.said])
        #expect(drive.deadline == row.due.map { .second($0) })
        if row.said == nil { #expect(drive == before) }
    }

    @Test(arguments: [(8, 6), (30, 22.5), (60, 50), (300, 290)])
    func `it is said in time that an output will be cut`(maximum: Double, warned: Double) {
        let drive = OutputDrive(maximumOnTime: .seconds(maximum)).after([Self.took(true, 0)])
        #expect(drive.deadline == .second(warned))
    }

    @Test func `a device for continuous duty is never cut, and nobody asks for the time`() {
        var drive = OutputDrive(maximumOnTime: nil)
        #expect(!drive.isTimed(by: true))
        #expect(drive.answers(to: [Self.took(true, 0), Self.passed(1_000_000)]) == [[], nil])
        #expect(drive.deadline == nil)
    }

    @Test func `the time is asked for where an on-time begins, and nowhere else`() {
        let off = OutputDrive(maximumOnTime: .seconds(10))
        let on = off.after([Self.took(true, 0)])
        #expect(off.isTimed(by: true) && !off.isTimed(by: false))
        #expect(!on.isTimed(by: true) && !on.isTimed(by: false))
    }

    @Test func `no line that works is energised for too long, and a look puts right what is not`() {
        let graph = StateGraph(from: World()) { world in
            World.Event.allCases.filter { $0 != .tick || world.ticks < 8 }
        }
        #expect(graph.isComplete)
        #expect(graph.states.count > 1_000)
        #expect(
            graph.violation {
                !$0.carries || $0.onFor <= 3 || $0.drive.pendingLevel == false
            } == nil,
            "longer than its maximum, though nothing kept it from being cut")
        #expect(
            graph.violation { ($0.drive.pendingLevel ?? $0.drive.isEnergised) == $0.wanted } == nil,
            "another level than was asked for last")
        #expect(
            graph.violation(ofStep: { step in
                step.event != .look || step.after.isBroken
                    || step.after.drive.pendingLevel == nil
                        && step.after.carries == step.after.drive.isEnergised
            }) == nil)
    }
}

/// An output that may be energised for three ticks, on a line that may break.
private struct World: StateMachine, Hashable {
    enum Event: CaseIterable {
        case switchOn, switchOff, flicker, tick, breakDown, repair, losePower, look
    }

    private(set) var drive = OutputDrive(maximumOnTime: .seconds(3))
    private(set) var ticks = 0
    /// Whether the line takes no level.
    private(set) var isBroken = false
    private(set) var carries = false
    /// What was asked for last.
    private(set) var wanted = false
    /// For how many ticks the line has been energised without a rest.
    private(set) var onFor = 0

    private var now: Instant { .second(Double(ticks)) }

    mutating func handle(_ event: Event) -> Outcome<Never> {
        switch event {
        case .switchOn: ask(true)
        case .switchOff: ask(false)
        case .flicker:
            ask(false)
            ask(true)
        case .tick:
            ticks += 1
            onFor = carries ? onFor + 1 : 0
        case .breakDown: isBroken = true
        case .repair: isBroken = false
        case .losePower: carries = false
        case .look:
            tell(.lookBegan)
            tell(.read(carries))
            tell(.lookEnded)
        }
        while let due = drive.deadline, due <= now { tell(.timePassed(now)) }
        return .handled
    }

    private mutating func ask(_ level: Bool) {
        wanted = level
        set(level)
    }

    private mutating func set(_ level: Bool) {
        guard !isBroken else { return tell(.refused(level)) }
        carries = level
        tell(.took(level, for: now, at: now))
    }

    private mutating func tell(_ event: OutputDrive.Event) {
        for command in drive.handle(event).commands {
            switch command {
            case .drive(let level): set(level)
            case .cut: ask(false)
            // The machine does without an output that fails.
            case .report: ask(false)
            case .note, .warn: break
            }
        }
    }
}
