import BusInterface
import Foundation
import PrivateBus
import StateMachines
import Synchronization
import System
import Testing

@testable import GateClient
@testable import Turnstile

/// A gate on a bus of its own, on a thread of its own, that answers as it is told.
final class FakeGate {
    /// What it does when a method is called.
    struct Reaction: Sendable {
        /// What it answers.
        var reply: [BusValue] = [.string("done"), .string(""), .boolean(true)]
        /// The name and the text of the error that it answers in place of that.
        var error: (name: String, text: String)?
        /// The signals that it sends after that.
        var signals: [BusMessage] = []
        /// What it tells of itself from then on.
        var report: StatusReport?
        /// The digest of the settings that it has in force from then on.
        var digest: String?
        /// What it has signed of a collection from then on.
        var checkpoint: String?
        /// Whether it goes away after that.
        var leaves = false
    }

    /// A method that was called.
    struct Call: Hashable, Sendable {
        let member: String
        let arguments: [BusValue]
    }

    /// Where the bus is.
    let address: String

    let bus: PrivateBus
    private let shared: Shared

    /// What the gate's thread shares with the test.
    private final class Shared: Sendable {
        let called = Mutex<[Call]>([])
        let end: EventFD
        let isThere = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)

        init() throws { end = try EventFD() }
    }

    /// A gate that does this when these methods are called, with these words or with any, and else
    /// what everybody asks for. Where it is asked how it is, each time or the second (`GetAll 2`),
    /// its signals come before the answer.
    ///
    /// - Parameters:
    ///   - settings: Where it says that its settings are.
    ///   - digest: What it says is the digest of those in force.
    ///   - energised: Which of its outputs are energised.
    ///   - isSimulated: Whether it says that it is.
    ///   - bus: Where it is; nil for a bus of its own.
    ///   - checkpoint: What it has signed of a collection.
    init(
        _ report: StatusReport = .busy, _ reactions: [String: Reaction] = [:],
        settings: String = "/etc/turnstiled/turnstiled.yaml", digest: String = "5f2b",
        energised: [String] = ["lock_entry", "lamp_go"], isSimulated: Bool = false,
        checkpoint: String = "", on bus: PrivateBus? = nil
    ) throws {
        self.bus = try bus ?? PrivateBus()
        address = self.bus.address
        shared = try Shared()
        Thread { [shared, address] in
            do {
                let connection = try BusConnection(to: .address(address))
                try Self.serve(on: connection, shared, report, digest, checkpoint, reactions) {
                    Self.properties(of: $0, settings: settings, digest: $1, energised: energised)
                        + [
                            ("Simulated", .boolean(isSimulated)),
                            ("CollectionCheckpoint", .string($2)),
                        ]
                }
            } catch {
                Issue.record("the fake gate: \(error)")
            }
            shared.isThere.signal()
            shared.hasEnded.signal()
        }.start()
        shared.isThere.wait()
    }

    /// Ends the gate.
    func stop() {
        shared.end.signal()
        awaitEnd()
    }

    /// Waits until the gate has gone away.
    func awaitEnd() { shared.hasEnded.wait() }

    /// What was called, but for what asks how it is.
    var calls: [Call] { shared.called.withLock { $0 } }

    private static func serve(
        on connection: BusConnection, _ shared: Shared, _ report: StatusReport, _ digest: String,
        _ checkpoint: String, _ reactions: [String: Reaction],
        tell: (StatusReport, String, String) -> [(String, BusValue)]
    ) throws {
        _ = try connection.call(
            .callOfBus("RequestName", [.string(GateInterface.service), .uint32(4)]),
            within: .seconds(20))
        shared.isThere.signal()
        var (report, digest, checkpoint) = (report, digest, checkpoint)
        var looks = 0
        // Closed, its connection could still be held by threads that have copies.
        defer {
            let call = BusMessage.callOfBus("ReleaseName", [.string(GateInterface.service)])
            _ = try? connection.call(call, within: .seconds(20))
        }
        while true {
            while let message = try connection.take() {
                guard message.kind == .call, let member = message.member else { continue }
                if message.interface == GateInterface.properties {
                    looks += 1
                    let reaction = reactions["GetAll \(looks)"] ?? reactions["GetAll"]
                    for signal in reaction?.signals ?? [] { try connection.send(signal) }
                    let answer = reaction?.error.map { message.error($0.name, $0.text) }
                    let told = BusValue.dictionary(tell(report, digest, checkpoint))
                    try connection.send(answer ?? message.reply([told]))
                    checkpoint = reaction?.checkpoint ?? checkpoint
                    continue
                }
                shared.called.withLock { $0.append(Call(member: member, arguments: message.body)) }
                let call = ([member] + message.body.compactMap(\.text)).joined(separator: " ")
                let reaction = reactions[call] ?? reactions[member] ?? Reaction()
                let answer =
                    reaction.error.map { message.error($0.name, $0.text) }
                    ?? message.reply(reaction.reply)
                try connection.send(answer)
                (report, digest) = (reaction.report ?? report, reaction.digest ?? digest)
                checkpoint = reaction.checkpoint ?? checkpoint
                for signal in reaction.signals { try connection.send(signal) }
                if reaction.leaves { return }
            }
            if shared.end.wait(within: .zero) { return }
            connection.wait(or: [shared.end.descriptor])
        }
    }

    /// The properties of a gate that is like this.
    static func properties(
        of report: StatusReport, settings: String = "/etc/turnstiled/turnstiled.yaml",
        digest: String = "5f2b", energised: [String] = ["lock_entry", "lamp_go"]
    ) -> [(String, BusValue)] {
        let shape = Shape(of: StatusReport.self)
        let told = report.fields
        var properties = shape.forms[0].fields.map { field in
            let value = told[field.name].map { BusValue($0, as: field.type) }
            return (GateProperty(field).name, value ?? .dictionary([]))
        }
        properties += [
            (
                "Levels",
                .dictionary(
                    of: "b",
                    [("coin_pulse", .boolean(false)), ("rotor_a", .boolean(true))]
                        + (report.equipment.inputs[.vaultPresent]
                            ? [("vault_present", .boolean(report.inputs[.vaultPresent]))]
                            : [])
                        + ["lock_entry", "lock_exit", "lamp_go", "lock_entry_hold"]
                        .filter { name in
                            Output.allCases.contains {
                                $0.name == name && report.equipment.outputs[$0]
                            }
                        }
                        .map { ($0, .boolean(energised.contains($0))) })
            ),
            (
                "States",
                .dictionary(
                    of: "s",
                    [
                        ("lane", .string(report.entry.isReleased ? "released" : "locked")),
                        ("emergency", .string("none")), ("service", .string("off")),
                    ])
            ),
            (
                "Registers",
                counts([
                    ("starts", 12), ("value_in", 48_150), ("accepted_coin_pulse_100", 300),
                    ("accepted_coin_pulse_50", 363), ("fault_F6", 1),
                ])
            ),
            (
                "Collected",
                counts([
                    ("starts", 1), ("value_in", 3_200), ("accepted_coin_pulse_100", 20),
                    ("accepted_coin_pulse_50", 24),
                ])
            ),
            ("Gate", .string("north gate")), ("Version", .string(programVersion)),
            ("VocabularyVersion", .uint32(2)),
            ("SettingsPath", .string(settings)),
            ("SettingsDigest", .string(digest)),
            (
                "Debounce",
                .dictionary(
                    of: "t", [("coin_pulse", .uint64(0)), ("rotor_a", .uint64(5_000))])
            ),
            ("KernelDebounces", .boolean(true)),
            (
                "Edges",
                .dictionary(of: "t", [("coin_pulse", .uint64(48)), ("lamp_go", .uint64(2))])
            ),
            ("Now", .uint64(1_000_000_000_000)),
        ]
        return properties
    }

    private static func counts(_ counts: [(String, Int64)]) -> BusValue {
        .dictionary(of: "x", counts.map { ($0.0, .int64($0.1)) })
    }

    /// The signal that tells of a record, made at this time.
    static func signal(
        _ record: Record, number: UInt64 = 0, at time: Instant = MonotonicTimer.now
    ) -> BusMessage {
        .signal(
            "Record", on: GateInterface.name, at: GateInterface.path,
            [
                .uint64(number), .uint64(UInt64(time.nanoseconds)),
                .string(record.name), BusValue(record.fields),
            ])
    }

    /// The signal that tells of an edge, so many microseconds before the gate is asked.
    static func edge(_ line: String, _ level: Bool, before microseconds: Int64) -> BusMessage {
        let time = StatusReport.asked.nanoseconds - microseconds * 1_000
        return .signal(
            "Edge", on: GateInterface.name, at: GateInterface.path,
            [.uint64(UInt64(time)), .string(line), .boolean(level)])
    }

    /// The signals that tell that a coin has fallen, of these pulses, each 60 ms wide.
    static func coin(pulses: Int64, before microseconds: Int64) -> [BusMessage] {
        (0..<pulses).flatMap { pulse in
            let begin = microseconds - pulse * 160_000
            return [
                edge("coin_pulse", true, before: begin),
                edge("coin_pulse", false, before: begin - 60_000),
            ]
        }
    }

    /// The answer that a request is put off.
    static let deferred: [BusValue] = [.string("deferred"), .string(""), .boolean(true)]

    /// The signal that tells of a change.
    static let changed = BusMessage.signal(
        "PropertiesChanged", on: GateInterface.properties, at: GateInterface.path,
        [.string(GateInterface.name), .dictionary([]), .strings(["Status"])])
}

extension StatusReport {
    /// When a fake gate is asked, in its time.
    static let asked = Instant(nanoseconds: 1_000_000_000_000)

    /// A gate at which a lot goes on.
    static let busy: StatusReport = {
        var report = StatusReport.blank
        report.status = Status(state: .released(.entry), credit: 50, stored: 1, soundsAlarm: false)
        report.standing = .inService
        report.entry.mode = InForce(value: .controlled, term: nil, next: nil)
        report.entry.isReleased = true
        report.entry.grant = .credit(fare: 150)
        report.entry.waitingByPerson = 1
        report.exit.mode = InForce(
            value: .free, term: Term(.free, until: asked + .seconds(1740), by: .anna), next: nil)
        report.enforcement = InForce(value: .strong, term: nil, next: nil)
        report.credit = 50
        report.price = 150
        report.held = 1
        report.mostHeld = 5
        report.coinRefusal = .fault(.coinJam)
        report.faults = [Raised(value: .coinJam, since: asked - .seconds(300), end: .cause)]
        report.alarms = [
            Raised(value: .tailgating, since: asked - .seconds(4), end: .at(asked + .seconds(6)))
        ]
        report.equipment = Equipment(
            inputs: [.coinPulse, .rotorA], outputs: [.lockEntry, .lockExit, .lampGo])
        report.outputs = [
            OutputReport(output: .lockEntry, isOn: true, fault: nil),
            OutputReport(output: .lockExit, isOn: true, fault: nil),
            OutputReport(output: .lampGo, isOn: true, fault: nil),
        ]
        report.due = [Due(time: asked + .seconds(6), reason: .alarmEnds)]
        return report
    }()
}

extension Requester {
    /// Somebody at a desk.
    static let anna = Requester.person(Operator(number: 1000, name: "anna")!)
    /// Somebody else than whoever runs the tests, who may have any number.
    static let another = Requester.person(Operator(number: geteuid() + 1, name: "anna")!)
}
