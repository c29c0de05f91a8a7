import Testing
import Turnstile

@testable import Bus

/// Who may operate the gate, and who is remembered.
@Suite struct CallersTests {
    private static func caller(_ user: UInt32, _ groups: Set<UInt32> = []) -> Caller {
        Caller(user: user, groups: groups, name: "u\(user)")!
    }

    @Test(arguments: [
        (caller(0), 70 as UInt32?, true), (caller(0), nil, true), (caller(5, [70]), 70, true),
        (caller(5, [69, 71]), 70, false), (caller(5, [70]), nil, false), (caller(5), 70, false),
        (caller(70), 70, false),
    ]) func `root and the group are admitted`(caller: Caller, group: UInt32?, isAdmitted: Bool) {
        #expect(Admission(users: [0]).admits(caller, group: group) == isAdmitted)
    }

    @Test func `nobody is where nobody is to be`() {
        #expect(!Admission(users: []).admits(Self.caller(0), group: nil))
        #expect(Admission(users: [0, 5]).admits(Self.caller(5), group: nil))
    }

    @Test(arguments: [
        ("anna", "anna"), (nil, "7"), ("", "7"), ("a b", "7"), ("a\nb", "7"),
        (String(repeating: "x", count: 33), "7"),
    ]) func `a name that cannot be written down is the number`(name: String?, written: String) {
        let caller = Caller(user: 7, groups: [], name: name)
        #expect(caller?.person.name == written)
        #expect(caller?.person.number == 7)
    }

    @Test func `the oldest is forgotten`() {
        var callers = Callers()
        for number in 0...UInt32(Callers.most) {
            callers.add(Self.caller(number), as: ":1.\(number)")
        }
        #expect(callers[":1.0"] == nil)
        #expect(callers[":1.1"] == Self.caller(1))
        #expect(callers[":1.\(Callers.most)"] != nil)
        for _ in 0..<200 { callers.add(Self.caller(1), as: ":1.1") }
        #expect(callers[":1.2"] != nil)
    }
}
