import Glibc
import PrivateBus
import StateMachines
import Testing

@testable import System

/// Two programs on one bus, each with a connection of its own.
@Suite(.timeLimit(.minutes(1))) struct BusConnectionTests {
    private let bus = try! PrivateBus()

    private func connect(mostValues: Int = 16_384) throws -> BusConnection {
        let connection = try BusConnection(to: .address(bus.address), mostValues: mostValues)
        let hello = try connection.call(.callOfBus("GetId"), within: .seconds(30))
        #expect(hello.kind == .reply)
        return connection
    }

    /// The next message that is no greeting of the bus.
    private func next(_ connection: BusConnection) throws -> BusMessage {
        while true {
            while let message = try connection.take() {
                if message.sender != "org.freedesktop.DBus" { return message }
            }
            connection.wait()
        }
    }

    private static let all: [BusValue] = [
        .boolean(true), .byte(255), .int16(-2), .uint16(65_535), .int32(-3), .uint32(4_000_000_000),
        .int64(.min), .uint64(.max), .double(-0.5), .string("Größe ☃"), .objectPath("/a/b"),
        .signature("a{sv}"), .strings([]), .strings(["a", ""]),
        .dictionary([("one", .int64(1)), ("nested", .dictionary([("b", .boolean(false))]))]),
        .dictionary(of: "x", [("n", .int64(7))]),
        .structure([
            .string("x"), .array(of: "(sb)", [.structure([.string("y"), .boolean(true)])]),
        ]),
        .variant(.variant(.byte(1))), .array(of: "a{sv}", [.dictionary([])]),
    ]

    @Test func `values of every type come over as they are`() throws {
        let (caller, callee) = (try connect(), try connect())
        let name = try #require(callee.uniqueName)
        let number = try caller.send(
            .call("Try", on: "io.example1.Test", at: "/io/example1", of: name, Self.all))
        let call = try next(callee)
        #expect(call.kind == .call && call.serial == number && call.expectsReply)
        #expect(call.sender == caller.uniqueName && call.destination == name)
        #expect(call.path == "/io/example1" && call.interface == "io.example1.Test")
        #expect(call.member == "Try")
        #expect(call.body == Self.all)
        try callee.send(call.reply(call.body.reversed()))
        let reply = try next(caller)
        #expect(reply.kind == .reply && reply.replySerial == number)
        #expect(reply.body == Self.all.reversed())
    }

    @Test func `where there is no bus, whoever tries for years keeps nothing`() async {
        await #expect(processExitsWith: .success) {
            func resident() throws -> Int {
                let pages = try File(path: "/proc/self/statm", for: .reading).read(64)
                    .split(separator: UInt8(ascii: " "))
                return try #require(Int(String(decoding: pages[1], as: UTF8.self)))
            }
            func attempt() {
                #expect(throws: SystemError.self) {
                    try BusConnection(to: .address("unix:path=/nowhere"), mostBytes: 16_384)
                }
            }
            for _ in 0..<100 { attempt() }
            let before = try resident()
            for _ in 0..<20_000 { attempt() }
            #expect(try resident() - before < 1_000)
        }
    }

    @Test func `an error comes over with its name and its words`() throws {
        let (caller, callee) = (try connect(), try connect())
        let number = try caller.send(
            .call("Try", on: "io.example1.Test", at: "/", of: try #require(callee.uniqueName)))
        try callee.send(try next(callee).error("io.example1.Error.No", "no: ask again"))
        let answer = try next(caller)
        #expect(answer.kind == .error && answer.replySerial == number)
        #expect(answer.errorName == "io.example1.Error.No" && answer.errorText == "no: ask again")
    }

    @Test func `a signal reaches who asked for it, and a call of nobody is an error`() throws {
        let (listener, speaker) = (try connect(), try connect())
        let rule = BusValue.string("type='signal',interface='io.example1.Test'")
        _ = try listener.call(.callOfBus("AddMatch", [rule]), within: .seconds(30))
        try speaker.send(.signal("Told", on: "io.example1.Test", at: "/a", [.int64(1)]))
        let signal = try next(listener)
        #expect(signal.kind == .signal && signal.member == "Told" && signal.body == [.int64(1)])
        let call = BusMessage.call("No", on: "io.example1.Test", at: "/", of: "io.example1.Nobody")
        let answer = try speaker.call(call, within: .seconds(30))
        #expect(answer.errorName == "org.freedesktop.DBus.Error.ServiceUnknown")
    }

    @Test func `of a message that says too much nothing is read`() throws {
        let (caller, callee) = (try connect(), try connect(mostValues: 10))
        let name = try #require(callee.uniqueName)
        func call(_ count: Int) throws -> BusMessage {
            let list = BusValue.array(of: "y", .init(repeating: .byte(1), count: count))
            try caller.send(.call("Try", on: "io.example1.Test", at: "/", of: name, [list]))
            return try next(callee)
        }
        #expect(try !call(9).isTooLarge)
        let large = try call(10)
        #expect(large.isTooLarge && large.body.isEmpty)
        try callee.send(large.error("io.example1.Error.TooLarge", ""))
    }

    @Test func `of a message that is too long the rest is not read, and what follows is`() throws {
        let (caller, callee) = (
            try connect(), try BusConnection(to: .address(bus.address), mostBytes: 1_000)
        )
        try callee.awaitReady(within: .seconds(30))
        let name = try #require(callee.uniqueName)
        let lengths = [100, 2_000, 1_000_000, 0]
        for length in lengths {
            let text = String(repeating: "x", count: length)
            try caller.send(
                .call("Try", on: "io.example1.Test", at: "/", of: name, [.string(text), .byte(1)]))
        }
        let calls = try lengths.map { _ in try next(callee) }
        #expect(calls.map(\.isTooLarge) == [false, true, true, false])
        #expect(calls.map(\.body.count) == [2, 0, 0, 2])
        for call in calls { try callee.send(call.error("io.example1.Error.TooLarge", "")) }
        for _ in calls { #expect(try next(caller).kind == .error) }
    }

    @Test func `many short messages are all taken where they are bounded`() throws {
        let (caller, callee) = (
            try connect(), try BusConnection(to: .address(bus.address), mostBytes: 1_000)
        )
        try callee.awaitReady(within: .seconds(30))
        let name = try #require(callee.uniqueName)
        for number in 0..<1_000 {
            let body = [BusValue.int64(Int64(number))]
            try caller.send(.signal("Told", on: "io.example1.Test", at: "/", body, to: name))
        }
        // The bus may have taken none of them yet.
        _ = try caller.call(.callOfBus("GetId"), within: .seconds(30))
        for number in 0..<1_000 { #expect(try next(callee).body == [.int64(Int64(number))]) }
    }

    @Test func `while the bus takes nothing, nothing is read where messages are bounded`() throws {
        let (caller, callee) = (
            try connect(), try BusConnection(to: .address(bus.address), mostBytes: 1_000)
        )
        try callee.awaitReady(within: .seconds(30))
        let name = try #require(callee.uniqueName)
        let told = BusMessage.signal("Told", on: "io.example1.Test", at: "/", [], to: name)
        try caller.send(told)
        _ = try caller.call(.callOfBus("GetId"), within: .seconds(30))
        callee.wait()
        bus.fallSilent()
        let text = BusValue.string(String(repeating: "x", count: 10_000))
        let asked = BusMessage.signal("Asked", on: "io.example1.Test", at: "/", [text])
        while callee.unsent < BusConnection.mostUnsent { try callee.send(asked) }
        #expect(try callee.take() == nil)
        bus.resume()
        #expect(try next(callee).member == "Told")
        #expect(callee.unsent < BusConnection.mostUnsent)
    }

    @Test func `whoever calls too often unanswered hears of it`() throws {
        let (caller, callee) = (try connect(), try connect())
        let name = try #require(callee.uniqueName)
        for _ in 0...BusConnection.mostCalls {
            try caller.send(.call("Try", on: "io.example1.Test", at: "/", of: name))
        }
        var calls: [BusMessage] = []
        while calls.count < BusConnection.mostCalls { calls.append(try next(callee)) }
        // The refusal goes out with the next step.
        while try callee.take() != nil {}
        var refusal: BusMessage?
        while refusal == nil {
            _ = try callee.take()
            refusal = try caller.take().flatMap { $0.kind == .error ? $0 : nil }
        }
        #expect(refusal?.errorName == "org.freedesktop.DBus.Error.LimitsExceeded")
        for call in calls { try callee.send(call.reply()) }
        #expect(try next(caller).kind == .reply)
    }

    @Test func `an answer without a call is refused, and so is a second one`() throws {
        let (caller, callee) = (try connect(), try connect())
        try caller.send(
            .call("Try", on: "io.example1.Test", at: "/", of: try #require(callee.uniqueName)))
        let call = try next(callee)
        try callee.send(call.reply())
        #expect(throws: SystemError.self) { try callee.send(call.reply()) }
    }

    @Test func `a bus that is gone is told`() throws {
        let connection = try connect()
        bus.stop()
        #expect(throws: SystemError.self) {
            while true {
                while try connection.take() != nil {}
                connection.wait()
            }
        }
    }

    @Test func `a bus that is not there is told`() throws {
        let absent = try PrivateBus(started: false)
        #expect(throws: SystemError.self) {
            let connection = try BusConnection(to: .address(absent.address))
            _ = try connection.call(.callOfBus("GetId"), within: .seconds(30))
        }
        #expect(throws: SystemError(call: "connect", subject: absent.address, errno: ENOENT)) {
            try BusConnection(to: .address(absent.address), mostBytes: 1_000)
        }
    }
}
