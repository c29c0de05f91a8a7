import StateMachines
import Stories
import Testing
import Turnstile

/// Locks whose contacts tell whether they follow, and an arm out of its rest, which keeps their
/// bolts from engaging.
@Suite struct LockFeedbackStoryTests {
    private static let equipment = Equipment.twoWays.with(.lockFeedback, .lockFeedbackExit)

    @Test(arguments: [false, true])
    func `while one way is released the lock of the other is no fault`(hasHome: Bool) {
        var story =
            hasHome
            ? Story(equipment: Self.equipment.with(.home), levels: InputLevels(.home))
            : Story(equipment: Self.equipment)
        story.press(.releaseEntry)
        story.open(.lockFeedback)
        // The arm stands where no sensor shows it yet, and has lifted the other bolt.
        story.open(.lockFeedbackExit)
        story.wait(.seconds(2))
        #expect(story.records == [.started, .released(.entry, by: .contact)])
        story.close(.lockFeedbackExit)
        story.wait(.seconds(3))
        story.close(.lockFeedback)
        #expect(story.state == .locked)
        // The next time nobody has the arm in their hand.
        story.open(.lockFeedbackExit)
        story.wait(.milliseconds(499))
        #expect(story.state == .locked)
        story.wait(.milliseconds(1))
        #expect(story.state == .outOfService(.lockNotResponding(.exit)))
    }

    @Test func `a lock has its time to engage once the home contact shows the arm at rest`() {
        var story = Story(
            Story.policy { $0.homeSettle = .seconds(60) }, equipment: Self.equipment.with(.home),
            levels: InputLevels(.home))
        story.press(.releaseEntry)
        story.open(.lockFeedback)
        story.open(.lockFeedbackExit)
        story.close(.home)
        story.wait(.seconds(20))
        #expect(story.state == .locked)
        #expect(story.records.last == .waitTimedOut(.entry))
        story.open(.home)
        story.close(.lockFeedbackExit)
        story.wait(.milliseconds(499))
        #expect(story.state == .locked)
        story.wait(.milliseconds(1))
        #expect(story.state == .outOfService(.lockNotResponding(.entry)))
    }

    @Test func `a lock that does not release is a fault, wherever the arm stands`() {
        var story = Story(equipment: Self.equipment.with(.home), levels: InputLevels(.home))
        story.press(.releaseEntry)
        story.close(.home)
        story.wait(.milliseconds(500))
        #expect(story.state == .outOfService(.lockNotResponding(.entry)))
    }
}
