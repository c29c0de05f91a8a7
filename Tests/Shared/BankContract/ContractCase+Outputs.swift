import Hardware
import Turnstile

extension ContractCase {
    /// What holds for outputs.
    static let outputs = [
        ContractCase("outputs_start_de_energised") { bench in
            try bench.open()
            try expect([.lockEntry, .alarm], energised: false, high: false, on: bench)
        },
        ContractCase("an_output_reads_back_as_set") { bench in
            try bench.open()
            for energised in [true, false, true, true, false] {
                try bench.bank.set(.lockEntry, energised: energised)
                try expect([.lockEntry], energised: energised, high: energised, on: bench)
            }
        },
        ContractCase("setting_one_output_leaves_the_others") { bench in
            try bench.open()
            try bench.bank.set(.alarm, energised: true)
            try expect([.alarm], energised: true, high: true, on: bench)
            try expect([.lockEntry], energised: false, high: false, on: bench)
        },
        ContractCase("an_active_low_output_starts_high_and_is_energised_low", needs: [.polarity]) {
            bench in
            try bench.open(activeLow: true)
            try expect([.lockEntry, .alarm], energised: false, high: true, on: bench)
            try bench.bank.set(.lockEntry, energised: true)
            try expect([.lockEntry], energised: true, high: false, on: bench)
            try expect([.alarm], energised: false, high: true, on: bench)
        },
        ContractCase("an_unwired_output_reads_as_it_was_set") { bench in
            try bench.open()
            try require(
                !bench.bank.isEnergised(.coinEnable), "coin_inhibit is energised from the start")
            for energised in [true, false] {
                try bench.bank.set(.coinEnable, energised: energised)
                try require(
                    bench.bank.isEnergised(.coinEnable) == energised,
                    "coin_inhibit reads \(!energised) after it was set \(energised)")
            }
            try expect([.lockEntry, .alarm], energised: false, high: false, on: bench)
        },
        ContractCase("closing_de_energises_every_output") { bench in
            try bench.open()
            try bench.bank.set(.lockEntry, energised: true)
            try bench.bank.set(.alarm, energised: true)
            try bench.close()
            for output in [Output.lockEntry, .alarm] {
                try require(
                    !bench.rig.isHigh(output),
                    "the wire of \(output.name) is high after closing")
            }
        },
        ContractCase("a_closed_bank_can_be_opened_again") { bench in
            try bench.open()
            try bench.bank.set(.lockEntry, energised: true)
            try bench.open()
            try expect([.lockEntry, .alarm], energised: false, high: false, on: bench)
        },
        ContractCase("closing_twice_does_nothing") { bench in
            try bench.open()
            let bank = try bench.bank
            try bench.close()
            try bank.close()
            try require(bank.descriptors.isEmpty, "a closed bank has descriptors")
        },
        ContractCase("every_role_of_an_output_can_be_wired_and_drives_its_own_line") { bench in
            for output in Output.allCases {
                try bench.open([], [output])
                for other in Output.allCases where other != output {
                    try bench.bank.set(other, energised: true)
                }
                try expect([output], energised: false, high: false, on: bench)
                try bench.bank.set(output, energised: true)
                try expect([output], energised: true, high: true, on: bench)
                try bench.close()
                try require(
                    !bench.rig.isHigh(output),
                    "the wire of \(output.name) is high after closing")
            }
        },
    ]
}

/// Requires that the bank reads `outputs` as `energised` and that their wires are `high`.
private func expect(
    _ outputs: [Output], energised: Bool, high: Bool, on bench: Bench
) throws {
    for output in outputs {
        let read = try bench.bank.isEnergised(output)
        try require(
            read == energised,
            "\(output.name) reads \(read ? "energised" : "de-energised"), expected otherwise")
        let level = try bench.rig.isHigh(output)
        try require(
            level == high,
            "the wire of \(output.name) is \(level ? "high" : "low"), expected otherwise")
    }
}
