import BusInterface
import Glibc
import PrivateBus
import StateMachines
import System
import Turnstile

@testable import Bus

/// A service on a bus of the test's own, and somebody who asks it; the gate is what the test says.
final class BusRig {
    let bus: PrivateBus
    let exchange: Exchange
    private let thread: GateBus
    /// What came of a request, and whether it is durable at once.
    var result = Answer.Result.done
    var credit = 0
    private(set) var questions: [Question] = []
    private(set) var notices: [BusNotice] = []
    private(set) var looks = 0
    /// Whether the gate answers.
    var answers = true

    init(_ bus: PrivateBus, admission: Admission = Admission(users: [0, geteuid()])) throws {
        self.bus = bus
        exchange = try Exchange()
        thread = try GateBus(on: .address(bus.address), Talk.facts, for: admission, exchange)
    }

    /// A connection to the same bus.
    func connect() throws -> BusConnection { try BusConnection(to: .address(bus.address)) }

    /// Does what the loop would.
    func turn() {
        let work = exchange.takeWork()
        notices += work.notices
        if let question = work.question {
            questions.append(question)
            if answers {
                exchange.answer(
                    Reply(to: question.number, .answered(result, confirmation: nil)))
            }
        }
        if work.wantsSnapshot {
            looks += 1
            exchange.postSnapshot(.some(credit: credit))
        }
    }

    /// Turns until it is as the test wants it.
    func turn(until isDone: () -> Bool) {
        while !isDone() {
            exchange.forLoop.wait()
            turn()
        }
    }

    /// Turns until the service is on the bus.
    func awaitJoined() {
        let before = notices.filter(\.isJoined).count
        turn { notices.filter(\.isJoined).count > before }
    }

    /// The next message for `client` that is not from the bus itself, and as the test wants it.
    func next(
        _ client: BusConnection, where isWanted: (BusMessage) -> Bool = { _ in true }
    ) throws -> BusMessage {
        while true {
            while let message = try client.take() {
                if message.sender != "org.freedesktop.DBus", isWanted(message) { return message }
            }
            client.wait(or: [exchange.forLoop.descriptor])
            turn()
        }
    }

    /// What a call of the gate is answered.
    func call(
        _ client: BusConnection, _ member: String, _ body: [BusValue] = [],
        on interface: String = GateInterface.name
    ) throws -> BusMessage {
        let number = try client.send(Self.message(member, body, on: interface))
        return try next(client) { $0.replySerial == number }
    }

    /// Asks the gate, and turns until it has heard that; returns the number of the call.
    func ask(
        _ client: BusConnection, _ member: String, _ body: [BusValue] = []
    ) throws -> UInt64 {
        let before = questions.count
        let number = try client.send(Self.message(member, body))
        while questions.count == before {
            _ = try client.take()
            client.wait(or: [exchange.forLoop.descriptor])
            turn()
        }
        return number
    }

    static func message(
        _ member: String, _ body: [BusValue] = [], on interface: String = GateInterface.name
    ) -> BusMessage {
        .call(
            member, on: interface, at: GateInterface.path, of: GateInterface.service, body)
    }

    /// Ends the service.
    func close() { thread.close(within: .seconds(20)) }
}

extension BusNotice {
    var isJoined: Bool { if case .joined = self { true } else { false } }
}
