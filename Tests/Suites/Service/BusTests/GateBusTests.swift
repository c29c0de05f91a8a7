import BusInterface
import Foundation
import Glibc
import PrivateBus
import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// The service on a real bus.
@Suite(.timeLimit(.minutes(2))) struct GateBusTests {
    @Test func `every method is asked of the gate, by who asks`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let client = try rig.connect()
        for (method, body, request) in MethodTests.requests {
            let answer = try rig.call(client, method, body)
            #expect(answer.body == [.string("done"), .string(""), .boolean(true)])
            let question = try #require(rig.questions.last)
            switch question.operation {
            case .request(let asked): #expect(asked.kind == request.kind)
            case .adopt: #expect(request.kind == .adopt)
            case .reload, .extra: Issue.record("\(method) is a request")
            }
            #expect(question.person.number == Admission.own)
            #expect(question.person.name == Users.name(of: Admission.own))
            // No more than twenty in a second.
            try rig.pause(client)
        }
    }

    @Test func `whoever may not is refused, and may look`() throws {
        let rig = try BusRig(PrivateBus(), admission: Admission(users: []))
        rig.awaitJoined()
        let client = try rig.connect()
        let answer = try rig.call(client, "Grant", [.string("entry")])
        #expect(answer.errorName == "io.turnstiled1.Error.NotAllowed")
        #expect(rig.questions == [])
        rig.credit = 5
        let all = try rig.call(client, "GetAll", [.string("")], on: GateInterface.properties)
        let values = try #require(all.body.first?.pairs)
        #expect(values.map(\.key) == GateProperty.all.map(\.name))
        let ping = try rig.call(client, "Ping", on: "org.freedesktop.DBus.Peer")
        #expect(ping.kind == .reply)
    }

    @Test func `a flood is told to wait, and who asks then is heard`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let flooding = try rig.connect()
        var numbers: Set<UInt64> = []
        for _ in 0..<200 {
            numbers.insert(try flooding.send(BusRig.message("AcknowledgeAlarms")))
        }
        var refused = 0
        while !numbers.isEmpty {
            let answer = try rig.next(flooding) { $0.replySerial != nil }
            numbers.remove(answer.replySerial!)
            if answer.errorName == "io.turnstiled1.Error.Busy" { refused += 1 }
        }
        #expect(rig.questions.count + refused == 200)
        #expect(rig.questions.count < 100)
        let other = try rig.connect()
        var answer = try rig.call(other, "ConfirmRepair")
        while answer.kind == .error { answer = try rig.call(other, "ConfirmRepair") }
        #expect(rig.questions.last?.operation == .request(.confirmRepair))
    }

    @Test func `who sends too much hears so, and may ask for less`() throws {
        let rig = try BusRig(PrivateBus(), admission: Admission(users: []))
        rig.awaitJoined()
        let client = try rig.connect()
        let text = String(repeating: "a", count: 1_000_000)
        for (member, interface) in [
            ("Grant", GateInterface.name), ("GetAll", GateInterface.properties),
        ] {
            let answer = try rig.call(client, member, [.string(text)], on: interface)
            #expect(answer.errorName == "org.freedesktop.DBus.Error.InvalidArgs")
            #expect(answer.errorText == "the message is too large")
        }
        #expect(
            try rig.call(client, "GetAll", [.string("")], on: GateInterface.properties).kind
                == .reply
        )
    }

    @Test(arguments: [0, 1_000_000])
    func `a flood from who never reads holds up nobody`(length: Int) throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let text = String(repeating: "a", count: length)
        let call = RawMessage(
            "GetAll", on: GateInterface.properties, at: GateInterface.path,
            of: GateInterface.service, text)
        let flood = try Flood(call, on: rig.bus)
        let client = try rig.connect()
        for _ in 0..<20 {
            let answer = try rig.call(
                client, "Get", [.string(""), .string("Gate")], on: GateInterface.properties)
            #expect(answer.kind == .reply)
        }
        withExtendedLifetime(flood) {}
    }

    @Test func `floods over forty connections hold up nobody`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let call = RawMessage(
            "GetAll", on: GateInterface.properties, at: GateInterface.path,
            of: GateInterface.service, "")
        let floods = try (0..<40).map { _ in try Flood(call, on: rig.bus) }
        let client = try rig.connect()
        for _ in 0..<5 {
            let answer = try rig.call(
                client, "Get", [.string(""), .string("Gate")], on: GateInterface.properties)
            #expect(answer.kind == .reply)
        }
        withExtendedLifetime(floods) {}
    }

    @Test func `changes and records are told`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let client = try rig.connect()
        let rule = BusValue.string("type='signal',sender='\(GateInterface.service)'")
        let match = try client.send(.callOfBus("AddMatch", [rule]))
        while try client.take()?.replySerial != match { client.wait() }
        _ = try rig.call(client, "GetAll", [.string("")], on: GateInterface.properties)
        rig.credit = 50
        rig.exchange.post(
            [BusRecord(.passageStarted(.entry), sequence: 3, time: 4)], hasChanged: true)
        let record = try rig.next(client) { $0.member == "Record" }
        #expect(record.body.prefix(3) == [.uint64(3), .uint64(4), .string("passage_started")])
        let changed = try rig.next(client) {
            $0.member == "PropertiesChanged"
                && $0.body[1].pairs?.contains { $0.key == "Credit" } == true
        }
        #expect(changed.body[1].pairs?.map(\.value) == [.int64(50)])
    }

    @Test func `a reader that never reads holds up nobody`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let deaf = try rig.connect()
        let rule = BusValue.string("type='signal',sender='\(GateInterface.service)'")
        let match = try deaf.send(.callOfBus("AddMatch", [rule]))
        while try deaf.take()?.replySerial != match { deaf.wait() }
        let client = try rig.connect()
        for round in 0..<200 {
            let records = (0..<100).map { BusRecord(.rotorNoise, sequence: $0, time: 0) }
            rig.exchange.post(records, hasChanged: true)
            if round % 20 == 0 {
                let answer = try rig.call(
                    client, "Get", [.string(""), .string("Gate")], on: GateInterface.properties)
                #expect(answer.kind == .reply)
            }
        }
        try rig.pause(client)
        #expect(try rig.call(client, "Grant", [.string("entry")]).kind == .reply)
    }

    @Test func `edges come in order to who follows`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let edges = (1...3).map {
            EdgeNews.edge(.input(.rotorA), isOn: $0 % 2 == 1, at: UInt64($0))
        }
        let client = try rig.connect()
        #expect(try rig.call(client, "FollowEdges", [.uint64(60_000_000)]).kind == .reply)
        // Whoever hears that it is so does not miss what happens then.
        #expect(rig.exchange.isFollowed)
        rig.exchange.post(edges)
        for time in 1...3 {
            let edge = try rig.next(client)
            #expect(edge.member == "Edge" && edge.body.first == .uint64(UInt64(time)))
        }
    }

    @Test func `whoever has left the bus follows no longer`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let began = MonotonicTimer.now
        // A process, since its connection is nobody else's.
        let follower = Process()
        follower.executableURL = URL(filePath: "/usr/bin/busctl")
        follower.arguments = [
            "--address=\(rig.bus.address)", "call", GateInterface.service, GateInterface.path,
            GateInterface.name, "FollowEdges", "t", "60000000",
        ]
        try follower.run()
        follower.waitUntilExit()
        #expect(follower.terminationStatus == 0)
        let client = try rig.connect()
        while rig.exchange.isFollowed {
            _ = try rig.call(
                client, "Get", [.string(""), .string("Gate")], on: GateInterface.properties)
        }
        // Not for the end of the lease.
        #expect(MonotonicTimer.now - began < .seconds(60))
    }

    @Test func `followers that never read hold up nobody`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        let deaf = try (1...4).map { _ in try rig.connect() }
        for follower in deaf {
            let answer = try rig.call(follower, "FollowEdges", [.uint64(60_000_000)])
            #expect(answer.kind == .reply)
        }
        let client = try rig.connect()
        for round in 0..<200 {
            rig.exchange.post((0..<100).map { .edge(.input(.rotorA), isOn: true, at: $0) })
            if round % 20 == 0 {
                let answer = try rig.call(
                    client, "Get", [.string(""), .string("Gate")], on: GateInterface.properties)
                #expect(answer.kind == .reply)
            }
        }
        #expect(try rig.call(client, "Grant", [.string("entry")]).kind == .reply)
        #expect(rig.notices.count == 1)
        withExtendedLifetime(deaf) {}
    }

    @Test func `nobody follows on a bus that has gone`() throws {
        let bus = try PrivateBus()
        let rig = try BusRig(bus)
        rig.awaitJoined()
        _ = try rig.call(rig.connect(), "FollowEdges", [.uint64(60_000_000)])
        bus.stop()
        rig.turn { !rig.exchange.isJoined }
        #expect(!rig.exchange.isFollowed)
    }

    @Test func `a bus that comes later is joined, and one that restarts is joined again`() throws {
        let bus = try PrivateBus(started: false)
        let rig = try BusRig(bus)
        rig.turn { !rig.notices.isEmpty }
        #expect(!rig.notices[0].isJoined)
        try bus.start()
        rig.awaitJoined()
        #expect(try rig.call(rig.connect(), "Grant", [.string("entry")]).kind == .reply)
        bus.stop()
        rig.turn { !rig.exchange.isJoined }
        try bus.start()
        rig.awaitJoined()
        #expect(try rig.call(rig.connect(), "Grant", [.string("exit")]).kind == .reply)
        // Each reason is told once, however often it was tried.
        let reasons = rig.notices.filter { !$0.isJoined }
        #expect(reasons.count <= 3, "\(reasons)")
    }

    @Test func `a name that another has is ours when they go`() throws {
        let bus = try PrivateBus()
        let other = try BusConnection(to: .address(bus.address))
        let call = BusMessage.callOfBus(
            "RequestName", [.string(GateInterface.service), .uint32(0)])
        #expect(try other.call(call, within: .seconds(30)).kind == .reply)
        let rig = try BusRig(bus)
        rig.turn { !rig.notices.isEmpty }
        #expect(rig.notices == [.absent("another has the name io.turnstiled1")])
        #expect(!rig.exchange.isJoined)
        // Nobody is told of a change meanwhile; it is seen all the same.
        rig.turn { rig.looks > 0 }
        rig.credit = 7
        // Closed, its descriptor would still be held by the service's thread, which has copies.
        let release = BusMessage.callOfBus("ReleaseName", [.string(GateInterface.service)])
        #expect(try other.call(release, within: .seconds(30)).kind == .reply)
        rig.awaitJoined()
        let client = try rig.connect()
        let answer = try rig.call(
            client, "Get", [.string(""), .string("Credit")], on: GateInterface.properties)
        #expect(answer.body == [.variant(.int64(7))])
    }

    @Test func `a bus that keeps the name from us is told of once, however often we try`() throws {
        let rules = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID()).conf")
        try """
        <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow user="*"/><deny own="*"/>
        <allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
        """.write(to: rules, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: rules) }
        let bus = try PrivateBus(configuration: rules.path)
        let client = try BusConnection(to: .address(bus.address))
        let rule = BusValue.string("type='signal',member='NameOwnerChanged'")
        _ = try client.call(.callOfBus("AddMatch", [rule]), within: .seconds(30))
        let rig = try BusRig(bus)
        // It says so before it leaves for the last time.
        var left = 0
        while left < 3 {
            while let message = try client.take() {
                let isGone = message.body.last?.text == ""
                if message.member == "NameOwnerChanged", isGone { left += 1 }
            }
            if left < 3 { client.wait() }
        }
        rig.turn()
        #expect(rig.notices.count == 1, "\(rig.notices)")
    }

    @Test func `an answer that comes when its bus has gone is for nobody on the next`() throws {
        let bus = try PrivateBus()
        let rig = try BusRig(bus)
        rig.awaitJoined()
        rig.answers = false
        _ = try rig.ask(rig.connect(), "Grant", [.string("entry")])
        bus.stop()
        rig.turn { !rig.exchange.isJoined }
        try bus.start()
        rig.awaitJoined()
        let client = try rig.connect()
        let number = try rig.ask(client, "ConfirmRepair")
        for (question, result) in zip(rig.questions, [Answer.Result.refused(.occupied), .done]) {
            let reply = Reply(to: question.number, .answered(result, confirmation: nil))
            rig.exchange.answer(reply)
        }
        let answer = try rig.next(client) { $0.replySerial == number }
        #expect(answer.body == [.string("done"), .string(""), .boolean(true)])
    }

    @Test func `who waits when it ends hears why`() throws {
        let rig = try BusRig(PrivateBus())
        rig.awaitJoined()
        rig.answers = false
        let client = try rig.connect()
        let number = try rig.ask(client, "SelfTest")
        rig.close()
        let answer = try rig.next(client) { $0.replySerial == number }
        #expect(answer.errorName == "io.turnstiled1.Error.Unavailable")
        #expect(answer.errorText == "the service is stopping")
    }
}

extension Admission {
    /// The number of the user who runs the tests.
    static var own: UInt32 { geteuid() }
}

extension BusRig {
    /// Lets the time pass in which one more may be asked for, by asking what takes as long.
    func pause(_ client: BusConnection) throws {
        let end = MonotonicTimer.now + .milliseconds(60)
        while MonotonicTimer.now < end {
            client.wait(until: end)
            _ = try client.take()
            turn()
        }
    }
}
