import System
import Testing
import Turnstile

@testable import GateClient

/// Which record tells what came of a call that was put off.
@Suite struct AwaitedCallTests {
    private static let anna = Requester.person(Operator(number: 1000, name: "anna")!)
    private static let ben = Requester.person(Operator(number: 1001, name: "ben")!)

    /// What a call of anna's hears of these records.
    private func hear(_ call: GateCall, _ records: [Record]) -> [LateOutcome?] {
        var awaited = AwaitedCall(call, of: 1000)
        return records.map { awaited.receive($0) }
    }

    @Test func `what is told before the call was put off is another's`() {
        let records: [Record] = [
            .refused(.setMode, by: Self.anna, .superseded),
            .modeChanged(.exit, .free, by: Self.anna),
            .deferred(.setMode, by: Self.anna), .modeChanged(.exit, .locked, by: Self.anna),
        ]
        #expect(
            hear(GateCall(.setMode(.exit, .locked, until: nil)), records) == [nil, nil, nil, .done])
    }

    @Test func `a reload ends as the policy of the settings does`() {
        let records: [Record] = [
            .policyChanged(by: .settings), .deferred(.adopt, by: Self.anna),
            .policyChanged(by: .settings), .policyDeferred, .policyChanged(by: Self.anna),
        ]
        let end = Record.policyChanged(by: .settings)
        #expect(hear(.reloadSettings, records + [end]) == [nil, nil, nil, nil, nil, .done])
        let taken = Record.refused(.adopt, by: .settings, .superseded)
        #expect(hear(.reloadSettings, [.policyDeferred, taken]).last == .refused(.superseded))
        #expect(
            hear(GateCall(.setMode(.exit, .free, until: nil)), [.policyDeferred, end]) == [
                nil, nil,
            ])
    }

    @Test func `where records are lost, that it was put off may be among them`() {
        var awaited = AwaitedCall(GateCall(.beginService), of: 1000)
        #expect(awaited.receive(.serviceStarted(by: Self.anna)) == nil)
        awaited.recordsLost()
        #expect(awaited.receive(.serviceStarted(by: Self.anna)) == .done)
    }

    @Test(arguments: [
        (Request.setMode(.entry, .free, until: nil), Record.modeChanged(.exit, .free, by: anna)),
        (.setMode(.entry, .free, until: nil), .modeChanged(.entry, .free, by: ben)),
        (.setMode(.entry, .free, until: nil), .modeChanged(.entry, .free, by: .schedule)),
        (.setEnforcement(.weak, until: nil), .enforcementChanged(.weak, by: ben)),
        (.grant(.entry), .released(.exit, by: .person(1000))),
        (.grant(.entry), .released(.entry, by: .person(1001))),
        (.grant(.entry), .released(.entry, by: .contact)),
        (.grant(.entry), .refused(.grant, by: ben, .modeLocked)),
        (.grant(.entry), .refused(.withdraw, by: anna, .nothingToWithdraw)),
        (.beginService, .serviceStarted(by: .contact(.serviceKey))),
        (.beginService, .storedDropped(1, grantedBy: 1000)), (.grant(.entry), .storedDropped(1)),
        (.grant(.entry), .storedDropped(1, grantedBy: 1001)),
        (.endService, .done(.grant, by: anna)),
    ]) func `what concerns others is passed over`(request: Request, record: Record) {
        #expect(
            hear(GateCall(request), [.deferred(request.kind, by: Self.anna), record]) == [nil, nil])
    }

    @Test(arguments: [
        (
            Request.setMode(.entry, nil, until: nil), Record.done(.setMode, by: anna),
            LateOutcome.done
        ),
        (.setEnforcement(.weak, until: nil), .enforcementChanged(.weak, by: anna), .done),
        (.grant(.exit), .released(.exit, by: .person(1000)), .done),
        (.grant(.exit), .storedDropped(2, grantedBy: 1000), .dropped),
        (.beginService, .refused(.beginService, by: anna, .cancelled), .refused(.cancelled)),
        (.endService, .serviceEnded, .done), (.resetEmergency, .emergencyReset, .done),
    ]) func `the end is heard`(request: Request, record: Record, outcome: LateOutcome) {
        #expect(
            hear(GateCall(request), [.deferred(request.kind, by: Self.anna), record]) == [
                nil, outcome,
            ])
    }
}
