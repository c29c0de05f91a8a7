import Testing
import Turnstile

@testable import GateClient

@Suite struct NameTests {
    @Test func `a member has the vocabulary's name, as the bus spells it`() {
        #expect(FieldName.serviceRequester.member == "ServiceRequester")
        #expect(FieldName.time.member == "TimeNsec")
        #expect(FieldName.due.member == "Due")
    }
}
