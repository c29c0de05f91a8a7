import StateMachines
import Testing
import Turnstile

/// Timelines of a contact: `#` is 1 ms active, `.` is 1 ms inactive.
@Suite struct DebouncerTests {
    /// What a contact that is debounced for 5 ms shows, in the same marks.
    private func play(
        _ timeline: String, for duration: Duration, rest: Duration? = nil
    ) -> String {
        var debouncer = Debouncer(duration: duration, rest: rest)
        var raw = false
        var shown = ""
        for (index, mark) in timeline.enumerated() {
            let now = Instant.zero + .milliseconds(index)
            if let due = debouncer.deadline, due <= now {
                let outcome = debouncer.handle(.timePassed(now))
                #expect(outcome == .handled(.settle(isActive: debouncer.isActive, at: due)))
            }
            if (mark == "#") != raw {
                raw.toggle()
                _ = debouncer.handle(.changed(isActive: raw, at: now))
            }
            shown += debouncer.isActive ? "#" : "."
        }
        return shown
    }

    @Test(arguments: [
        ("..##########....................", ".......##########..............."),
        // Bounces on the way up and down.
        ("..#.#.##########.#.#............", "...........##############......."),
        // Too short to count.
        ("..####..........................", "................................"),
        ("..#####.........................", ".......#####...................."),
    ])
    func `lets a level through that lasts`(timeline: String, shown: String) {
        #expect(play(timeline, for: .milliseconds(5)) == shown)
    }

    @Test(arguments: [
        // It is active for 5 ms in all.
        ("..#.##..#.##########..", "...........###########"),
        // It was at rest.
        ("..####........####....", "......................"),
        // Nor is it over before it was inactive for as long without a break.
        ("#####.#.#.#.#.........", ".....################."),
    ])
    func `what chatters is active for as long as it was in all`(timeline: String, shown: String) {
        let seen = play(timeline, for: .milliseconds(5), rest: .milliseconds(8))
        #expect(seen.prefix(22) == shown.prefix(22))
    }

    @Test func `lets every edge through when nothing is to be debounced`() {
        let timeline = "..#.#.####.."
        #expect(play(timeline, for: .zero) == timeline)
    }

    @Test func `ignores what it is asked too early`() {
        var debouncer = Debouncer(duration: .milliseconds(5))
        #expect(debouncer.handle(.timePassed(.zero)) == .ignored("nothing is due"))
        _ = debouncer.handle(.changed(isActive: true, at: .zero))
        let early = Instant.zero + .milliseconds(4)
        #expect(debouncer.handle(.timePassed(early)) == .ignored("nothing is due"))
    }
}
