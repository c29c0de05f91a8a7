import Glibc
import System
import Testing

/// What the system knows of users, and what `sha256sum` would show.
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

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        ),
    ]) func `a digest is the one that everybody has`(text: String, digest: String) {
        #expect(SHA256.digest(of: Array(text.utf8)) == digest)
    }

    @Test func `a digest covers texts of every length`() {
        let digests = (0..<200).map { SHA256.digest(of: [UInt8](repeating: 7, count: $0)) }
        #expect(Set(digests).count == 200)
        #expect(digests.allSatisfy { $0.count == 64 })
    }
}
