import BusInterface
public import StateMachines
public import System
internal import Turnstile

/// A client of a gate on a bus. It is used on one thread.
public final class GateConnection {
    /// How long the gate may take to answer: it waits up to two seconds for its disk.
    public static let patience = Duration.seconds(10)

    let bus: BusConnection
    /// The owner of the gate's name on the bus: messages of others are ignored.
    private var owner: String?

    /// Connects to the bus, which may take so long to say that it is one.
    public init(
        to bus: BusConnection.Bus, within patience: Duration = patience
    ) throws(GateError) {
        do throws(SystemError) {
            self.bus = try BusConnection(to: bus)
        } catch {
            throw .noBus(error)
        }
        do throws(SystemError) {
            try self.bus.awaitReady(within: patience)
            _ = try self.bus.call(.callOfBus("GetId"), within: Self.patience)
        } catch {
            throw .noBus(error)
        }
    }
}

// Asking.
extension GateConnection {
    public func ask(
        _ call: GateCall, within patience: Duration = patience
    ) throws(GateError) -> GateAnswer {
        try GateAnswer(reply(to: gateCall(call.method, call.arguments), within: patience))
    }

    /// Does something to a simulated gate, in the words of docs/scenarios.md.
    public func simulate(
        _ move: String, within patience: Duration = patience
    ) throws(GateError) {
        do throws(GateError) {
            _ = try reply(to: gateCall(.simulate, [.string(move)]), within: patience)
        } catch .olderService {
            throw .unavailable("no gate is simulated: its lines are real")
        }
    }

    /// Makes the gate signal each edge of a line for so long, a minute at most; call it again
    /// before that to continue.
    public func followEdges(for lease: Duration) throws(GateError) {
        let lease = BusValue.uint64(UInt64(max(0, lease.wholeMicroseconds)))
        _ = try reply(to: gateCall(.followEdges, [lease]))
    }

    public func state(within patience: Duration = patience) throws(GateError) -> GateState {
        let reply = try reply(
            to: .call(
                "GetAll", on: GateInterface.properties, at: GateInterface.path,
                of: GateInterface.service, [.string(GateInterface.name)]), within: patience)
        guard let pairs = reply.body.first?.pairs else {
            throw .unreadable("its properties are of types '\(reply.signature)'")
        }
        return try GateState(pairs)
    }

    private func gateCall(_ method: GateMethod, _ arguments: [BusValue]) -> BusMessage {
        .call(
            method.name, on: GateInterface.name, at: GateInterface.path, of: GateInterface.service,
            arguments)
    }

    private func reply(
        to message: BusMessage, within patience: Duration = patience
    ) throws(GateError) -> BusMessage {
        let answer: BusMessage
        do throws(SystemError) {
            answer = try bus.call(message, within: patience)
        } catch {
            throw .busLost
        }
        guard answer.kind == .reply else { throw GateError(answer) }
        return answer
    }
}

// Hearing.
extension GateConnection {
    /// Receives the gate's signals from now on.
    public func listen() throws(GateError) {
        let rules = [
            "type='signal',sender='\(GateInterface.service)',path='\(GateInterface.path)'",
            "type='signal',sender='\(BusMessage.bus)',member='NameOwnerChanged',"
                + "arg0='\(GateInterface.service)'",
        ]
        for rule in rules { _ = try reply(to: .callOfBus("AddMatch", [.string(rule)])) }
        do throws(GateError) {
            let name = BusValue.string(GateInterface.service)
            owner = try reply(to: .callOfBus("GetNameOwner", [name])).body.first?.text
        } catch {
            guard case .noGate = error else { throw error }
        }
    }

    /// The next signal; nil if there is none yet.
    public func next() throws(GateError) -> GateEvent? {
        do throws(SystemError) {
            while let message = try bus.take() {
                guard let event = GateEvent(message), isTrue(event, from: message) else { continue }
                return event
            }
            return nil
        } catch {
            throw .busLost
        }
    }

    /// Whether the sender is authentic. Unicast signals need no match rule, and every client of the
    /// bus may send them.
    private func isTrue(_ event: GateEvent, from message: BusMessage) -> Bool {
        switch event {
        case .ownerChanged:
            guard message.sender == BusMessage.bus else { return false }
            owner = message.body[2].text.flatMap { $0.isEmpty ? nil : $0 }
            return true
        case .recorded, .recordsLost, .line, .changed: return message.sender == owner
        }
    }

    /// Waits until something may have come, or one of `others` is readable, until then at the
    /// latest; nil for as long as it takes.
    public func wait(until end: Instant? = nil, or others: [CInt] = []) {
        bus.wait(until: end, or: others)
    }

    /// Waits for the result of this operator's deferred call, until then at the latest; nil for
    /// none by then. ``listen()`` must have been called before the call.
    public func outcome(
        of call: GateCall, _ answer: GateAnswer, for operatorNumber: UInt32, until end: Instant?
    ) throws(GateError) -> LateOutcome? {
        var awaited = AwaitedCall(call, of: operatorNumber)
        // Settings that were already pending have no record.
        let isRepeated = answer.settings?.changes.isEmpty == true
        if isRepeated {
            awaited.recordsLost()
            if try state().report.policyRequester != .settings { return .done }
        }
        while true {
            while let event = try next() {
                switch event {
                case .ownerChanged(isThere: false): throw .lost
                case .ownerChanged(isThere: true), .changed, .line: continue
                case .recordsLost: awaited.recordsLost()
                case .recorded(let told):
                    guard let outcome = told.record.flatMap({ awaited.receive($0) }) else {
                        continue
                    }
                    if isRepeated, outcome == .done,
                        try state().report.policyRequester == .settings
                    {
                        continue  // those were the settings before these
                    }
                    if outcome != .dropped { return outcome }
                    if try nobodyWaits(for: call) { return outcome }
                }
            }
            if let end, end <= MonotonicTimer.now { return nil }
            wait(until: end)
        }
    }

    /// Whether no operator's authorisation for the way of this call waits any longer.
    private func nobodyWaits(for call: GateCall) throws(GateError) -> Bool {
        let report = try state().report
        let way = call.direction == .exit ? report.exit : report.entry
        return way.waitingByPerson == 0
    }
}
