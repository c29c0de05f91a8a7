import Glibc
import Hardware
import Testing
import Turnstile

@testable import GPIOHardware

@Suite struct RefusalTests {
    private let coin = LineIdentity(chip: "gpiochip0", offset: 4, name: "COIN")
    private let nameless = LineIdentity(chip: "gpiochip0", offset: 5, name: "")

    @Test func `a busy line names its holder`() {
        let state = LineState(identity: coin, isUsed: true, consumer: "gpio-keys")
        #expect(
            HardwareError.held(state, for: .input(.coinPulse))
                == HardwareError(
                    .busy, line: .input(.coinPulse),
                    "line COIN (gpiochip0/4) is held by \"gpio-keys\""))
    }

    @Test func `a holder without a name is told as such`() {
        let state = LineState(identity: nameless, isUsed: true, consumer: "")
        #expect(
            HardwareError.held(state, for: .output(.alarm)).description
                == "line gpiochip0/5 is held by an unnamed program")
    }

    @Test(arguments: [
        ("gpio-keys", "gpio-keys"), ("Tür 北", "Tür 北"), ("", ""),
        ("a\u{1B}]0;b\u{7}\n", "a\u{FFFD}]0;b\u{FFFD}\u{FFFD}"),
        ("a\u{9B}31m\u{202E}", "a\u{FFFD}31m\u{FFFD}"),
    ])
    func `a name that somebody has given themselves steers no terminal`(
        name: String, shown: String
    ) {
        #expect(String(kernelName: name.utf8) == shown)
        #expect(String(kernelName: [0x61, 0xFF]) == "a\u{FFFD}")
    }

    @Test(arguments: [
        (EINVAL, true, "Invalid argument (a bias takes Linux 5.5 or later)"),
        (EINVAL, false, "Invalid argument"),
        (ENXIO, false, "No such device or address (a line that cannot report edges)"),
        (524, false, "Not supported by the chip"),
    ])
    func `a request that the chip cannot meet is misconfigured`(
        number: CInt, hasBias: Bool, reason: String
    ) {
        let error = HardwareError.refused(
            CallFailure(call: "gpiod_line_request", number: number, offset: 4),
            to: [(.input(.coinPulse), coin)], hasBias: hasBias)
        #expect(
            error
                == HardwareError(
                    .misconfigured, line: .input(.coinPulse),
                    "gpiod_line_request failed on line COIN (gpiochip0/4): \(reason)"))
    }

    @Test func `a request that does not say which line names them all`() {
        let error = HardwareError.refused(
            CallFailure(call: "gpiod_chip_request_lines", number: ENOMEM),
            to: [(.input(.coinPulse), coin), (.input(.fire), nameless)], hasBias: false)
        #expect(
            error
                == HardwareError(
                    .failed,
                    "gpiod_chip_request_lines failed on line COIN (gpiochip0/4), "
                        + "line gpiochip0/5: Cannot allocate memory"))
    }

    @Test(arguments: [
        (ENOENT, HardwareError.Kind.missing), (EACCES, .notReady), (EPERM, .notReady),
        (EBUSY, .busy), (EINVAL, .misconfigured), (ENOTTY, .misconfigured), (EIO, .failed),
    ])
    func `the errno tells what kind of failure it is`(number: CInt, kind: HardwareError.Kind) {
        #expect(CallFailure(call: "gpiod_chip_open", number: number).kind == kind)
    }
}
