import Foundation
import Glibc
import Keeping
import StateMachines
import System
import Testing

@testable import Retention
@testable import Turnstile

@Suite struct RetentionTests {
    private let memory = try! Folder()
    private let disk = try! Folder()

    private func retention(
        bootID: String = "a", hasMemory: Bool = true, hasDisk: Bool = true
    ) throws -> Retention {
        try Retention(
            runtimeFolder: hasMemory ? memory.path : nil, stateFolder: hasDisk ? disk.path : nil,
            bootID: bootID)
    }

    /// What the next service knows.
    private func recovered(bootID: String = "a") throws -> Recovery {
        try retention(bootID: bootID).recover(within: .seconds(60)).0
    }

    private func keep(_ state: RetainedState, bootID: String = "a") throws {
        let retention = try retention(bootID: bootID)
        retention.keep(state)
        retention.close(within: .seconds(60))
        #expect(retention.failure == nil)
    }

    @Test func `nobody knows anything before the first start`() throws {
        let (recovery, problem) = try retention().recover(within: .seconds(60))
        #expect(recovery == .unknown && problem == nil)
    }

    @Test func `after a crash the memory knows, whatever the disk holds`() throws {
        try keep(.awaitingReset)
        try disk.write(Array("nonsense".utf8))
        #expect(try recovered() == .known(.awaitingReset))
    }

    @Test func `after a boot the disk knows, whatever the folder in memory holds`() throws {
        try keep(RetainedState(), bootID: "old")
        let memory = try memory.bytes()
        try keep(.awaitingReset, bootID: "old")
        try self.memory.write(memory)
        #expect(try recovered(bootID: "new") == .known(RetainedState.awaitingReset.withoutFare))
        #expect(try retention(bootID: "old").stateOfThisBoot == RetainedState())
        #expect(try retention(bootID: "new").stateOfThisBoot == nil)
        try self.memory.remove()
        #expect(try recovered(bootID: "new") == .known(RetainedState.awaitingReset.withoutFare))
    }

    @Test func `a disk knows who was on the way, and not what they had paid`() throws {
        var state = RetainedState()
        state.passage = RetainedState.Passage(.entry, .paid, fare: 250)
        try keep(state, bootID: "old")
        #expect(try recovered(bootID: "old") == .known(state))
        state.passage?.fare = 0
        #expect(try recovered(bootID: "new") == .known(state))
    }

    @Test(arguments: [true, false]) func `of a time is left what was left, less what has passed`(
        isSameBoot: Bool
    ) throws {
        var state = RetainedState()
        let now = MonotonicTimer.now
        state.terms.exit = Term(.free, until: now + .seconds(50_000), by: .settings)
        // On this boot's clock the clock on the wall was set forward by an hour; by it, that is how
        // long ago the other boot was.
        let before = SystemWallClock.offset - .seconds(3_600)
        let slot = StateSlot(
            sequence: 1, bootID: "old", state: state, wallOffset: before, written: now)
        let empty = [UInt8](repeating: 0, count: StateSlot.size)
        try (isSameBoot ? memory : disk).write(slot.bytes + empty)
        let bootID = isSameBoot ? "old" : "new"
        guard case .known(let found) = try recovered(bootID: bootID) else {
            Issue.record("the state is unknown")
            return
        }
        let end = try #require(found.terms.exit?.until)
        let expected = now + .seconds(isSameBoot ? 50_000 : 50_000 - 3_600)
        #expect(end > expected - .seconds(1) && end < expected + .seconds(1))
        guard isSameBoot else { return }
        let ofThisBoot = try #require(try retention(bootID: "old").stateOfThisBoot)
        #expect(ofThisBoot.terms == state.terms)
    }

    @Test func `what is left of a time is on the disk each minute, and of nothing else`() throws {
        func sequence() -> UInt64 {
            // It may just be begun.
            (try? StateFile(path: disk.file(), isDurable: true).read())??.sequence ?? 0
        }
        /// What is kept so many seconds after the first, and how often it is written then.
        func writings(_ state: RetainedState, after seconds: Int64...) throws -> UInt64 {
            let before = sequence()
            let retention = try retention()
            retention.keep(state, at: .zero + .seconds(1_000))
            while sequence() == before { sched_yield() }
            for second in seconds { retention.keep(state, at: .zero + .seconds(1_000 + second)) }
            retention.close(within: .seconds(60))
            return sequence() - before
        }
        var state = RetainedState()
        state.terms.exit = Term(.free, until: .zero + .seconds(50_000), by: .settings)
        _ = try writings(state)
        let once = try writings(state)
        #expect(try writings(state, after: 30, 59) == once)
        #expect(try writings(state, after: 30, 60) == once + 1)
        state.terms.exit?.until = nil
        _ = try writings(state)
        #expect(try writings(state, after: 60, 600) == once)
    }

    @Test func `what is damaged in memory is not made good by the disk`() throws {
        try keep(.awaitingReset)
        try memory.write(Array("nonsense".utf8))
        let (recovery, problem) = try retention().recover(within: .seconds(60))
        #expect(recovery == .unknown)
        #expect(problem?.description == "\(memory.file()): it is damaged: no checksum is right")
    }

    @Test func `a disk that does not answer is not waited for`() throws {
        try keep(.awaitingReset)
        try memory.remove()
        // The thread has no chance to read within no time; where it had, the state is known.
        let (recovery, problem) = try retention().recover(within: .zero)
        switch recovery {
        case .known(let state):
            #expect(state == RetainedState.awaitingReset.withoutFare && problem == nil)
        case .unknown: #expect(problem?.description == "the state on the disk: it is not read yet")
        }
    }

    @Test func `without folders nothing is known, and nothing is wrong`() throws {
        let retention = try retention(hasMemory: false, hasDisk: false)
        #expect(retention.recover(within: .zero).0 == .unknown)
        retention.keep(.awaitingReset)
        #expect(retention.failure == nil)
    }

    @Test func `what cannot be kept is said until it can`() throws {
        try memory.makeFolder()
        try disk.makeFolder()
        var retention = try retention()
        retention.keep(.awaitingReset)
        retention.close(within: .seconds(60))
        let failure = try #require(retention.failure)
        #expect(failure.contains(memory.file()) && failure.contains(disk.file()))
        try memory.remove()
        try disk.remove()
        retention = try self.retention()
        retention.keep(.awaitingReset)
        retention.close(within: .seconds(60))
        #expect(retention.failure == nil)
        #expect(try recovered() == .known(.awaitingReset))
    }

    @Test func `what could be kept again is not said any more`() throws {
        try memory.makeFolder()
        let retention = try retention(hasDisk: false)
        retention.keep(.awaitingReset)
        #expect(retention.failure?.contains(memory.file()) == true)
        try memory.remove()
        retention.keep(.awaitingReset)
        #expect(retention.failure == nil)
    }

    @Test func `what a disk takes again is not said any more`() throws {
        try disk.makeFolder()
        let state = try DiskState(bootID: "a")
        // Its thread would end with what it was given last: what it does is done here.
        state.close()
        state.keep(.awaitingReset)
        state.run(path: disk.file())
        #expect(state.failure?.description.contains(disk.file()) == true)
        try disk.remove()
        state.keep(.awaitingReset)
        state.run(path: disk.file())
        #expect(state.failure == nil)
    }

    @Test func `a file in memory is replaced as a whole`() throws {
        let folder = RuntimeFolder(path: memory.path)
        #expect(folder.recurrence("starts") == nil)
        let recurrence = Recurrence(count: 3, last: Instant(nanoseconds: 5))
        try folder.write(Array(recurrence.text.utf8), to: "starts")
        #expect(folder.recurrence("starts") == recurrence)
        try folder.write(Array("nonsense".utf8), to: "starts")
        #expect(folder.recurrence("starts") == nil)
        #expect(try memory.bytes("starts") == Array("nonsense".utf8))
        // A draft that could not be finished is no harm.
        try memory.makeFolder("starts.new")
        #expect(throws: RetentionError.self) { try folder.write([], to: "starts") }
        #expect(try memory.bytes("starts") == Array("nonsense".utf8))
    }

    @Test func `what cannot be opened is there`() throws {
        let folder = RuntimeFolder(path: memory.path)
        #expect(!folder.has("settings"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("settings"), withDestinationPath: "settings")
        #expect(folder.has("settings"))
    }

    @Test func `no pulse of a coin and no second of waiting is written to the disk`() throws {
        let retention = try retention()
        var state = RetainedState()
        state.released = .init(Lane.Grant(.exit, by: .contact), limit: .zero)
        retention.keep(state)
        for pulses in 1...20 {
            var train = CoinDecoder.Train(reception: .locked)
            train.counted = pulses
            state.coins[.first] = .gap(until: .zero, train)
            retention.keep(state)
        }
        retention.close(within: .seconds(60))
        // The first writing goes to both slots.
        let slot = try StateFile(path: "\(disk.path)/state", isDurable: false).read()
        #expect(slot?.sequence == 2)
        guard case .known(var found) = try recovered() else {
            Issue.record("the state is unknown")
            return
        }
        let absence = try #require(found.absence)
        #expect(absence >= .zero && absence < .seconds(60))
        found.absence = nil
        #expect(found == state)
        #expect(try recovered(bootID: "new") == .known(state.lasting))
    }

    @Test func `of many states the last is on the disk`() throws {
        let retention = try retention()
        var state = RetainedState.awaitingReset
        for number in 1...200 {
            state.queue.entry = 1 + number % Policy.mostStored
            retention.keep(state)
        }
        retention.close(within: .seconds(60))
        try memory.remove()
        #expect(try recovered(bootID: "b") == .known(state.withoutFare))
    }
}
