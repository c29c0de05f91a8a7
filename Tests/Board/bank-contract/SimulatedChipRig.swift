import BankContract
import GPIOHardware
import Glibc
import Hardware
import StateMachines
import Turnstile

/// A bank over a chip of the kernel's gpio-sim, whose wires are files in sysfs.
final class SimulatedChipRig: BankRig {
    let abilities: Set<RigAbility> = [.polarity, .bias, .overflow]
    let chip: ChipSelector
    private let folder: String

    /// The rig for the chip labelled `label`, the only one of gpio-sim.
    init(label: String) throws {
        let folders = SysfsFile.paths(matching: "/sys/devices/platform/gpio-sim.*/gpiochip*")
        guard let folder = folders.first, folders.count == 1 else {
            throw ContractFailure("gpio-sim has \(folders.count) chips, this rig takes one")
        }
        chip = .label(label)
        self.folder = folder
        for input in Input.allCases { try drive(input, high: false) }
    }

    var now: Instant {
        var time = timespec()
        // Sound: the structure lives until the call returns.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func open(_ wiring: Wiring) throws -> any LineBank {
        try GPIOBank(wiring, consumer: "bank-contract")
    }

    func drive(_ input: Input, high: Bool) throws {
        let file = try SysfsFile(
            path(ContractLines.offset(of: input), "pull"), isWritable: true)
        try file.write(high ? "pull-up" : "pull-down")
    }

    func isHigh(_ output: Output) throws -> Bool {
        try SysfsFile(path(ContractLines.offset(of: output), "value")).readFirst() == "1"
    }

    func waitForEvents(of bank: any LineBank, limit: Duration) throws -> Bool {
        var waiting = bank.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = CInt(limit.wholeNanoseconds / 1_000_000)
        // Sound: the array lives until the call returns, and its count is passed along.
        return unsafe poll(&waiting, nfds_t(waiting.count), milliseconds) > 0
    }

    /// The path of a line's attribute.
    private func path(_ offset: Int, _ attribute: String) -> String {
        "\(folder)/sim_gpio\(offset)/\(attribute)"
    }
}
