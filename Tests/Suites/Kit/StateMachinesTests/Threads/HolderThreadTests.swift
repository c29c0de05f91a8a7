import Foundation
import Holding
import StateMachines
import Testing

/// A holder under many threads. `make sanitize` runs these under ThreadSanitizer, which then looks
/// at every access to what is ``Unlocked`` here.
@Suite struct HolderThreadTests {
    /// Runs `body` on so many threads of their own, and waits for them.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let done = NSCondition()
        let left = Unlocked(count)
        for number in 0..<count {
            Thread.detachNewThread {
                body(number)
                done.withLock {
                    left.value -= 1
                    done.signal()
                }
            }
        }
        done.withLock { while left.value > 0 { done.wait() } }
    }

    @Test func `no event is lost, and commands and steps come one at a time, in order`() {
        // Nothing but the holder keeps those apart who write here.
        let commands = Unlocked<[Int]>([])
        let steps = Unlocked<[Step<Counter>]>([])
        let holder = Holder(Counter()) { command, _ in commands.value.append(command) }
        holder.observe { step, _ in steps.value.append(step) }
        onThreads(8) { _ in for _ in 0..<500 { holder.handle(1) } }
        #expect(holder.machine.count == 4_000)
        #expect(commands.value == (1...4_000).flatMap { [$0, -$0] })
        #expect(steps.value.map(\.before.count) == Array(0..<4_000))
        #expect(steps.value.map(\.after.count) == Array(1...4_000))
    }

    @Test func `of many threads each has its answers, in the order of the events`() {
        // Nothing but the holder keeps those apart who write here.
        let answers = Unlocked<[Int]>([])
        let holder = Holder(Counter())
        onThreads(8) { _ in
            for _ in 0..<500 {
                holder.handle(1) { answer in
                    if case .success(let outcome) = answer {
                        answers.value.append(outcome.commands.first ?? 0)
                    }
                }
            }
        }
        #expect(answers.value == Array(1...4_000))
    }

    @Test func `a caller that awaits an event has its outcome, however many others send`() async {
        let holder = Holder(Counter())
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { (try? await holder.send(1))?.commands.first ?? 0 }
            }
            var counts: [Int] = []
            for await count in group { counts.append(count) }
            return counts.sorted()
        }
        #expect(counts == Array(1...200))
    }

    @Test func `everybody does everything at once`() {
        let told = Unlocked((steps: 0, last: 0))
        let holder = Holder(Counter()) { command, holder in
            // Of all counts each second leads to a further event, so there are twice as many.
            if command > 0, command % 2 == 1 { #expect(holder.handle(1) == nil) }
        }
        holder.observe(order: 0) { step, holder in
            told.value.steps += 1
            #expect(step.before.count == told.value.last)
            told.value.last = step.after.count
            #expect(holder.machine == step.after)
        }
        onThreads(9) { number in
            var last = 0
            for _ in 0..<300 {
                switch number % 3 {
                case 0:
                    let outcome = holder.handle(1)
                    #expect(outcome == nil || outcome?.isHandled == true)
                case 1:
                    let count = holder.machine.count
                    #expect(count >= last)
                    last = count
                default:
                    let id = holder.observe { step, holder in
                        #expect(holder.machine == step.after)
                        holder.remove(holder.observe(order: 1) { _, _ in })
                    }
                    holder.change { $0.count += 0 }
                    holder.remove(id)
                }
            }
        }
        #expect(told.value.steps == 1_800)
        #expect(told.value.last == 1_800)
    }

    @Test func `what runs a command may wait for a thread that sends`() {
        let holder = Holder(Counter()) { command, holder in
            guard command == 1 else { return }
            onThreads(2) { _ in #expect(holder.handle(1) == nil) }
        }
        #expect(holder.handle(1) == .handled([1, -1]))
        #expect(holder.machine.count == 3)
    }

    @Test func `holders that tell each other from two threads never wait for each other`() {
        let other = Printout<Holder<Counter>>()
        let first = Holder(Counter()) { command, _ in
            if command > 0, command % 2 == 0 { other.lines.first?.handle(1) }
        }
        let second = Holder(Counter()) { command, _ in
            if command > 0, command % 2 == 0 { first.handle(1) }
        }
        other.print(second)
        onThreads(4) { number in
            for _ in 0..<300 { (number % 2 == 0 ? first : second).handle(1) }
        }
        // Both were sent 600 events, and one for each second of what the other has counted.
        let (one, two) = (first.machine.count, second.machine.count)
        #expect(one == 600 + two / 2)
        #expect(two == 600 + one / 2)
    }
}
