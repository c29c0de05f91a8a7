import Hardware
import Keeping
import StateMachines
import Testing
import Turnstile

@testable import Daemon

/// What is done about lines that cannot be had, and about a service that keeps ending.
@Suite struct LineRetryTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)

    /// When the lines are asked for again, in milliseconds from the first time, and how it ends.
    private func attempts(
        _ kind: HardwareError.Kind, hadLines: Bool = false
    ) -> (at: [Int], exitCode: CInt) {
        var retry = LineRetry(start: Self.start, hadLines: hadLines)
        var now = Self.start
        var times: [Int] = []
        while true {
            switch retry.answer(to: kind, at: now) {
            case .giveUp(let exitCode): return (times, exitCode)
            case .tryAgain(let retryInterval):
                now = now + retryInterval
                times.append(Int((now - Self.start) / .milliseconds(1)))
            }
        }
    }

    @Test func `what does not exist is a person's matter at once`() {
        #expect(attempts(.misconfigured) == ([], 78))
    }

    @Test func `what fails at once is for the next start`() {
        #expect(attempts(.failed) == ([], 69))
    }

    @Test func `a chip that was never there is waited for, then it is a person's matter`() {
        let (times, exitCode) = attempts(.missing)
        #expect(times == Array(stride(from: 250, through: 10_000, by: 250)))
        #expect(exitCode == 78)
    }

    @Test(arguments: [HardwareError.Kind.notReady, .busy, .missing])
    func `what may come back is tried more and more rarely, then by the next start`(
        kind: HardwareError.Kind
    ) {
        let (times, exitCode) = attempts(kind, hadLines: true)
        #expect(times.prefix(40) == Array(stride(from: 250, through: 10_000, by: 250))[...])
        #expect(
            times.dropFirst(40) == [10_500, 11_500, 13_500, 17_500, 21_500, 25_500, 29_500, 33_500])
        #expect(exitCode == 69)
    }

    // MARK: A service that keeps ending

    /// How long each of `count` starts waits, where every life lasts this long.
    private func pauses(_ count: Int, life: Duration, _ state: RetainedState? = nil) -> [Duration] {
        var now = Self.start
        var before: Recurrence?
        return (0..<count).map { _ in
            let pause = StartPause(after: before, at: now)
            before = Recurrence(text: pause.starts.text)
            let duration = pause.duration(state)
            now = now + duration + life
            return duration
        }
    }

    @Test func `the first starts are made at once, later ones more and more rarely`() {
        let pauses = pauses(14, life: .milliseconds(200))
        #expect(pauses.prefix(5).allSatisfy { $0 == .zero })
        let later = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]
        #expect(Array(pauses.dropFirst(5)) == later.map { Duration.milliseconds($0) })
    }

    @Test func `whoever ran for a while starts at once`() {
        #expect(pauses(20, life: .seconds(11)).allSatisfy { $0 == .zero })
    }

    @Test func `in an emergency, and with somebody in the gate, nobody waits`() throws {
        for field in [("emergency", "on"), ("passage", "entry paid 250")] {
            let state = try RetainedState(lines: [field])
            #expect(pauses(20, life: .zero, state).allSatisfy { $0 == .zero })
        }
        #expect(pauses(20, life: .zero, RetainedState()).last == .seconds(8))
    }
}
