import Keeping
import StateMachines
import Testing

@Suite struct RecurrenceTests {
    @Test func `a pause doubles up to the longest`() {
        func pause(_ count: Int) -> Duration {
            Recurrence(count: count, last: .zero).pause(from: .seconds(10), to: .seconds(60))
        }
        #expect(
            [1, 2, 3, 4, 100, Int.max].map(pause) == [10, 20, 40, 60, 60, 60].map { .seconds($0) })
    }

    @Test func `it is read as it was written, and nothing else is`() {
        let recurrence = Recurrence(count: 3, last: Instant(nanoseconds: 12_345))
        #expect(recurrence.text == "3 12345\n")
        #expect(Recurrence(text: recurrence.text) == recurrence)
        for text in [
            "", "3", "0 5", "-1 5", "3 -5", "3 5 7", "three 5", "99999999999999999999 5",
            "\(Int.max) 5",
        ] {
            #expect(Recurrence(text: text) == nil)
        }
    }
}
