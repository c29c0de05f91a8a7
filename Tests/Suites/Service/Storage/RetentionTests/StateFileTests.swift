import Durability
import Glibc
import System
import Testing

@testable import Retention
@testable import Turnstile

@Suite struct StateFileTests {
    private let folder = try! Folder()
    private var file: StateFile { StateFile(path: folder.file(), isDurable: true) }

    private func read() throws -> RetainedState? { try file.read()?.state }

    /// Why the file cannot be read; nil where it can.
    private func failure() -> String? {
        do {
            _ = try file.read()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// States that differ from one another.
    private func state(_ number: Int) -> RetainedState {
        var state = RetainedState.awaitingReset
        state.queue.entry = number
        return state
    }

    @Test func `there is none before the first`() throws {
        #expect(try file.read() == nil)
    }

    @Test func `the last that was written is read, by whoever wrote before`() throws {
        for number in 1...5 {
            let file = file
            try file.write(state(2 * number), bootID: "a")
            #expect(try read() == state(2 * number))
            try file.write(state(2 * number + 1), bootID: "a")
            #expect(try read() == state(2 * number + 1))
        }
        #expect(try folder.bytes().count == 2 * StateSlot.size)
    }

    @Test func `it is durable once it is written, and so is the name of a new file`() throws {
        let (file, path) = (file, folder.file())
        #expect(
            try Durability { try file.write(state(1), bootID: "a") }.flushed
                == [path, path, folder.path])
        #expect(try Durability { try file.write(state(2), bootID: "a") }.flushed == [path])
        let volatile = StateFile(path: folder.file("volatile"), isDurable: false)
        #expect(try Durability { try volatile.write(state(1), bootID: "a") }.flushed == [])
    }

    @Test func `wherever a writing ends, the file holds this state or the one before`() throws {
        let file = file
        try file.write(state(1), bootID: "a")
        for number in 2...3 {
            let before = try folder.bytes()
            try file.write(state(number), bootID: "a")
            let after = try folder.bytes()
            for count in after.indices where before[count] != after[count] {
                try folder.write(Array(after[..<count] + before[count...]))
                let found = try read()
                #expect(found == state(number - 1) || found == state(number))
            }
            try folder.write(after)
        }
    }

    @Test func `an emergency is known, or over, whichever slot is damaged later`() throws {
        let file = file
        try file.write(RetainedState(), bootID: "a")
        for isEmergency in [true, false, true] {
            var state = RetainedState()
            state.isEmergency = isEmergency
            try file.write(state, bootID: "a")
            let sound = try folder.bytes()
            for damaged in [100, StateSlot.size + 100] {
                var bytes = sound
                bytes[damaged] ^= 1
                try folder.write(bytes)
                #expect(try read()?.isEmergency == isEmergency)
            }
            try folder.write(sound)
        }
    }

    @Test func `so it is for the first writing of a process, whatever was there`() throws {
        try file.write(state(1), bootID: "a")
        let sound = try folder.bytes()
        for damaged in [nil, 100, StateSlot.size + 100] {
            var before = sound
            if let damaged { before[damaged] ^= 1 }
            try folder.write(before)
            try file.write(state(2), bootID: "a")
            let after = try folder.bytes()
            // The slot that is not the last is written first.
            let first = after.prefix(StateSlot.size), second = after.suffix(StateSlot.size)
            let one = try StateSlot(first), other = try StateSlot(second)
            #expect(one.state == state(2) && other.state == state(2))
            let half =
                other.isLater(than: one)
                ? first + before.suffix(StateSlot.size) : before.prefix(StateSlot.size) + second
            try folder.write(Array(half))
            #expect(try read() == state(2))
            // Torn in its middle, the one before is still there.
            let torn =
                other.isLater(than: one)
                ? Array(first.prefix(30)) + before.dropFirst(30)
                : Array(before.dropLast(30) + second.suffix(30))
            try folder.write(torn)
            #expect(try read() == state(1))
        }
    }

    /// A slot with one bit that is wrong.
    private static let damaged: [UInt8] = {
        var bytes = StateSlot(sequence: 1, bootID: "a", state: .awaitingReset).bytes
        bytes[200] ^= 0x10
        return bytes
    }()

    private static let unreadable: KeyValuePairs<String, (bytes: [UInt8], problem: String)> = [
        "nothing": ([], "it is empty"),
        "zeros": ([UInt8](repeating: 0, count: 8192), "it is empty"),
        "a wrong bit": (damaged, "it is damaged: no checksum is right"),
        "an end too early": (damaged.dropLast(), "it is damaged: no checksum is right"),
        "another text": (Array("credit: 100\n".utf8), "it is damaged: no checksum is right"),
    ]

    @Test(arguments: unreadable.map(\.key))
    func `what cannot be read is said, and is whole again after the next writing`(
        damage: String
    ) throws {
        let (bytes, problem) = try #require(Self.unreadable.first { $0.key == damage }).value
        try folder.write(bytes)
        #expect(failure() == "\(folder.file()): \(problem)")
        let file = file
        try file.write(state(2), bootID: "a")
        try file.write(state(3), bootID: "a")
        #expect(try read() == state(3))
        #expect(try folder.bytes().count == 2 * StateSlot.size)
    }

    @Test func `a later version's slots are not taken for later ones`() throws {
        let slot = StateSlot.sealed("turnstiled-state 2\nsequence 90\nboot a\n")
        try folder.write(slot + slot)
        #expect(
            failure()
                == "\(folder.file()): it is of version 2, which this service does not know")
        try file.write(state(2), bootID: "a")
        #expect(try folder.bytes().prefix(18).elementsEqual("turnstiled-state 1".utf8))
        #expect(try folder.bytes()[4096...].prefix(18).elementsEqual("turnstiled-state 1".utf8))
    }

    @Test(arguments: ["folder", "pipe", "link"]) func `what is no file holds up nobody`(
        kind: String
    ) throws {
        switch kind {
        case "folder": try folder.makeFolder()
        case "pipe": folder.makePipe()
        default: try folder.link(to: "/etc/hostname")
        }
        #expect(failure()?.contains(folder.file()) == true)
        #expect(throws: RetentionError.self) { try file.write(state(1), bootID: "a") }
    }

    @Test func `a file that is gone is made anew with the next writing`() throws {
        let file = file
        try file.write(state(1), bootID: "a")
        try folder.remove()
        try file.write(state(2), bootID: "a")
        #expect(try read() == state(2))
        // Another one in its place.
        try folder.write(Array("nonsense".utf8), to: "other")
        try File.rename(folder.file("other"), to: folder.file())
        try file.write(state(3), bootID: "a")
        #expect(try read() == state(3))
    }

    @Test func `a folder that is not there is named, and may yet come`() throws {
        let path = folder.file("ends")
        let file = StateFile(path: "\(path)/state", isDurable: true)
        let failure = RetentionError(
            "\(path)/state", "there is no folder \(path): make it, or mount its disk")
        #expect(throws: failure) { try file.read() }
        #expect(throws: failure) { try file.write(state(1), bootID: "a") }
        // In memory there is none before the first start, and then the disk is asked.
        #expect(try StateFile(path: "\(path)/state", isDurable: false).read() == nil)
        try folder.makeFolder("ends")
        try file.write(state(1), bootID: "a")
        #expect(try file.read()?.state == state(1))
    }
}
