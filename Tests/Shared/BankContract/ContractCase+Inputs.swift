import Hardware
import Turnstile

extension ContractCase {
    /// What holds for the levels of inputs.
    static let inputs = [
        ContractCase("an_input_reads_as_its_wire") { bench in
            try bench.open()
            for high in [false, true, true, false] {
                try bench.rig.drive(.rotorA, high: high)
                try expect(.rotorA, active: high, on: bench)
                try expect(.rotorB, active: false, on: bench)
            }
        },
        ContractCase("an_unwired_input_is_inactive") { bench in
            try bench.open()
            try expect(.fire, active: false, on: bench)
            try expect(.externalFault, active: false, on: bench)
        },
        ContractCase("an_input_that_is_active_from_the_start_reads_active") { bench in
            try bench.rig.drive(.coinPulse, high: true)
            try bench.open()
            try expect(.coinPulse, active: true, on: bench)
        },
        ContractCase("an_active_low_input_is_active_while_its_wire_is_low", needs: [.polarity]) {
            bench in
            try bench.open(activeLow: true)
            try expect(.coinPulse, active: true, on: bench)
            try bench.rig.drive(.coinPulse, high: true)
            try expect(.coinPulse, active: false, on: bench)
            let levels = try bench.collect(1).levels
            try require(
                levels == [InputLevel(.coinPulse, false)],
                "a rising wire brought \(levels) from an active-low input")
        },
        ContractCase("a_pull_up_holds_an_undriven_input_high", needs: [.bias]) { bench in
            try bench.open(bias: .pullUp)
            try expect(.coinPulse, active: true, on: bench)
        },
        ContractCase("a_pull_down_holds_an_undriven_input_low", needs: [.bias]) { bench in
            try bench.open(bias: .pullDown)
            try expect(.coinPulse, active: false, on: bench)
        },
        ContractCase("every_role_of_an_input_can_be_wired_and_speaks_for_itself") { bench in
            for input in Input.allCases {
                try bench.open([input], [])
                try bench.rig.drive(input, high: true)
                try expect(input, active: true, on: bench)
                for other in Input.allCases where other != input {
                    try expect(other, active: false, on: bench)
                }
                try bench.rig.drive(input, high: false)
                let levels = try bench.collect(2).levels
                try require(
                    levels == [InputLevel(input, true), InputLevel(input, false)],
                    "the wire of \(input.name) rose and fell, the bank told \(levels)")
            }
        },
    ]
}

/// Requires that the bank reads `input` as `active`.
private func expect(_ input: Input, active: Bool, on bench: Bench) throws {
    let read = try bench.bank.isActive(input)
    try require(
        read == active,
        "\(input.name) reads \(read ? "active" : "inactive"), expected otherwise")
}
