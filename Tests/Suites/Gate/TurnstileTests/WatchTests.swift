import Exploration
import StateMachines
import Testing

@testable import Turnstile

/// Timelines of what must last before it counts, with 100 ms a mark.
@Suite struct WatchTests {
    private static let tick = Duration.milliseconds(100)

    private static let policy = {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.beamBlocked = .seconds(3)
        policy.homeSettle = .milliseconds(500)
        policy.lockResponse = .milliseconds(300)
        return policy
    }()

    // MARK: Beams

    /// `#` broken, `.` free.
    private static func watch(beams marks: String) -> [String] {
        var clockwork = Clockwork(BeamWatch(policy: policy))
        clockwork.play(marks, tick: tick) { clockwork, mark in
            clockwork.send { .changed(isBroken: mark == "#", at: $0) }
        }
        return clockwork.said
    }

    @Test(
        arguments: [
            // People.
            ("..###...#####..####", []),
            // Less than the time, and more.
            (String(repeating: "#", count: 29) + ".", []),
            (String(repeating: "#", count: 31) + ".", ["3000 reportBlocked", "3100 reportFree"]),
            // What moves on and comes back has not stood there.
            (String(repeating: "#", count: 29) + "." + String(repeating: "#", count: 29), []),
        ] as [(String, [String])])
    func `a beam is blocked by what stands in it`(marks: String, said: [String]) {
        #expect(Self.watch(beams: marks) == said)
    }

    @Test func `beams that stay blocked are reported once`() {
        #expect(Self.watch(beams: String(repeating: "#", count: 100)) == ["3000 reportBlocked"])
    }

    // MARK: The arm

    /// `.` all at rest, `t` all tell of a turn, `a` the arm away alone, `s` a sensor alone, `_` not
    /// judged.
    private static func watch(arm marks: String) -> [String] {
        var clockwork = Clockwork(ArmWatch(policy: policy))
        clockwork.play(marks, tick: tick) { clockwork, mark in
            clockwork.send { now in
                if mark == "_" { return .suspended }
                let isHome = mark == "." || mark == "s"
                return .changed(isHome: isHome, sensorsAtRest: mark == "." || mark == "a", at: now)
            }
        }
        return clockwork.said
    }

    @Test(
        arguments: [
            // A passage: arm and sensors move one after the other.
            ("..aattttttttttttaa....sstttttss..", []),
            // An arm that hangs, and one that comes home late.
            (".aaaa.", []),
            (".aaaaaaa.", ["600 reportAway", "800 reportAwayOver"]),
            (".aaaaaaat", ["600 reportAway", "800 reportAwayOver"]),
            // A sensor that sticks.
            (".ssss.", []),
            (".sssssss.", ["600 reportStuck", "800 reportStuckOver"]),
            // From one to the other at once: the wait of each is its own.
            (".aaassssaaa.", []),
            (
                ".aaaaaassssss.",
                [
                    "600 reportAway", "700 reportAwayOver", "1200 reportStuck",
                    "1300 reportStuckOver",
                ]
            ),
            // A dropped arm is not judged, and no wait is left over from before.
            (".aaaa____aaaa.", []),
            (".aaaaaa__", ["600 reportAway", "700 reportAwayOver"]),
            (".ssssss__", ["600 reportStuck", "700 reportStuckOver"]),
        ] as [(String, [String])])
    func `the arm and the sensors tell of the same thing`(marks: String, said: [String]) {
        #expect(Self.watch(arm: marks) == said)
    }

    // MARK: The lock

    /// One mark per moment: the lock is commanded to (`R` release, `E` engage) and follows, or is
    /// commanded to (`r`, `e`) and does not; `x` as `e`, and `z` as `r`, while the arm is out of
    /// its rest.
    private static func watch(lock marks: String) -> [String] {
        var clockwork = Clockwork(LockWatch(.entry, policy: policy))
        clockwork.play(marks, tick: tick) { clockwork, mark in
            let isCommanded = "Rrz".contains(mark)
            let follows = mark == "R" || mark == "E"
            clockwork.send {
                .changed(
                    isCommanded: isCommanded, isReleased: isCommanded == follows,
                    canEngage: mark != "x" && mark != "z", at: $0)
            }
        }
        return clockwork.said.map { $0.replacing("(Turnstile.Direction.entry)", with: "") }
    }

    @Test(
        arguments: [
            ("EErrRRRReeEEE", []),
            // It does not release, then does.
            ("ErrrrRR", ["400 reportNotResponding", "500 reportFollowing"]),
            // It does not engage.
            ("EERReeeeE", ["700 reportNotResponding", "800 reportFollowing"]),
            // Out of its rest the arm keeps it from engaging; it has its time once that is over.
            ("RRxxxxxxxxEE", []),
            ("RRxxxxxeeE", []),
            ("RRxxxxxeeeeE", ["1000 reportNotResponding", "1100 reportFollowing"]),
            // It releases by itself.
            ("EEeeeee", ["500 reportNotResponding"]),
            // It fails to release: the arm makes no difference.
            ("Ezzzzzrr", ["400 reportNotResponding"]),
        ] as [(String, [String])])
    func `a lock follows what it is commanded to`(marks: String, said: [String]) {
        #expect(Self.watch(lock: marks) == said)
    }

    // MARK: All of them

    @Test func `what is unchanged is ignored`() {
        var beams = Clockwork(BeamWatch(policy: Self.policy))
        #expect(
            beams.send { .changed(isBroken: false, at: $0) } == .ignored("it does not show"))
        beams.send { .changed(isBroken: true, at: $0) }
        let before = beams.machine
        beams.wait(.seconds(1))
        #expect(beams.send { .changed(isBroken: true, at: $0) } == .ignored("it shows already"))
        #expect(beams.machine == before)
        #expect(beams.send { .timePassed($0) } == .ignored("nothing is due"))
    }

    @Test func `a new policy counts from the next time on`() {
        var beams = Clockwork(BeamWatch(policy: Self.policy))
        beams.send { .changed(isBroken: true, at: $0) }
        var policy = Self.policy
        policy.beamBlocked = .seconds(10)
        beams.machine.adopt(policy)
        beams.wait(.seconds(4))
        beams.send { .changed(isBroken: false, at: $0) }
        beams.send { .changed(isBroken: true, at: $0) }
        beams.wait(.seconds(10))
        #expect(beams.said == ["3000 reportBlocked", "4000 reportFree", "14000 reportBlocked"])
    }

    @Test func `states that behave alike are equal`() {
        let levels = [false, true]
        let beams = StateGraph(from: RelativeTime(BeamWatch(policy: Self.policy))) {
            $0.events(levels.map { .changed(isBroken: $0, at: .zero) }, tick: Self.tick)
        }
        #expect(beams.states.count == 32)
        #expect(beams.twins { $0.machine.deadline } == nil)

        let changes = levels.flatMap { isHome in
            levels.map { ArmWatch.Event.changed(isHome: isHome, sensorsAtRest: $0, at: .zero) }
        }
        let arm = StateGraph(from: RelativeTime(ArmWatch(policy: Self.policy))) {
            $0.events([.suspended] + changes, tick: Self.tick)
        }
        #expect(arm.states.count == 13)
        #expect(arm.twins { $0.machine.deadline } == nil)
    }
}
