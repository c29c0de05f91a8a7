import Glibc
import System
import Testing

@Suite struct UsersTests {
    @Test func `the users and groups of every system are known`() {
        #expect(Users.name(of: 0) == "root")
        #expect(Users.group(named: "root") == 0)
        #expect(Users.groups(of: "root").contains(0))
    }

    @Test func `those that there are not are nobody`() {
        #expect(Users.name(of: 4_123_456_789) == nil)
        #expect(Users.group(named: "no-such-group") == nil)
        #expect(Users.groups(of: "no-such-user") == [])
    }
}
