import BusInterface
import System
import Testing
import Turnstile

/// The vocabulary's values, as D-Bus spells them.
@Suite struct FieldTests {
    @Test(arguments: Record.forms.map(\.fields) + [StatusReport.blank.fields])
    func `fields are the same fields on the bus`(fields: Fields) throws {
        let value = BusValue(fields)
        #expect(value.signature == "a{sv}")
        #expect(value.fields == fields)
    }
}
