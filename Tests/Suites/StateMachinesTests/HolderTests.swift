import StateMachines
import Synchronization
import Testing

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

    /// Numbers the events it hears of.
    struct Counter: StateMachine, Sendable {
        var count = 0
        mutating func handle(_ event: Void) -> Outcome<Int> {
            count += 1
            return .handled([count, -count])
        }
    }

    final class Log: Sendable {
        private let lines = Mutex<[Int]>([])
        func append(_ line: Int) { lines.withLock { $0.append(line) } }
        var all: [Int] { lines.withLock { $0 } }
    }

    @Test func `concurrent callers lose no event and commands stay in order`() async {
        let log = Log()
        let holder = Holder(Counter()) { log.append($0) }
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<500 { holder.handle(()) } } }
        }
        #expect(holder.machine.count == 4_000)
        #expect(log.all == (1...4_000).flatMap { [$0, -$0] })
    }

    @Test func `what runs a command may tell the holder of an event`() {
        let log = Log()
        let itself = Mutex<Holder<Counter>?>(nil)
        let holder = Holder(Counter()) { command in
            log.append(command)
            if command == 1 { itself.withLock { $0 }?.handle(()) }
        }
        itself.withLock { $0 = holder }
        holder.handle(())
        #expect(log.all == [1, -1, 2, -2])
    }
}
