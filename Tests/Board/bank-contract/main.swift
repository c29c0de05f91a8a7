// Runs the contract of a line bank over the real lines of a chip of the kernel's gpio-sim:
//
//     bank-contract --chip-label LABEL
//
// Prints one line per case and the sum; the exit status is 1 when a case failed, 64 for a wrong
// call. It needs to write to sysfs and to open the chip.
import BankContract
import Glibc

/// Runs one case, prints how it went and returns whether it passed.
func report(_ name: String, _ check: () throws -> Bool) -> Bool {
    do {
        print(try check() ? "passed  \(name)" : "skipped \(name)")
        return true
    } catch {
        print("FAILED  \(name): \(error)")
        return false
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, arguments.first == "--chip-label", let label = arguments.last else {
    print("usage: bank-contract --chip-label LABEL")
    exit(EX_USAGE)
}
let results =
    ContractCase.all.map { contractCase in
        report(contractCase.name) { try contractCase.run(on: SimulatedChipRig(label: label)) }
    }
    + (RealLineCases.all + KeptLineCases.all).map { name, check in
        report(name) {
            try check(SimulatedChipRig(label: label))
            return true
        }
    }
let passed = results.count { $0 }
print("\(passed) passed, \(results.count - passed) failed")
exit(passed == results.count ? EXIT_SUCCESS : EXIT_FAILURE)
