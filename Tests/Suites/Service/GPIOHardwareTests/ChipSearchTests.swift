import Glibc
import Hardware
import Testing
import Turnstile

@testable import GPIOHardware

@Suite struct ChipSearchTests {
    private func chip(_ number: Int, _ label: String) -> ChipSearch.Finding {
        ChipSearch.Finding(
            path: "/dev/gpiochip\(number)",
            chip: .success(
                ChipIdentity(name: "gpiochip\(number)", label: label, lineCount: 8)))
    }

    private func locked(_ number: Int) -> ChipSearch.Finding {
        ChipSearch.Finding(
            path: "/dev/gpiochip\(number)",
            chip: .failure(CallFailure(call: "gpiod_chip_open", number: EACCES)))
    }

    private func error(
        forLabel label: String, among findings: [ChipSearch.Finding]
    ) -> HardwareError? {
        do {
            _ = try ChipSearch.path(ofChipLabelled: label, among: findings)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the chip with the label is found past one that cannot be opened`() throws {
        let path = try ChipSearch.path(
            ofChipLabelled: "b", among: [locked(0), chip(1, "a"), chip(2, "b")])
        #expect(path == "/dev/gpiochip2")
    }

    @Test(arguments: [
        ([], "there is no GPIO chip"),
        ([(0, "a")], "the only one is gpiochip0 \"a\""),
        (
            [(0, "a"), (1, "b"), (10, "c")],
            "there are gpiochip0 \"a\", gpiochip1 \"b\" and gpiochip10 \"c\""
        ),
    ])
    func `an unknown label is not ready and lists the chips`(
        chips: [(number: Int, label: String)], list: String
    ) {
        let error = error(forLabel: "none", among: chips.map { chip($0.number, $0.label) })
        #expect(error == HardwareError(.missing, "no GPIO chip is labelled \"none\"; \(list)"))
    }

    @Test(arguments: [
        ("pinctrl-bcm2837", " (did you mean \"pinctrl-bcm2835\"?)"),
        ("gpiochip3", " (it is a name: {name: gpiochip3})"), ("expander", ""),
    ])
    func `what was probably meant by an unknown label is said`(label: String, hint: String) {
        let error = error(forLabel: label, among: [chip(3, "pinctrl-bcm2835")])
        #expect(
            error?.description == "no GPIO chip is labelled \"\(label)\"\(hint); "
                + "the only one is gpiochip3 \"pinctrl-bcm2835\"")
    }

    @Test(arguments: ["/dev/pinctrl-bcm2835", "/dev/gpiochip7"])
    func `a label where a name belongs is told from a name of nothing`(path: String) {
        let error = ChipSearch.failure(
            toOpen: path, CallFailure(call: "open", number: ENOENT),
            among: [chip(3, "pinctrl-bcm2835")])
        let hint = "(it is a label: {label: pinctrl-bcm2835})"
        #expect(error.kind == .missing)
        #expect(error.description.contains(hint) == (path == "/dev/pinctrl-bcm2835"))
    }

    @Test func `a chip that cannot be opened yet is listed with the reason`() {
        let error = error(forLabel: "z", among: [locked(3)])
        #expect(error?.kind == .notReady)
        #expect(
            error?.description.hasSuffix(
                "the only one is /dev/gpiochip3 (gpiod_chip_open: Permission denied)") == true)
    }

    @Test func `a label that two chips share is misconfigured`() {
        let error = error(forLabel: "a", among: [chip(0, "a"), chip(1, "b"), chip(2, "a")])
        #expect(
            error
                == HardwareError(
                    .misconfigured,
                    "/dev/gpiochip0 and /dev/gpiochip2 are all labelled \"a\"; "
                        + "select one by its name"))
    }
}

/// What libgpiod and the kernel really say, where there need not be a chip.
@Suite struct ChipOpeningTests {
    private func failure(opening selector: ChipSelector) -> HardwareError? {
        do {
            _ = try ChipSearch.open(selector)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a device that is no chip is misconfigured`() throws {
        let error = try #require(failure(opening: .path("/dev/null")))
        #expect(error.kind == .misconfigured)
        #expect(error.description.hasPrefix("cannot open /dev/null: gpiod_chip_open: "))
        #expect(error.description.contains(" (not a GPIO chip); "))
    }

    @Test(arguments: [
        (ChipSelector.path("/dev/gpio-not-there"), "/dev/gpio-not-there"),
        (ChipSelector.name("gpiochip9999"), "/dev/gpiochip9999"),
    ])
    func `a device that is not there is missing`(selector: ChipSelector, path: String) throws {
        let error = try #require(failure(opening: selector))
        #expect(error.kind == .missing)
        #expect(
            error.description.hasPrefix(
                "cannot open \(path): gpiod_chip_open: No such file or directory; "))
    }

    @Test func `a bank without lines does nothing`() throws {
        let bank = try GPIOBank(Wiring(chip: .label("none"), inputs: [:], outputs: [:]))
        #expect(bank.descriptors.isEmpty)
        #expect(bank.capabilities.name.hasPrefix("libgpiod "))
        #expect(try bank.isActive(.fire) == false)
        try bank.set(.alarm, energised: true)
        #expect(try bank.isEnergised(.alarm))
        try bank.close()
        #expect(try bank.isEnergised(.alarm) == false)
    }

    @Test func `the safe state says once that a chip is not there`() {
        let line = OutputLine(line: .offset(0), maximumOnTime: nil)
        let wiring = Wiring(
            chip: .name("gpiochip9999"), inputs: [:], outputs: [.alarm: line, .lockEntry: line])
        let safe = GPIOBank.driveSafe([wiring, wiring])
        #expect(safe.outputs == [[], []])
        #expect(safe.failures.map(\.kind) == [.missing])
    }
}
