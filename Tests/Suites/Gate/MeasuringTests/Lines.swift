import Measuring
import Seeds
import StateMachines

/// A line that somebody moves, and that bounces.
struct BouncingLine {
    private(set) var trace: LineTrace
    var now = Instant.zero
    private let bounces: [Int]

    /// A line that is inactive; each change bounces with levels of these milliseconds first.
    init(isActive: Bool = false, bounces: [Int] = []) {
        trace = LineTrace(wasActive: isActive)
        self.bounces = bounces
    }

    /// Changes to this level now. What bounces takes its time.
    mutating func change(to isActive: Bool) {
        var time = now
        var level = isActive
        trace.take(.init(level, at: time))
        for bounce in bounces + (bounces.count % 2 == 0 ? [] : [1]) {
            time = time + .milliseconds(bounce)
            level.toggle()
            trace.take(.init(level, at: time))
        }
    }

    mutating func wait(_ milliseconds: Int) { now = now + .milliseconds(milliseconds) }

    /// A pulse that is so wide, and the gap after it.
    mutating func pulse(_ width: Int, gap: Int) {
        change(to: true)
        wait(width)
        change(to: false)
        wait(gap)
    }
}
