import Holding
import StateMachines
import Testing

/// Numbers the events it hears of, and gives two commands for each; refuses what is not positive.
struct Counter: StateMachine, Hashable, Sendable {
    var count = 0
    mutating func handle(_ event: Int) -> Outcome<Int> {
        guard event > 0 else { return event == 0 ? .ignored("nothing") : .unhandled }
        count += event
        return .handled([count, -count])
    }
}

@Suite struct HolderTests {
    /// The coin-operated turnstile of two states.
    enum TokenTurnstile: StateMachine, Sendable {
        case locked, unlocked
        enum Event { case tokenInserted, personPassed }
        enum Command { case lock, unlock, ejectToken, notifySecurity }
        mutating func handle(_ event: Event) -> Outcome<Command> {
            switch (self, event) {
            case (.locked, .tokenInserted):
                self = .unlocked
                return .handled(.unlock)
            case (.locked, .personPassed): return .handled(.notifySecurity)
            case (.unlocked, .personPassed):
                self = .locked
                return .handled(.lock)
            case (.unlocked, .tokenInserted): return .handled(.ejectToken)
            }
        }
    }

    @Test func `the Mealy machine answers with its commands`() {
        let turnstile = Holder(TokenTurnstile.locked)
        #expect(turnstile.handle(.tokenInserted) == .handled(.unlock))
        #expect(turnstile.handle(.personPassed) == .handled(.lock))
        #expect(turnstile.handle(.personPassed) == .handled(.notifySecurity))
        #expect(turnstile.handle(.tokenInserted) == .handled(.unlock))
        #expect(turnstile.handle(.tokenInserted) == .handled(.ejectToken))
        #expect(turnstile.machine == .unlocked)
    }

    @Test func `an event runs to completion: machine, commands, observers`() {
        let printout = Printout<String>()
        let holder = Holder(Counter()) { command, holder in
            printout.print("command \(command) at \(holder.machine.count)")
        }
        holder.observe { step, holder in
            printout.print("\(step.before.count) to \(step.after.count), \(holder.machine.count)")
        }
        #expect(holder.handle(3) == .handled([3, -3]))
        #expect(printout.lines == ["command 3 at 3", "command -3 at 3", "0 to 3, 3"])
    }

    @Test func `what a command sends is handled after the event that it is of`() {
        let printout = Printout<String>()
        let holder = Holder(Counter()) { command, holder in
            if command == 1 {
                #expect(holder.handle(10) == nil)
                #expect(holder.machine.count == 1)
            }
            printout.print("\(command)")
        }
        holder.observe { step, _ in printout.print("\(step.event) heard") }
        #expect(holder.handle(1) == .handled([1, -1]))
        #expect(printout.lines == ["1", "-1", "1 heard", "11", "-11", "10 heard"])
        #expect(holder.machine.count == 11)
    }

    @Test func `each caller is answered, in the turn of its event`() {
        let printout = Printout<String>()
        let holder = Holder(Counter()) { command, holder in
            printout.print("\(command)")
            guard command == 1 else { return }
            for event in [2, 0, -1] {
                holder.handle(event) { answer in
                    if case .success(let outcome) = answer { printout.print("\(outcome)") }
                    holder.handle(0) { _ in printout.print("asked by an answer") }
                }
            }
        }
        holder.observe { step, _ in printout.print("\(step.event) heard") }
        holder.handle(1) { answer in
            if case .success(let outcome) = answer { printout.print("\(outcome)") }
        }
        #expect(
            printout.lines == [
                "1", "-1", "1 heard", "handled([1, -1])", "3", "-3", "2 heard", "handled([3, -3])",
                "0 heard", "ignored(nothing)", "-1 heard", "unhandled",
            ] + Array(repeating: ["0 heard", "asked by an answer"], count: 3).flatMap { $0 })
    }

    /// Events 2, 3 and 4 are sent while 1 runs, 5 when there is room again, and two may wait; what
    /// is handled, dropped and refused.
    private func overflow(
        _ policy: Holder<Counter>.Queue.Policy
    ) -> (handled: [Int], dropped: [Int], refused: [Int]) {
        let (heard, dropped, refused) = (Printout<Int>(), Printout<Int>(), Printout<Int>())
        let queue = Holder<Counter>.Queue.bounded(2, whenFull: policy) { dropped.print($0) }
        let holder = Holder(Counter(), queue: queue) { command, holder in
            guard command == 1 else { return }
            holder.change { $0.count += 100 }
            for event in 2...4 {
                holder.handle(event) { answer in
                    if case .failure = answer { refused.print(event) }
                }
            }
        }
        holder.observe { step, holder in
            heard.print(step.event)
            if step.event == 3 { holder.handle(5) }
        }
        holder.handle(1)
        #expect(holder.machine.count == 100 + heard.lines.reduce(0, +))
        holder.handle(7)
        return (heard.lines, dropped.lines, refused.lines)
    }

    @Test func `a full queue drops the event that it is told to, and says so`() {
        #expect(overflow(.dropNewest) == ([1, 2, 3, 5, 7], [4], [4]))
        #expect(overflow(.dropOldest) == ([1, 3, 4, 5, 7], [2], [2]))
    }

    @Test func `a queue without a place drops every event that comes too early`() async throws {
        let dropped = Printout<Int>()
        let queue = Holder<Counter>.Queue.bounded(0, whenFull: .dropOldest) { dropped.print($0) }
        let holder = Holder(Counter(), queue: queue) { command, holder in
            if command == 1 { #expect(holder.handle(2) == nil) }
        }
        #expect(try await holder.send(1) == .handled([1, -1]))
        #expect(dropped.lines == [2] && holder.machine.count == 1)
    }

    @Test func `a queue that never runs empty stays short and in order`() {
        let printout = Printout<Int>()
        let holder = Holder(Counter()) { command, holder in
            guard command > 0 else { return }
            printout.print(command)
            // Two for each, so that hundreds wait, and then none.
            if command < 500 { for _ in 0..<2 { holder.handle(1) } }
        }
        holder.handle(1)
        #expect(printout.lines == Array(1...999))
    }

    @Test func `an observer may send, and all hear of the first step before the second`() {
        let printout = Printout<String>()
        let holder = Holder(Counter())
        holder.observe { step, holder in
            printout.print("a\(step.event)")
            if step.event < 3 { #expect(holder.handle(step.event + 1) == nil) }
            #expect(holder.machine == step.after)
        }
        holder.observe { step, holder in
            printout.print("b\(step.event)")
            #expect(holder.machine == step.after)
        }
        #expect(holder.handle(1) == .handled([1, -1]))
        #expect(printout.lines == ["a1", "b1", "a2", "b2", "a3", "b3"])
        #expect(holder.machine.count == 6)
    }

    @Test func `observers hear in order, of what they want to, until they are removed`() {
        let printout = Printout<String>()
        let holder = Holder(Counter())
        holder.observe(where: \.outcome.isHandled) { _, _ in printout.print("first") }
        let late = holder.observe(order: 200) { step, _ in printout.print("late \(step.event)") }
        holder.observe(where: \.outcome.isHandled) { _, _ in printout.print("second") }
        holder.observe(order: 0, where: \.outcome.isHandled) { _, _ in printout.print("early") }
        holder.observe(where: { !$0.outcome.isHandled }) { step, _ in printout.print("\(step)") }
        holder.handle(1)
        holder.handle(0)
        holder.remove(late)
        holder.remove(late)
        holder.handle(-1)
        holder.handle(1)
        #expect(
            printout.lines == [
                "early", "first", "second", "late 1",
                "Counter(count: 1), 0: ignored, nothing", "late 0",
                "Counter(count: 1), -1: unhandled", "early", "first", "second",
            ])
    }

    @Test func `an observer of another holder is not removed for having the same number`() {
        let printout = Printout<Int>()
        let (one, other) = (Holder(Counter()), Holder(Counter()))
        one.observe { step, _ in printout.print(step.event) }
        let foreign = other.observe { _, _ in }
        one.remove(foreign)
        one.handle(5)
        #expect(printout.lines == [5])
    }

    @Test func `observers may add and remove, themselves among them`() {
        let printout = Printout<String>()
        let holder = Holder(Counter())
        let itself = Unlocked<Holder<Counter>.ID?>(nil)
        let other = Unlocked<Holder<Counter>.ID?>(nil)
        itself.value = holder.observe { step, holder in
            printout.print("once \(step.event)")
            // The next one in the order does not hear any more, the new one does not hear yet.
            if let id = other.value { holder.remove(id) }
            if let id = itself.value { holder.remove(id) }
            holder.observe { step, _ in printout.print("new \(step.event)") }
        }
        other.value = holder.observe { step, _ in printout.print("other \(step.event)") }
        holder.handle(1)
        holder.handle(2)
        #expect(printout.lines == ["once 1", "new 2"])
    }

    @Test func `a change waits its turn, and nobody hears of it`() {
        let printout = Printout<String>()
        let holder = Holder(Counter()) { command, holder in
            if command == 1 {
                holder.handle(2)
                holder.change { $0.count *= 100 }
                holder.handle(1)
                #expect(holder.machine.count == 1)
            }
        }
        holder.observe { step, _ in printout.print("\(step.before.count)+\(step.event)") }
        holder.handle(1)
        #expect(printout.lines == ["0+1", "1+2", "300+1"])
        holder.change { $0.count = 0 }
        #expect(holder.machine.count == 0)
    }

    /// A machine that asks, which it should not, and looks at the holder to answer.
    struct Asking: StateMachine, Sendable {
        let question: @Sendable () -> Int
        mutating func handle(_ event: Int) -> Outcome<Int> { .handled(question()) }
    }

    @Test func `no foreign code is called under the lock, not even the machine's`() {
        let holder = Unlocked<Holder<Asking>?>(nil)
        holder.value = Holder(
            Asking(question: {
                holder.value?.handle(1) == nil && holder.value?.machine != nil ? 7 : 0
            })
        ) { command, holder in
            if command == 7 { holder.change { $0 = Asking(question: { 8 }) } }
        }
        #expect(holder.value?.handle(0) == .handled(7))
        #expect(holder.value?.handle(0) == .handled(8))
        holder.value = nil
    }

    /// Somebody who takes a last look at the holder when he goes.
    final class Leaving: Sendable {
        let leave: @Sendable () -> Void
        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
        deinit { leave() }
    }

    @Test func `what an observer has kept may use the holder when it goes`() {
        let printout = Printout<Int>()
        let holder = Holder(Counter())
        let id = observe(holder) { printout.print(holder.handle(1)?.commands.count ?? 0) }
        holder.handle(1)
        #expect(printout.lines == [])
        holder.remove(id)
        #expect(printout.lines == [2])
    }

    private func observe(
        _ holder: Holder<Counter>, leaving: @escaping @Sendable () -> Void
    ) -> Holder<Counter>.ID {
        let kept = Leaving(leaving)
        return holder.observe { _, _ in withExtendedLifetime(kept) {} }
    }

    @Test func `two holders may tell each other of events`() {
        let printout = Printout<String>()
        let second = Unlocked<Holder<Counter>?>(nil)
        let first = Holder(Counter()) { command, _ in
            printout.print("first \(command)")
            if command > 0 { second.value?.handle(command) }
        }
        second.value = Holder(Counter()) { command, _ in
            printout.print("second \(command)")
            if command > 0, command < 4 { #expect(first.handle(command) == nil) }
        }
        first.handle(1)
        #expect(
            printout.lines == [
                "first 1", "second 1", "second -1", "first -1",
                "first 2", "second 3", "second -3", "first -2",
                "first 5", "second 8", "second -8", "first -5",
            ])
    }
}
