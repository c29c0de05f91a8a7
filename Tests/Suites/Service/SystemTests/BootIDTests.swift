import Testing

@testable import System

@Suite struct BootIDTests {
    private static let digits = "0123456789abcdef0123456789abcdef"

    @Test(arguments: [digits, "01234567-89ab-cdef-0123-456789abcdef"])
    func `what systemd passes on is taken`(told: String) {
        #expect(bootID(told: told) == told)
    }

    @Test(arguments: [
        "", "a boot", "\(digits)\nfault F2", "０１２３ａｂｃｄ", String(repeating: "a", count: 5_000),
    ])
    func `what cannot be written down is not`(told: String) {
        #expect(bootID(told: told) == bootID(told: nil))
    }
}
