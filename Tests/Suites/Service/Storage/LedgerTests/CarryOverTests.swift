import Testing
import Turnstile

@testable import Ledger

/// Carrying a ledger over loses nothing, whatever the disk fails at, and wherever the power fails.
@Suite struct CarryOverTests {
    private let (folder, copy): (Folder, Folder)

    init() throws { (folder, copy) = (try Folder(), try Folder()) }

    @Test(arguments: [1, 2, 3], FaultTests.Fault.allCases)
    func `it is whole after a failure, and after a loss of power`(
        version: Int, fault: FaultTests.Fault
    ) throws {
        let bytes = try VersionTests.ledger(of: version)
        try copy.write(bytes, to: "ledger.db")
        let expected = try copy.contents()
        let kinds = try copy.kinds()
        var number = 0
        while true {
            number += 1
            let disk = try FaultyDisk()
            for name in try folder.names { try folder.remove(name) }
            try folder.write(bytes, to: "ledger.db")
            var opening = folder.opening()
            opening.place.vfs = disk.vfs
            disk.arm(fault.operation, fault.kind, nth: number)
            let file = try? opening.open().file
            // What is there if the power fails now is a ledger of either version, and whole.
            for name in try copy.names { try copy.remove(name) }
            try disk.crash(folder, into: copy)
            if folder.exists("ledger.db.known") {
                try copy.write(folder.bytes(of: "ledger.db.known"), to: "ledger.db.known")
            }
            #expect(try copy.contents() == expected, "\(number)")
            #expect(try copy.kinds() == kinds, "\(number)")
            if disk.failures == 0 {
                #expect(file != nil)
                break
            }
        }
        // Nothing of a ledger is cut short before its log is.
        #expect(number > 1 || fault == .truncate || fault == .delete)
    }
}
